# SPDX-License-Identifier: MIT
"""`retrylab audit`: the scorecard, the policy card, and clients that behave badly as processes."""
import json
import os
import pathlib
import pty
import subprocess
import sys
import time
import uuid
import xml.etree.ElementTree

from smoke import BINARY, CLIENT, Smoke

REFERENCE = str(pathlib.Path(BINARY).with_name("retrylab-client"))
REQUEST = [REFERENCE, "{method}", "{url}{path}", "--key", "auto"]


def running(mark):
    """The processes with that text in their command line, retrylab's own aside."""
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_text().split("\0")
            if mark in words and BINARY not in words:
                found.append(folder.name)
        except OSError:
            continue
    return found


class Audit(Smoke):
    def audit(self, *client, only=("audit-status-503",), flags=(), code=(0, 5)):
        """The text, the scorecard as read from JSON, and the scenarios by name. A busy host may
        spoil evidence (5), it never makes a right client a wrong one."""
        path = self.path("card.json")
        chosen = [word for name in only for word in ("--only", name)]
        done = self.retrylab("audit", *chosen, *flags, "--seed", "1", "--json", path, "--",
                             *client, code=None)
        if code is not None:
            self.assertIn(done.returncode, code, done.stdout + done.stderr)
        card = json.loads(pathlib.Path(path).read_text())
        return done.stdout + done.stderr, card, {line["name"]: line for line in card["scenarios"]}

    def test_a_scorecard_has_grades_rules_and_scenarios(self):
        text, card, scenarios = self.audit(*REQUEST, only=("audit-status-503",
                                                           "answer-lost-reset"))
        self.assertNotEqual(card["verdict"], "fail", text)
        self.assertEqual(card["overall"], "A", text)
        self.assertEqual(scenarios["answer-lost-reset"]["status"], "pass")
        grades = {topic["topic"]: topic["grade"] for topic in card["topics"]}
        self.assertEqual(grades["idempotency"], "A")
        self.assertEqual(grades["retry_after"], "not_seen")
        self.assertIn("retrylab run answer-lost-reset", scenarios["answer-lost-reset"]["command"])

    def test_a_broken_rule_has_its_evidence_and_the_command_that_shows_it(self):
        text, card, scenarios = self.audit(*CLIENT, "{url}", "--wait", "0",
                                           only=("audit-wait-2s",), code=(1,))
        rule = next(rule for rule in card["rules"] if rule["id"] == "RA-1")
        self.assertEqual((rule["status"], rule["scenarios"]), ("fail", ["audit-wait-2s"]))
        self.assertIn("first failure: ", text)
        self.assertRegex(text, r"\nagain: \S+ audit --only audit-wait-2s --seed 1 -- ")
        self.assertIn("RA-1", text)

    def test_a_profile_judges_where_a_scenario_names_none(self):
        _, card, scenarios = self.audit(*REQUEST, only=("audit-status-503", "audit-refused"),
                                        flags=("--profile", "core"))
        self.assertEqual(card["profile"], "core")
        self.assertIn("--profile core", scenarios["audit-status-503"]["command"])
        self.assertNotIn("--profile", scenarios["audit-refused"]["command"])

    def test_the_policy_card_is_a_policy_of_the_simulator(self):
        card = self.path("policy.json")
        self.audit(*REQUEST, only=("audit-status-503", "audit-status-500", "audit-unavailable"),
                   flags=("--quick", "--card", card))
        policy = json.loads(pathlib.Path(card).read_text())
        self.assertEqual((policy["attempts"], policy["statuses"]), (5, [503]))
        self.retrylab("simulate", "two-503-then-success", "--clients", "10", "--policy", card)

    def test_a_scenario_whose_premise_is_not_met_is_not_judged(self):
        _, _, scenarios = self.audit(*CLIENT, "{url}", only=("answer-lost-reset",
                                                             "audit-status-503"))
        lost = scenarios["answer-lost-reset"]
        self.assertEqual(lost["status"], "not_applicable")
        self.assertIn("the client sends GET /, the scenario needs POST", lost["reason"])

    def test_who_does_not_ask_for_gzip_is_not_judged_by_it(self):
        gzip = ("cut-gzip-taken-for-whole",)
        _, _, plain = self.audit("curl", "-s", "{url}{path}", only=gzip, code=None)
        self.assertEqual(plain[gzip[0]]["status"], "not_applicable", plain)
        self.assertIn("does not ask for gzip", plain[gzip[0]]["reason"])
        _, _, asking = self.audit("curl", "-s", "--compressed", "{url}{path}", only=gzip, code=None)
        self.assertEqual(asking[gzip[0]]["status"], "fail", asking)

    def test_every_format_says_the_same(self):
        files = {name: self.path(f"card.{name}") for name in ("junit", "html", "markdown")}
        flags = [word for name, path in files.items() for word in (f"--{name}", path)]
        _, card, _ = self.audit(*CLIENT, "{url}", "--wait", "0", flags=flags, code=(1,),
                                only=("audit-wait-2s", "answer-lost-reset"))
        suite = xml.etree.ElementTree.parse(files["junit"]).getroot()
        self.assertEqual((suite.get("tests"), suite.get("failures"), suite.get("skipped")),
                         ("2", "1", "1"))
        html = pathlib.Path(files["html"]).read_text()
        markdown = pathlib.Path(files["markdown"]).read_text()
        for text in (html, markdown):
            self.assertIn("RA-1", text)
            self.assertIn("the scenario needs POST", text)
        self.assertIn(f"| **overall** | **{card['overall']}** |", markdown)
        self.assertNotIn("http://", html.replace(card["client"], ""))

    def test_whether_a_refused_connection_is_retried_is_told_or_left_open(self):
        text, card, scenarios = self.audit(*REQUEST, only=("audit-unavailable", "audit-refused"),
                                           flags=("--quick",), code=None)
        found = {one["what"]: one["retried"] for one in card["findings"]["reactions"]}
        self.assertIn(found["refused"], ("yes", "unknown"), text)
        self.assertIn(scenarios["audit-refused"]["status"], ("pass", "inconclusive"), text)
        self.assertEqual(scenarios["audit-refused"]["runs"], 3)

    def test_a_terminal_shows_how_far_it_has_come_and_nothing_of_it_stays(self):
        terminal, inner = pty.openpty()
        process = subprocess.Popen(
            [BINARY, "audit", "--only", "audit-status-503", "--only", "audit-status-500", "--seed",
             "1", "--", *REQUEST], cwd=self.folder, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=inner, env=self.environment)
        self.addCleanup(self.end, process)
        os.close(inner)
        shown = b""
        while True:
            try:
                piece = os.read(terminal, 4096)
            except OSError:  # the other side is closed
                break
            if not piece:
                break
            shown += piece
        os.close(terminal)
        text, _ = process.communicate(timeout=60)
        self.assertIn(process.returncode, (0, 5), text)
        for line in ("[" + " " * 40 + "] 0 of 2 clients", "[" + "=" * 20 + " " * 20 + "] 1 of 2",
                     "[" + "=" * 40 + "] 2 of 2 clients"):
            self.assertIn(line, shown.decode())
        self.assertTrue(shown.endswith(b"\r\x1b[K"), shown)
        self.assertNotIn(b"\x1b[K", text)

    def test_a_client_that_is_not_there_is_named(self):
        done = self.retrylab("audit", "--quick", "--", "./no-such-client", code=4)
        self.assertIn('cannot start the client "./no-such-client"', done.stderr)

    def test_a_client_that_prints_rubbish_and_asks_for_nothing_is_told_so(self):
        text, card, scenarios = self.audit(
            sys.executable, "-c", "import os; os.write(1, os.urandom(50000))", code=(1,))
        self.assertIn("made no request in any scenario", " ".join(card["notes"]))
        self.assertEqual(scenarios["audit-status-503"]["status"], "fail", text)

    def test_a_client_that_is_stopped_before_it_connects_is_not_judged(self):
        _, card, scenarios = self.audit("sleep", "1000", flags=("--timeout", "1s"), code=(5,))
        self.assertIn("stopped before it had connected", scenarios["audit-status-503"]["reason"])
        self.assertIn("made no request in any scenario", " ".join(card["notes"]))

    def test_what_a_client_writes_is_bounded(self):
        script = ("import subprocess, sys\n"
                  "for _ in range(64): sys.stdout.write('x' * 1000000)\n"
                  "sys.stdout.flush()\n"
                  "sys.exit(subprocess.call(sys.argv[1:]))\n")
        text, card, _ = self.audit(sys.executable, "-c", script, *REQUEST)
        self.assertNotEqual(card["verdict"], "fail", text)
        self.assertIn("the clients wrote 64 MB to standard output", " ".join(card["notes"]))
        self.assertLess(len(text), 20000)

    def test_no_process_that_a_client_leaves_behind_stays(self):
        mark = f"1{uuid.uuid4().int % 10**9}"
        script = f"sleep {mark} & setsid sleep {mark} & env -i setsid sleep {mark} & " + '"$@"'
        text, card, _ = self.audit("sh", "-c", script, "sh", *REQUEST)
        self.assertNotEqual(card["verdict"], "fail", text)
        self.assertIn("audit-status-503: the client left", " ".join(card["notes"]))
        self.assertEqual(running(mark), [])

    def test_a_client_that_ignores_being_stopped_is_ended_and_named(self):
        mark = f"1{uuid.uuid4().int % 10**9}"
        script = f"trap '' TERM; curl -s $RETRYLAB_URL/ >/dev/null; while :; do sleep {mark}; done"
        text, _, scenarios = self.audit("sh", "-c", script, flags=("--timeout", "1s"), code=None)
        self.assertEqual(scenarios["audit-status-503"]["client"], "hung and was stopped", text)
        self.assertEqual(running(mark), [])

    def test_a_signal_ends_the_audit_and_its_clients(self):
        mark = f"1{uuid.uuid4().int % 10**9}"
        process = self.start("audit", "--quick", "--", "sleep", mark)
        self.wait_for(lambda: running(mark))
        process.terminate()
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 128 + 15)
        self.assertEqual(running(mark), [])

    def wait_for(self, condition):
        until = time.monotonic() + 60
        while not condition():
            self.assertLess(time.monotonic(), until)
            time.sleep(0.05)
