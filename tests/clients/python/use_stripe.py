# SPDX-License-Identifier: MIT
"""stripe with max_network_retries, as its README recommends; it makes its own keys."""
import stripe
from contract import BASE, METHOD, PATH, TIMEOUT, answered, failed

client = stripe.StripeClient("sk_test_dummy", base_addresses={"api": BASE}, max_network_retries=3,
                             http_client=stripe.RequestsClient(timeout=TIMEOUT))
try:
    answer = client.raw_request(METHOD.lower(), PATH, **({} if METHOD == "GET" else {"amount": 5}))
except stripe.StripeError as error:
    failed(error)
answered(answer.code)
