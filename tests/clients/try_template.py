# SPDX-License-Identifier: MIT
"""try_template.py COMMAND...: an adapter's template has to make the operation it is asked for, and
to tell a success from a failure. Exit code 77 when its language is not installed."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

# The scenario's first route is what the environment asks for: method, path, body and a key have to
# be on the wire.
BODY = '{"amount": 5}'


def scenario(answer, outcome):
    return {
        "name": "asked", "routes": [{"on": "POST /v1/payments", "creates": "payment",
                                     "idempotency": {"required": True}, "script": [answer]}],
        "expect": {"profile": "core", "attempts": 1, "client": outcome,
                   "requests": [
                       {"attempt": 1, "header": "Idempotency-Key", "count": 1},
                       {"attempt": 1, "header": "Content-Type", "equals": "application/json"},
                       {"attempt": 1, "equals": BODY}]}}


CASES = {
    "a success is told": (scenario({"status": 201, "json": {"paid": True}}, "succeeds"), 0),
    "a failure is told": (scenario({"status": 400, "json": {}}, "fails"), 0),
    "a failure is no success": (scenario({"status": 400, "json": {}}, "succeeds"), 1),
    "a cut answer is no success": (scenario(
        {"status": 201, "json": {"paid": True}, "fault": {"do": "close", "at": {"body_byte": 3}}},
        "fails"), 0),
}


def judged(case, command):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "asked.json")
        file.write_text(json.dumps(case))
        return subprocess.run([os.environ["RETRYLAB_BINARY"], "run", str(file), "--inconclusive",
                               "rerun:5", "--", *command], capture_output=True, text=True,
                              stdin=subprocess.DEVNULL)


if not shutil.which(sys.argv[1]):
    print(f"skipped: {sys.argv[1]} is not installed")
    sys.exit(77)
wrong = 0
for name, (case, code) in CASES.items():
    done = judged(case, sys.argv[1:])
    if done.returncode != code:
        wrong += 1
        print(f"{name}: exit code {done.returncode} instead of {code}\n{done.stdout}{done.stderr}")
sys.exit(1 if wrong else 0)
