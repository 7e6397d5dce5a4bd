# SPDX-License-Identifier: MIT
"""urllib3 with its own Retry; POST only where the server keeps keys (allowed_methods)."""
import urllib3
from contract import BODY, HEADERS, KEY, METHOD, TIMEOUT, URL, answered, failed

methods = urllib3.Retry.DEFAULT_ALLOWED_METHODS | ({"POST"} if KEY else set())
retry = urllib3.Retry(total=4, backoff_factor=0.5, backoff_jitter=0.5, allowed_methods=methods,
                      status_forcelist=[429, 502, 503, 504])
try:
    answer = urllib3.PoolManager(retries=retry, timeout=TIMEOUT).request(
        METHOD, URL, body=BODY, headers=HEADERS)
except urllib3.exceptions.HTTPError as error:
    failed(error)
answered(answer.status)
