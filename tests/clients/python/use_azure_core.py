# SPDX-License-Identifier: MIT
"""azure-core's PipelineClient with its RetryPolicy; POST only where the server keeps keys."""
from azure.core import PipelineClient
from azure.core.exceptions import AzureError
from azure.core.pipeline.policies import RetryPolicy
from azure.core.rest import HttpRequest
from contract import BASE, BODY, HEADERS, KEY, METHOD, TIMEOUT, URL, answered, failed

client = PipelineClient(BASE, policies=[RetryPolicy()])
more = {"retry_on_methods": frozenset([METHOD])} if KEY else {}
try:
    answer = client.send_request(HttpRequest(METHOD, URL, headers=HEADERS, content=BODY),
                                 read_timeout=TIMEOUT, connection_timeout=TIMEOUT, **more)
except AzureError as error:
    failed(error)
answered(answer.status_code)
