# SPDX-License-Identifier: MIT
"""httpx in a loop of tenacity: random exponential waits, as its manual recommends for a
contended service. tenacity knows no HTTP; what is retried is the adapter's word."""
import httpx
from contract import BODY, HEADERS, KEY, METHOD, TIMEOUT, URL, answered, failed
from tenacity import retry, retry_if_exception, stop_after_attempt, wait_random_exponential


def transient(error):
    if METHOD == "POST" and not KEY:
        return False
    if isinstance(error, httpx.HTTPStatusError):
        return error.response.status_code in (429, 502, 503, 504)
    return isinstance(error, httpx.TransportError)


@retry(retry=retry_if_exception(transient), stop=stop_after_attempt(5),
       wait=wait_random_exponential(multiplier=0.5, max=8), reraise=True)
def call():
    return httpx.request(METHOD, URL, content=BODY, headers=HEADERS,
                         timeout=TIMEOUT).raise_for_status()


try:
    answered(call().status_code)
except httpx.HTTPStatusError as error:
    answered(error.response.status_code)
except httpx.HTTPError as error:
    failed(error)
