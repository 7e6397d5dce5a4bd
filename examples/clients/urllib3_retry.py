# SPDX-License-Identifier: MIT
"""urllib3_retry.py METHOD URL: urllib3 with its own Retry, as its documentation recommends it."""
import sys

import urllib3

retry = urllib3.Retry(total=5, backoff_factor=0.5, status_forcelist=[429, 500, 502, 503, 504])
pool = urllib3.PoolManager(retries=retry, timeout=10)
try:
    answer = pool.request(sys.argv[1], sys.argv[2], body=b'{"amount": 5}')
except urllib3.exceptions.HTTPError as error:
    sys.exit(f"{type(error).__name__}: {error}")
sys.exit(0 if answer.status < 400 else 1)
