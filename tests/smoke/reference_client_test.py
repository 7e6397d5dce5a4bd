# SPDX-License-Identifier: MIT
"""retrylab-client: its exit codes, its JSON line, both transports, HTTPS verification."""
import json
import os
import subprocess

from smoke import Smoke

PROGRAM = os.environ["RETRYLAB_CLIENT"]


def client(*arguments):
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=30)
    return done, json.loads(done.stdout) if done.stdout else None


class ReferenceClient(Smoke):
    def test_charges_once_over_both_transports(self):
        for transport in ("httplib", "beast"):
            done = self.retrylab("run", "answer-lost-reset", "--", PROGRAM, "POST",
                                 "{url}/v1/payments", "--json", '{"amount": 5}', "--key", "auto",
                                 "--transport", transport)
            self.assertIn("PASS  answer-lost-reset", done.stdout)

    def test_nothing_listens(self):
        done, line = client("GET", "http://127.0.0.1:1/", "--attempts", "2", "--base", "1ms")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(line["outcome"], "failure")
        self.assertEqual(line["reason"], "attempts_exhausted")
        self.assertEqual([attempt["failure"] for attempt in line["attempts"]], ["refused"] * 2)

    def test_what_cannot_be_sent_is_a_usage_error(self):
        done, line = client("GET", "ftp://a.test/")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(line["reason"], "invalid_request")
        for policy in ("--attempts=0", "--cap=1ms", '--budget={"kind":"window","ratio":1.5}'):
            done, line = client("GET", "http://127.0.0.1:1/", policy)
            self.assertEqual((done.returncode, line), (2, None))
            self.assertIn(policy[2:policy.index("=")], done.stderr)
