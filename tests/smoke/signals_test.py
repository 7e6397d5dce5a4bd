# SPDX-License-Identifier: MIT
"""Signals that arrive during a run reach the client; the exit code says which it was."""
import json
import os
import signal

from smoke import Smoke

# Says that it runs, notes the signal that ends it, and leaves.
SCRIPT = """
for name in INT TERM HUP; do trap "echo got $name; exit 0" $name; done
echo started
while :; do sleep 0.05; done
"""


class Signals(Smoke):
    def interrupted(self, number, *flags, script=SCRIPT):
        process = self.start("run", self.quick(), *flags, "--", "sh", "-c", script)
        while process.stdout.readline().strip() != "started":
            self.assertIsNone(process.poll())
        process.send_signal(number)
        out, err = process.communicate(timeout=30)
        return process.returncode, out, err

    def test_a_signal_is_forwarded_and_is_the_exit_code(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number):
                code, out, _ = self.interrupted(number)
                self.assertEqual(code, 128 + number)
                self.assertIn("got " + number.name.removeprefix("SIG"), out)

    def test_what_a_signal_kept_a_client_from_is_not_its_fault(self):
        script = "curl -s $RETRYLAB_URL >/dev/null; echo started; exec sleep 60"
        process = self.start("run", "two-503-then-success", "--json", self.path("r.json"), "--",
                             "sh", "-c", script)
        while process.stdout.readline().strip() != "started":
            self.assertIsNone(process.poll())
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 128 + signal.SIGINT)
        report = json.loads((self.folder / "r.json").read_text())
        self.assertEqual(report["verdict"], "inconclusive", out)
        self.assertEqual(report["runs"][0]["client"]["outcome"], "interrupted")
        self.assertIn("was interrupted", out)

    def test_no_client_is_started_after_a_signal(self):
        code, out, _ = self.interrupted(signal.SIGTERM, "--repeat", "5", "--jobs", "1")
        self.assertEqual(code, 128 + signal.SIGTERM)
        self.assertNotIn("started", out.splitlines())  # the first one was read above

    def test_a_client_that_ignores_the_signal_is_killed(self):
        code, out, _ = self.interrupted(
            signal.SIGTERM, script="trap '' TERM; echo started; while :; do sleep 0.05; done")
        self.assertEqual(code, 128 + signal.SIGTERM)
        self.assertIn("signal 9", out)

    def test_a_reader_that_leaves_does_not_end_the_run(self):
        process = self.start("run", self.quick(), "--json", self.path("r.json"), "--", "sh", "-c",
                             "sleep 0.1; echo lost")
        process.stdout.close()
        process.stdout = open(os.devnull)
        self.assertEqual(process.wait(timeout=30), 1)
        self.assertTrue((self.folder / "r.json").exists())
