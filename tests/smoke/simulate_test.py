# SPDX-License-Identifier: MIT
"""simulate: herds in virtual time, their reports, and what is refused."""
import csv
import io
import json

from smoke import Smoke

OUTAGE = {
    "name": "out-for-two-seconds",
    "routes": [{"on": "GET /", "script": [200]}],
    "outages": [{"from": "0s", "until": "2s", "answer": 503}],
}


class Simulate(Smoke):
    def outage(self):
        return self.write("outage.json", OUTAGE)

    def simulate(self, *arguments, **options):
        return self.retrylab("simulate", self.outage(), "--seed", "1", *arguments, **options)

    def report(self, *arguments):
        self.simulate("--json", "herd.json", *arguments)
        return json.loads(self.read("herd.json"))

    def test_policies_stand_side_by_side(self):
        text = self.simulate("--clients", "50", "--policy", "careful", "--policy",
                             "careful,jitter=none,base=1s").stdout
        self.assertRegex(text, r"careful +careful,jitter=none,base=1s\n")
        for metric in ("operations", "amplification", "goodput", "completion p99",
                       "peak retries per 100 ms", "drained after recovery", "longest silence"):
            self.assertIn(f"\n  {metric} ", text)
        self.assertIn("--seed 1", text)

    def test_the_same_seed_gives_the_same_report(self):
        arguments = ("--clients", "30", "--network", "normal:10ms,2ms", "--loss", "1%")
        self.assertEqual(self.simulate(*arguments).stdout, self.simulate(*arguments).stdout)

    def test_json_has_every_run_its_median_and_the_interval(self):
        report = self.report("--clients", "20", "--seeds", "11")
        metrics = report["points"][0]["policies"][0]["metrics"]
        attempts = metrics["attempts"]
        self.assertEqual(len(attempts["runs"]), 11)
        self.assertEqual(attempts["median"], sorted(attempts["runs"])[5])
        self.assertLessEqual(attempts["low"], attempts["median"])
        self.assertLessEqual(attempts["median"], attempts["high"])
        self.assertEqual(report["points"][0]["policies"][0]["policy"]["attempts"], 5)

    def test_arrivals_over_time_add_up(self):
        policy = self.report("--clients", "40")["points"][0]["policies"][0]
        self.assertEqual(sum(policy["per_100ms"]["arrivals"]),
                         policy["metrics"]["attempts"]["median"])

    def test_a_sweep_has_a_line_per_value_policy_and_seed(self):
        done = self.simulate("--sweep", "clients=10..40", "--policy", "careful", "--policy", "grpc",
                             "--seeds", "3", "--csv", "-")
        rows = list(csv.DictReader(io.StringIO(done.stdout)))
        self.assertEqual(len(rows), 3 * 2 * 3)
        self.assertEqual([row["clients"] for row in rows[::6]], ["10", "20", "40"])
        self.assertEqual({row["policy"] for row in rows}, {"careful", "grpc"})
        for row in rows:
            self.assertEqual(row["operations"], row["clients"])
        self.assertIn("completion p99", done.stderr)

    def test_a_rate_is_an_open_loop(self):
        report = self.report("--clients", "10", "--rate", "100", "--for", "10s")
        operations = report["points"][0]["policies"][0]["metrics"]["operations"]["median"]
        self.assertGreater(operations, 800)
        self.assertLess(operations, 1200)

    def test_html_has_the_charts_and_needs_no_network(self):
        self.simulate("--clients", "20", "--policy", "careful", "--policy", "careful,jitter=none",
                      "--html", "herd.html")
        page = self.read("herd.html")
        self.assertEqual(page.count("<svg "), 8)
        self.assertNotIn("http", page)
        self.assertNotIn("<script", page)

    def test_a_policy_may_be_a_file(self):
        self.write("policy.json", {"preset": "careful", "attempts": 2})
        report = self.report("--clients", "5", "--policy", "policy.json")
        self.assertEqual(report["points"][0]["policies"][0]["metrics"]["attempts"]["median"], 10)

    def test_what_cannot_end_is_stopped_and_says_so(self):
        endless = self.write("dead.json", {"name": "dead",
                                           "routes": [{"on": "GET /", "script": [503]}]})
        policy = "attempts=4000000000,deadline=none,base=1s,cap=1s,jitter=none"
        text = self.retrylab("simulate", endless, "--clients", "1", "--policy", policy,
                             "--time-max", "10m").stdout
        self.assertIn("stopped at the limit of time with 1 operations unfinished", text)
        text = self.retrylab("simulate", endless, "--clients", "1", "--policy", policy,
                             "--events-max", "1000").stdout
        self.assertIn("stopped at the limit of events", text)

    def test_impossible_parameters_are_refused_with_the_reason(self):
        cases = [
            (["--clients", "0"], "--clients"),
            (["--policy", "carefull"], "neither a preset"),
            (["--policy", "careful,attemps=3"], "attemps"),
            (["--policy", "careful,jitter=some"], "jitter"),
            (["--network", "often:3ms"], "--network"),
            (["--network", "normal:3ms"], "deviation"),
            (["--loss", "100%"], "--loss"),
            (["--rate", "10"], "--for"),
            (["--sweep", "clients=10..5"], "--sweep"),
            (["--sweep", "weather=1..5"], "weather"),
            (["--loss", "1%", "--policy", "attempt_timeout=none,deadline=none"], "--loss"),
            (["--seeds", "0"], "--seeds"),
            (["--sweep", "clients=1..1000000000"], "at most 10,000,000"),
        ]
        for arguments, expected in cases:
            with self.subTest(arguments):
                done = self.simulate(*arguments, code=2)
                self.assertIn(expected, done.stderr)
                self.assertEqual(done.stdout, "")
