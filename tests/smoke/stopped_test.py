# SPDX-License-Identifier: MIT
"""The server process is stopped for two seconds in the middle of a run (SIGSTOP, SIGCONT). That
blames no right client, and no wrong one gets through by it."""
import concurrent.futures
import json
import pathlib

from smoke import BINARY, CLIENT, Smoke

REFERENCE = str(pathlib.Path(BINARY).with_name("retrylab-client"))
STOPPED_FOR = 2.0
MOMENTS = (0.1, 0.4, 0.8, 1.2, 1.6, 2.0)  # before, within and after the first waits

PAYMENT = {
    "name": "payment",
    "routes": [{"on": "POST /v1/payments", "creates": "payment", "idempotency": {},
                "script": [{"status": 503, "retry_after": "1s"}, {"status": 503, "delay": "400ms"},
                           {"status": 201, "fault": {"do": "reset", "at": "response_start"}},
                           201]}],
    "expect": {"profile": "careful", "created": {"payment": 1}, "total_time": {"max": "20s"},
               "backoff": {"base": "250ms", "cap": "8s", "jitter": "full"}},
}
POLITE = {
    "name": "polite",
    "routes": [{"on": "GET /", "script": [{"status": 503, "retry_after": "3s"}, 200]}],
    "expect": {"profile": "careful"},
}


# The client's parent is the server: it is stopped so long after the client has started.
SCRIPT = f"""
(sleep "$1"; kill -STOP $PPID; sleep {STOPPED_FOR}; kill -CONT $PPID) >/dev/null 2>&1 &
shift
exec "$@"
"""


class Stopped(Smoke):
    def judged(self, scenario, client, moment):
        """The exit code, the ids of the rules that failed, and whether it was stopped in time."""
        report = self.path(f"{scenario['name']}-{moment}.json")
        path = self.write(f"{scenario['name']}-{moment}.scenario.json", scenario)
        process = self.start("run", path, "--inconclusive", "rerun:0", "--json", report, "--",
                             "sh", "-c", SCRIPT, "sh", str(moment), *client)
        out, err = process.communicate(timeout=60)
        told = json.loads(pathlib.Path(report).read_text())
        failed = [rule["id"] for rule in told["rules"] if rule["status"] == "fail"]
        return process.returncode, failed, told["host"]["lag_ms_max"] > 1000, out + err

    def judged_at_all_moments(self, scenario, client, moments=MOMENTS):
        with concurrent.futures.ThreadPoolExecutor(len(moments)) as pool:
            all = list(pool.map(lambda moment: self.judged(scenario, client, moment), moments))
        self.assertGreaterEqual(sum(is_stopped for _, _, is_stopped, _ in all), len(moments) // 2)
        return all

    def test_no_right_client_is_blamed(self):
        clients = [
            [REFERENCE, "POST", "{url}/v1/payments", "--json", "{}", "--key", "auto"],
            # Gives attempts up while the server is stopped.
            [REFERENCE, "POST", "{url}/v1/payments", "--json", "{}", "--key", "auto",
             "--attempt-timeout", "1s", "--deadline", "20s"],
        ]
        for client in clients:
            for code, failed, _, text in self.judged_at_all_moments(PAYMENT, client):
                self.assertEqual(failed, [], text)
                self.assertIn(code, (0, 5), text)

    def test_no_right_client_is_blamed_that_gave_up_before_it_was_served(self):
        """It has gone when the server process goes on and answers 200."""
        simple = {"name": "simple", "routes": [{"on": "GET /", "script": [503, 200]}],
                  "expect": {"profile": "careful", "attempts": {"max": 5}}}
        client = [REFERENCE, "GET", "{url}", "--attempt-timeout", "700ms"]
        for code, failed, _, text in self.judged_at_all_moments(simple, client, (0, 0.001, 0.01)):
            self.assertEqual(failed, [], text)
            self.assertIn(code, (0, 5), text)

    def test_no_wrong_client_is_passed(self):
        hasty = [*CLIENT, "{url}", "--wait", "1.5", "--timeout", "30"]
        for code, _, _, text in self.judged_at_all_moments(POLITE, hasty):
            self.assertIn(code, (1, 5), text)
