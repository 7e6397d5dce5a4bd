# SPDX-License-Identifier: MIT
"""The shop's payment client: python -m shop.pay URL makes one payment."""
import http.client
import json
import random
import sys
import time
import urllib.error
import urllib.request
import uuid

ATTEMPTS = 4
BASE, CAP = 0.25, 8.0  # seconds
TRANSIENT = {429, 502, 503, 504}


def wait_before(attempt, retry_after):
    """Seconds to wait before the attempt of this number; None: longer than we can."""
    if retry_after and retry_after.isascii() and retry_after.isdigit():
        return int(retry_after) if len(retry_after) < 4 and int(retry_after) <= CAP else None
    return random.uniform(0, min(CAP, BASE * 2 ** (attempt - 2)))


def send(url, amount, key):
    """One attempt: its status and Retry-After, or None for the status when no answer came."""
    request = urllib.request.Request(
        url, json.dumps({"amount": amount}).encode(), method="POST",
        headers={"Content-Type": "application/json", "Idempotency-Key": key})
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            answer.read()
            return answer.status, None
    except urllib.error.HTTPError as error:
        return error.code, error.headers.get("Retry-After")
    except (OSError, http.client.HTTPException):
        return None, None


def pay(url, amount):
    """The final status; None when the last attempt had no answer."""
    key = str(uuid.uuid4())  # one per payment, whatever happens
    for attempt in range(1, ATTEMPTS + 1):
        status, retry_after = send(url, amount, key)
        if status is not None and status not in TRANSIENT:
            return status
        wait = wait_before(attempt + 1, retry_after)
        if attempt == ATTEMPTS or wait is None:
            break
        time.sleep(wait)
    return status


if __name__ == "__main__":
    sys.exit(0 if pay(sys.argv[1], 5) == 201 else 1)
