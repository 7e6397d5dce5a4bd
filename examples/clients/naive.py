# SPDX-License-Identifier: MIT
"""naive.py METHOD URL: the retry loop that everybody has written once. Do not copy it.

It tries five times until something works. It does not wait, does not read Retry-After, retries
what will never work, and makes a new idempotency key for every attempt."""
import http.client
import sys
import urllib.parse
import uuid

method, url = sys.argv[1], urllib.parse.urlsplit(sys.argv[2])

for attempt in range(5):
    try:
        connection = http.client.HTTPConnection(url.hostname, url.port, timeout=10)
        headers = {"Idempotency-Key": str(uuid.uuid4())}
        connection.request(method, url.path, body='{"amount": 5}', headers=headers)
        if connection.getresponse().status < 400:
            sys.exit(0)
    except OSError as error:
        print(f"attempt {attempt + 1}: {error}", file=sys.stderr)
sys.exit(1)
