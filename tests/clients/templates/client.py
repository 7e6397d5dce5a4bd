# SPDX-License-Identifier: MIT
"""Template of an adapter in Python: python3 client.py. Put your client into call()."""
import http.client
import json
import os
import sys
import urllib.error
import urllib.request


def call(method, url, body, headers):
    """Makes the operation, with all its retries; returns the final status."""
    # TODO: your client here. This one makes a single attempt.
    request = urllib.request.Request(url, body and body.encode(), headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            answer.read()
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


method = os.environ.get("RETRYLAB_METHOD", "GET")
url = os.environ["RETRYLAB_URL"] + os.environ.get("RETRYLAB_PATH", "/")
body = os.environ.get("RETRYLAB_BODY")
headers = {"Content-Type": "application/json"} if body else {}
if key := os.environ.get("RETRYLAB_KEY"):
    headers["Idempotency-Key"] = key

try:
    line = {"status": call(method, url, body, headers)}
except (OSError, http.client.HTTPException) as error:
    line = {"reason": f"{type(error).__name__}: {error}"}
good = 200 <= line.get("status", 0) < 300
print(json.dumps({"outcome": "success" if good else "failure", **line}))
sys.exit(0 if good else 1)
