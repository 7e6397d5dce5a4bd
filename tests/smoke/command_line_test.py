# SPDX-License-Identifier: MIT
"""Help, usage errors and their exit code."""
from smoke import CLIENT, Smoke


class CommandLine(Smoke):
    def test_every_command_has_help_with_an_example(self):
        commands = ["run", "serve", "check", "verify", "list", "show", "init", "profiles", "rules",
                    "schema", "simulate"]
        overview = self.retrylab("--help").stdout
        for command in commands:
            self.assertIn(f"\n  {command} ", overview)
            text = self.retrylab(command, "--help").stdout
            self.assertIn(f"\n  retrylab {command}", text.split("Example:")[1])

    def test_version(self):
        self.assertRegex(self.retrylab("--version").stdout, r"^retrylab \d+\.\d+\.\d+\n$")

    def test_a_wrong_command_line_says_what_is_wrong(self):
        quick = self.quick()
        cases = [
            ([], "Usage:"),
            (["frobnicate"], "frobnicate"),
            (["run"], "SCENARIO"),
            (["run", quick], "no client"),
            (["run", quick, "--"], "no client"),
            (["run", "two-503-then-succes", "--", "true"], "did you mean two-503-then-success?"),
            (["run", quick, "--repeat", "0", "--", "true"], "--repeat"),
            (["run", quick, "--repeat", "2", "--herd", "2", "--", "true"], "--repeat"),
            (["run", quick, "--timeout", "3", "--", "true"], "\"250ms\""),
            (["run", quick, "--inconclusive", "maybe", "--", "true"], "rerun:N"),
            (["run", quick, "--env", "X", "--", "true"], "NAME=VALUE"),
            (["run", quick, "--herd", "2", "--port", "9", "--", "true"], "--port"),
            (["serve", quick, quick, "--port", "9"], "--port"),
            (["show", "nothing"], "nothing"),
        ]
        for arguments, expected in cases:
            with self.subTest(arguments):
                done = self.retrylab(*arguments, code=2)
                self.assertIn(expected, done.stderr)
                self.assertEqual(done.stdout, "")

    def test_the_clients_own_flags_are_left_alone(self):
        self.retrylab("run", self.quick(), "--", "sh", "-c", 'test "$1" = --json && shift && '
                      f'{" ".join(CLIENT)} "$RETRYLAB_URL"', "sh", "--json", "--", "--help")
