# SPDX-License-Identifier: MIT
"""short_audit.py NAME: audits a client that every build has (curl, Debian's urllib3, our own) by a
few scenarios whose verdict is known of it. The whole audit of all clients is scripts/clients."""
import json
import os
import pathlib
import subprocess
import sys

# The verdict of each scenario, and the rule that is broken in it.
KNOWN = {
    "curl": {
        "two-503-then-success": ("pass", None),
        "retry-after-seconds": ("pass", None),
        "answer-lost-reset": ("fail", "CLS-1"),  # --retry does not count a reset as transient
    },
    "urllib3 of Debian": {
        "two-503-then-success": ("pass", None),
        "answer-lost-reset": ("pass", None),
        "retry-after-garbage": ("fail", "RA-7"),  # it raises InvalidHeader
    },
    "retrylab-client": {
        "two-503-then-success": ("pass", None),
        "retry-after-garbage": ("pass", None),
        "answer-lost-reset": ("pass", None),
        "payment-survives-two-503s": ("pass", None),
    },
}


def audit(name):
    clients = json.loads(pathlib.Path("tests/clients/clients.json").read_text())
    command = next(client["command"] for client in clients if client["name"] == name)
    only = [part for scenario in KNOWN[name] for part in ("--only", scenario)]
    done = subprocess.run([os.environ["RETRYLAB_BINARY"], "audit", "--json", "-", "--seed", "1", *only,
                           "--", *command], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode not in (0, 1, 5):
        sys.exit(f"exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return json.loads(done.stdout)


name = sys.argv[1]
found = {scenario["name"]: scenario for scenario in audit(name)["scenarios"]}
wrong = 0
for scenario, (status, rule) in KNOWN[name].items():
    seen = found[scenario]
    # A busy machine may spoil the evidence; it never turns one verdict into the other.
    known = seen["status"] in (status, "inconclusive") and (
        seen["status"] != "fail" or rule in seen["rules"])
    print(f"{scenario}: {seen['status']} {' '.join(seen['rules'])}{'' if known else ' (not known of it)'}")
    wrong += not known
sys.exit(1 if wrong else 0)
