# SPDX-License-Identifier: MIT
"""httpx with RetryTransport of httpx-retries, with the numbers of its manual's first page."""
import httpx
from contract import BODY, HEADERS, KEY, METHOD, TIMEOUT, URL, answered, failed
from httpx_retries import Retry, RetryTransport

methods = [*Retry.RETRYABLE_METHODS, *(["POST"] if KEY else [])]
retry = Retry(total=5, backoff_factor=0.5, allowed_methods=methods)
try:
    with httpx.Client(transport=RetryTransport(retry=retry), timeout=TIMEOUT) as client:
        answer = client.request(METHOD, URL, content=BODY, headers=HEADERS)
except httpx.HTTPError as error:
    failed(error)
answered(answer.status_code)
