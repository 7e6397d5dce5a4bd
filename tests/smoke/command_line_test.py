# SPDX-License-Identifier: MIT
"""Help, usage errors and their exit code."""
import os
import subprocess

from smoke import BINARY, CLIENT, Smoke


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
            (["run", quick, "--repeat", "0", "--", "true"], "`retrylab run --help`"),
            (["run", quick, "--profle", "core", "--", "true"], "did you mean --profile?"),
            (["run", quick, "--profile", "cor", "--", "true"], "did you mean core?"),
            (["audit", "--profile", "cor", "--", "true"], "did you mean core?"),
            (["run", quick, "python3", "pay.py"],
             f"retrylab run {quick} -- python3 pay.py"),
            (["check", quick, "--x", "--y"], "--x: no such flag"),
            (["list", "one", "two"], "one two: not expected"),
            (["run", quick, "--seed", "-1", "--", "true"],
             "--seed: \"-1\" is not a whole number from 0 to 18446744073709551615"),
            (["serve", quick, "--port", "99999"],
             "--port: \"99999\" is not a whole number from 0 to 65535"),
            (["simulate", quick, "--rate", "10", "--for", "5s", "--operations", "3"],
             "--operations"),
            (["simulate", quick, "--rate", "10", "--for", "5s", "--sweep", "operations=1,2"],
             "--sweep"),
            (["simulate", quick, "--policy", "carefull"], "did you mean careful?"),
            (["help", "rn"], "did you mean run?"),
        ]
        for arguments, expected in cases:
            with self.subTest(arguments):
                done = self.retrylab(*arguments, code=2)
                self.assertIn(expected, done.stderr)
                self.assertEqual(done.stdout, "")

    def test_a_wrong_variable_is_named(self):
        client = ["--", "true"]
        done = self.retrylab("run", self.quick(), *client, code=2,
                             environment={"RETRYLAB_SEED": "abc"})
        self.assertIn("RETRYLAB_SEED: --seed: \"abc\" is not a whole number", done.stderr)
        done = self.retrylab("run", self.quick(), "--seed", "abc", *client, code=2,
                             environment={"RETRYLAB_SEED": "7"})
        self.assertNotIn("RETRYLAB_SEED", done.stderr)

    def test_help_is_a_command_too(self):
        self.assertEqual(self.retrylab("help").stdout, self.retrylab("--help").stdout)
        for command in ("run", "audit"):
            text = self.retrylab("help", command).stdout
            self.assertEqual(text, self.retrylab(command, "--help").stdout)
            self.assertIn(" -- CLIENT [ARGUMENTS]\n", text)

    def test_profiles_and_presets_are_named_with_dashes_or_underscores(self):
        for name in ("aws-standard-2.1", "aws_standard_2_1"):
            self.retrylab("run", self.quick(), "--profile", name, "--", "true", code=1)
            self.retrylab("check", self.quick(expect={"profile": name}))
            self.assertIn("aws-standard-2.1", self.retrylab("profiles", name).stdout)
            self.retrylab("simulate", self.quick(), "--clients", "2", "--policy", name)
            self.retrylab("simulate", self.quick(), "--clients", "2", "--policy",
                          f"{name},jitter=none")

    def test_output_that_cannot_be_written_is_an_error(self):
        client = ["--", *CLIENT, "{url}"]
        for arguments in (["list"], ["--help"], ["check", self.quick()], ["run", self.quick(), *client],
                          ["run", self.quick(), "--json", "-", *client], ["serve", self.quick()],
                          ["simulate", self.quick(), "--clients", "2"], ["rules", "--markdown"]):
            with self.subTest(arguments), open("/dev/full", "w", encoding="ascii") as full:
                done = self.run_into(full, *arguments)
                self.assertEqual(done.returncode, 4, done.stderr)
                self.assertIn("standard output: cannot be written", done.stderr)

    def test_a_reader_that_leaves_early_changes_nothing(self):
        for arguments, code in ((["rules", "--markdown"], 0),
                                (["run", self.quick(), "--verbose", "--", *CLIENT, "{url}"], 0),
                                (["run", self.quick(), "--verbose", "--", "true"], 1)):
            with self.subTest(arguments):
                read, write = os.pipe()
                os.close(read)
                with open(write, "w", encoding="ascii") as pipe:
                    done = self.run_into(pipe, *arguments)
                self.assertEqual((done.returncode, done.stderr), (code, ""))

    def run_into(self, output, *arguments):
        return subprocess.run([BINARY, *arguments], cwd=self.folder, env=self.environment,
                              stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.PIPE,
                              text=True, timeout=60)

    def test_the_command_that_repeats_a_run_is_one_line_for_a_shell(self):
        done = self.retrylab("run", self.quick(), "--", *CLIENT, "{url}", "--wait", "0.05",
                             "--timeout", "10")
        again = [line for line in done.stdout.splitlines() if line.startswith("again: ")]
        self.assertIn(" -- ", again[0])
        words = ["sh", "-c", 'printf "%s" "$1" > told; exit 1', "sh", "it's\n\ttwo \\ lines"]
        done = self.retrylab("run", self.quick(), "--", *words, code=1)
        told = self.read("told")
        again = [line for line in done.stdout.splitlines() if line.startswith("again: ")]
        self.write("told", "")
        subprocess.run(["bash", "-c", again[0][len("again: "):]], cwd=self.folder,
                       env=self.environment, stdin=subprocess.DEVNULL, capture_output=True,
                       timeout=60, check=False)
        self.assertEqual(self.read("told"), told)

    def test_the_clients_own_flags_are_left_alone(self):
        self.retrylab("run", self.quick(), "--", "sh", "-c", 'test "$1" = --json && shift && '
                      f'{" ".join(CLIENT)} "$RETRYLAB_URL"', "sh", "--json", "--", "--help")
