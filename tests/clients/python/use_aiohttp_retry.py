# SPDX-License-Identifier: MIT
"""aiohttp with aiohttp-retry: its jittered options, its default list of methods."""
import asyncio

import aiohttp
from aiohttp_retry import JitterRetry, RetryClient
from contract import BODY, HEADERS, METHOD, TIMEOUT, URL, answered, failed


async def call():
    options = JitterRetry(attempts=5, start_timeout=0.25, statuses={429})
    timeout = aiohttp.ClientTimeout(total=TIMEOUT)
    async with RetryClient(retry_options=options, timeout=timeout) as client:
        async with client.request(METHOD, URL, data=BODY, headers=HEADERS) as answer:
            await answer.read()
            return answer.status


try:
    answered(asyncio.run(call()))
except (aiohttp.ClientError, asyncio.TimeoutError) as error:
    failed(error)
