# SPDX-License-Identifier: MIT
"""The operation that the environment asks for, and how an adapter reports what became of it.
See docs/client-contract.md."""
import json
import os
import sys

BASE = os.environ["RETRYLAB_URL"]
METHOD = os.environ.get("RETRYLAB_METHOD", "GET")
PATH = os.environ.get("RETRYLAB_PATH", "/")
URL = BASE + PATH
BODY = os.environ.get("RETRYLAB_BODY") or ('{"amount": 5}' if METHOD in ("POST", "PUT") else None)
KEY = os.environ.get("RETRYLAB_KEY")
HEADERS = {**({"Content-Type": "application/json"} if BODY else {}),
           **({"Idempotency-Key": KEY} if KEY else {})}
TIMEOUT = 10  # seconds per attempt


def answered(status):
    """The operation ended with an answer of this status."""
    good = 200 <= status < 300
    print(json.dumps({"outcome": "success" if good else "failure", "status": status}))
    sys.exit(0 if good else 1)


def failed(error):
    """The client gave up with this error."""
    status = getattr(error, "status_code", None) or getattr(error, "http_status", None)
    line = {"outcome": "failure", "reason": f"{type(error).__name__}: {error}"[:200]}
    print(json.dumps(line | ({"status": status} if isinstance(status, int) else {})))
    sys.exit(1)


def unsupported(why):
    """This client cannot make such an operation."""
    print(json.dumps({"outcome": "unsupported", "reason": why}))
    sys.exit(77)
