# SPDX-License-Identifier: MIT
"""openai with its default retries, by the call its manual gives for undocumented endpoints."""
import openai
from contract import BASE, BODY, HEADERS, METHOD, PATH, TIMEOUT, answered, failed

client = openai.OpenAI(base_url=BASE, api_key="dummy", timeout=TIMEOUT)
options = {"headers": HEADERS}
try:
    if METHOD == "GET":
        client.get(PATH, cast_to=object, options=options)
    else:
        client.post(PATH, cast_to=object, body={"amount": 5}, options=options)
except openai.APIError as error:
    failed(error)
answered(200)
