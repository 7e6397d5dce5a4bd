# SPDX-License-Identifier: MIT
"""retrylab run: clients, their environment, their outcome, and the exit codes."""
import json
import socket
import sys

from smoke import CLIENT, Smoke


class Run(Smoke):
    def report(self, *arguments, code=0):
        self.retrylab("run", *arguments[:1], "--json", "report.json", *arguments[1:], code=code)
        return json.loads(self.read("report.json"))

    def test_a_right_client_passes(self):
        done = self.retrylab("run", self.quick(), "--", *CLIENT, "{url}")
        self.assertIn("PASS  quick", done.stdout)
        self.assertIn("503 Service Unavailable", done.stdout)

    def test_a_wrong_client_fails_and_the_report_says_why(self):
        done = self.retrylab("run", self.quick(routes=[{"on": "GET /", "script": [503]}]), "--",
                             *CLIENT, "{url}", "--attempts", "4", code=1)
        self.assertIn("✗ attempts", done.stdout)
        self.assertIn("FAIL  quick", done.stdout.splitlines()[-1])

    def test_spoiled_evidence_is_inconclusive_and_may_be_counted_either_way(self):
        scenario = self.quick(
            routes=[{"on": "GET /", "script": [
                {"status": 200, "delay": "20s", "fault": {"do": "reset", "at": "response_start"}},
                200]}],
            expect={"profile": "core", "attempts": 2})
        client = ["--", *CLIENT, "{url}", "--timeout", "0.1"]
        self.retrylab("run", scenario, "--inconclusive", "rerun:0", *client, code=5)
        self.retrylab("run", scenario, "--inconclusive", "fail", *client, code=1)
        self.retrylab("run", scenario, "--inconclusive", "pass", *client, code=0)
        done = self.retrylab("run", scenario, *client, code=5)
        self.assertIn("running again, 1 of 1", done.stderr)

    def test_too_few_samples_are_inconclusive_where_statistics_are_required(self):
        scenario = self.quick(expect={"backoff": {"base": "250ms", "cap": "8s", "jitter": "full"}})
        client = ["--", *CLIENT, "{url}", "--wait", "0.1"]
        self.retrylab("run", scenario, "--journal", "j.ndjson", *client)
        self.retrylab("verify", scenario, "j.ndjson")
        done = self.retrylab("verify", scenario, "j.ndjson", "--require-statistics", code=5)
        self.assertIn("? BO-4", done.stdout)
        # Running again would not help, so it does not.
        done = self.retrylab("run", scenario, "--require-statistics", *client, code=5)
        self.assertNotIn("running again", done.stderr)

    def test_a_port_in_use_is_named(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = str(taken.getsockname()[1])
            done = self.retrylab("run", self.quick(), "--port", port, "--", "true", code=4)
            self.assertIn(port, done.stderr)

    def test_an_authority_that_is_none_is_named(self):
        self.write("ours.pem", "rubbish")
        done = self.retrylab("run", self.quick(), "--tls-authority", "ours.pem", "--", "true",
                             code=2)
        self.assertIn("ours.pem", done.stderr)
        self.assertIn("no certificate", done.stderr)
        self.retrylab("run", self.quick(), "--tls-authority", "absent.pem", "--", "true", code=4)

    def test_a_client_that_cannot_be_started_is_named(self):
        done = self.retrylab("run", self.quick(), "--", "./no-such-client", code=4)
        self.assertIn("./no-such-client", done.stderr)
        self.assertIn("No such file", done.stderr)

    def test_a_client_that_never_ends_is_stopped_and_fails(self):
        report = self.report(self.quick(), "--timeout", "200ms", "--", "sh", "-c",
                             " ".join(CLIENT) + ' "$RETRYLAB_URL"; sleep 60', code=1)
        self.assertEqual(report["runs"][0]["client"]["outcome"], "hung")

    def test_a_client_that_sends_nothing_fails_traffic(self):
        report = self.report(self.quick(), "--", "true", code=1)
        statuses = {rule["id"]: rule["status"] for rule in report["rules"]}
        self.assertEqual(statuses["traffic"], "fail")

    def test_the_client_learns_the_address_in_every_promised_way(self):
        done = self.retrylab(
            "run", self.quick(), "--env", "PAY={url}/pay", "--", "sh", "-c",
            'echo "$0 $PAY $RETRYLAB_URL $RETRYLAB_RUN"; test -n "$RETRYLAB_OUTCOME"',
            "{url}", code=1)
        url, pay, variable, run = done.stdout.splitlines()[0].split()
        self.assertEqual(url, variable)
        self.assertEqual(pay, url + "/pay")
        self.assertEqual(run, "1")

    def told(self, *flags, **route):
        """What clients are told to send by a scenario with this route, a list for each client."""
        file = self.quick(routes=[{"script": [200], **route}], expect={"profile": "core"})
        names = ("METHOD", "PATH", "BODY", "KEY")
        # One at a time: the words of several clients may mix.
        done = self.retrylab("run", file, "--jobs", "1", *flags, "--", sys.executable, "-c",
                             "import os; print('told', *(os.environ.get('RETRYLAB_' + name, '-')"
                             f" for name in {names}), sep='|')", code=1)
        return [line.split("|")[1:] for line in done.stdout.splitlines() if line.startswith("told|")]

    def test_the_client_is_told_what_the_scenario_wants(self):
        self.assertEqual(self.told(on="* /{path...}", idempotency={}), [["GET", "/", "-", "-"]])
        self.assertEqual(self.told(on="POST /v1/payments/{id}"),
                         [["POST", "/v1/payments/1", '{"amount": 5}', "-"]])

    def test_a_server_that_keeps_keys_gives_each_client_one(self):
        told = self.told("--repeat", "3", "--seed", "7", on="POST /{path...}", idempotency={})
        keys = {key for *_, key in told}
        self.assertEqual(len(keys), 3, told)
        self.assertRegex(min(keys), "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")
        self.assertEqual(keys, {key for *_, key in self.told(
            "--repeat", "3", "--seed", "7", on="POST /{path...}", idempotency={})})

    def test_the_last_outcome_line_counts(self):
        script = (" ".join(CLIENT) + ' "$RETRYLAB_URL"; echo \'{"outcome":"failure"}\'; '
                  'echo \'{"outcome":"failure","status":503,"reason":"tired"}\'')
        report = self.report(self.quick(), "--", "sh", "-c", script, code=1)
        client = report["runs"][0]["client"]
        self.assertEqual((client["outcome"], client["status"], client["reason"], client["exit"]),
                         ("failure", 503, "tired", 0))

    def test_the_outcome_file_counts(self):
        script = (" ".join(CLIENT) + ' "$RETRYLAB_URL"; '
                  'echo \'{"outcome":"success"}\' > "$RETRYLAB_OUTCOME"; exit 1')
        client = self.report(self.quick(), "--", "sh", "-c", script)["runs"][0]["client"]
        self.assertEqual((client["outcome"], client["exit"], client["declared"]),
                         ("success", 1, True))

    def test_repeat_judges_fresh_runs_together(self):
        scenario = self.quick()
        report = self.report(scenario, "--repeat", "5", "--jobs", "3", "--seed", "7", "--",
                             *CLIENT, "{url}")
        self.assertEqual([run["run"] for run in report["runs"]], [1, 2, 3, 4, 5])
        self.assertEqual(len({run["seed"] for run in report["runs"]}), 5)
        self.assertEqual([operation["run"] for operation in report["operations"]],
                         [1, 2, 3, 4, 5])
        self.assertEqual(len(report["attempts"]), 10)
        again = self.report(scenario, "--repeat", "5", "--seed", "7", "--", *CLIENT, "{url}")
        self.assertEqual([run["seed"] for run in again["runs"]],
                         [run["seed"] for run in report["runs"]])

    def test_one_failure_of_many_fails(self):
        script = 'test "$RETRYLAB_RUN" != 2 || exit 3; ' + " ".join(CLIENT) + ' "$RETRYLAB_URL"'
        report = self.report(self.quick(), "--repeat", "3", "--", "sh", "-c", script, code=1)
        self.assertEqual([run["client"]["exit"] for run in report["runs"]], [0, 3, 0])

    def test_a_herd_shares_one_run_each_on_its_own_port(self):
        scenario = self.quick(routes=[{"on": "GET /", "count_by": "connection", "script": [200]}],
                              expect={"profile": "core"})
        script = 'echo "$RETRYLAB_URL"; ' + " ".join(CLIENT) + ' "$RETRYLAB_URL"'
        done = self.retrylab("run", scenario, "--herd", "4", "--json", "r.json", "--", "sh", "-c",
                             script)
        urls = {line for line in done.stdout.splitlines() if line.startswith("http://")}
        self.assertEqual(len(urls), 4)
        report = json.loads(self.read("r.json"))
        self.assertEqual(len(report["runs"]), 1)
        self.assertEqual(len(report["runs"][0]["clients"]), 4)
        self.assertEqual(len(report["attempts"]), 4)

    def test_a_report_on_stdout_is_alone_there(self):
        done = self.retrylab("run", self.quick(), "--json", "-", "--", "sh", "-c",
                             "echo hello; " + " ".join(CLIENT) + ' "$RETRYLAB_URL"')
        self.assertEqual(json.loads(done.stdout)["verdict"], "pass")
        self.assertIn("hello", done.stderr)
        self.assertIn("PASS  quick", done.stderr)

    def test_the_line_that_replays_it_does(self):
        scenario = self.quick()
        report = self.report(scenario, "--seed", "9", "--env", "A=b c", "--", "sh", "-c",
                             'exec ' + " ".join(CLIENT) + ' "$RETRYLAB_URL"')
        done = self.retrylab_shell(report["command"])
        self.assertIn("seed 9", done.stdout)
        self.assertIn("PASS  quick", done.stdout)

    def retrylab_shell(self, line):
        import subprocess
        done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, timeout=60,
                              cwd=self.folder, env=self.environment)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done
