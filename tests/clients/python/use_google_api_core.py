# SPDX-License-Identifier: MIT
"""google-api-core's Retry with its default predicate around requests, the way the cloud
libraries use it: an answer becomes an exception, the predicate says whether it is transient."""
import requests
from contract import BODY, HEADERS, KEY, METHOD, TIMEOUT, URL, answered, failed
from google.api_core import exceptions, retry


def call():
    answer = requests.request(METHOD, URL, data=BODY, headers=HEADERS, timeout=TIMEOUT)
    if answer.status_code >= 400:
        raise exceptions.from_http_response(answer)
    return answer


try:
    again = retry.Retry(predicate=retry.if_transient_error, timeout=30.0)
    answered((again(call) if METHOD == "GET" or KEY else call)().status_code)
except exceptions.GoogleAPICallError as error:
    answered(error.code)
except (exceptions.RetryError, requests.RequestException) as error:
    failed(error)
