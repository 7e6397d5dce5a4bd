# SPDX-License-Identifier: MIT
"""requests with an HTTPAdapter and Retry, as "Example: Automatic Retries" of its manual has it."""
import requests
from contract import BODY, HEADERS, KEY, METHOD, TIMEOUT, URL, answered, failed
from requests.adapters import HTTPAdapter
from urllib3.util import Retry

methods = Retry.DEFAULT_ALLOWED_METHODS | ({"POST"} if KEY else set())
session = requests.Session()
session.mount("http://", HTTPAdapter(max_retries=Retry(
    total=3, backoff_factor=0.1, status_forcelist=[502, 503, 504], allowed_methods=methods)))
try:
    answer = session.request(METHOD, URL, data=BODY, headers=HEADERS, timeout=TIMEOUT)
except requests.RequestException as error:
    failed(error)
answered(answer.status_code)
