# SPDX-License-Identifier: MIT
"""simulate against what a server can be: capacity, rate limits, outages, services in between; and
what sweeps and seeds say."""
import csv
import io
import json
import os
import pty
import statistics
import subprocess

from smoke import BINARY, ROOT, Smoke

AT_ONCE = "attempts=4,base=0ms,cap=0ms,deadline=none"


def scenario(route=None, **more):
    return {"name": "server", "routes": [{"on": "GET /", "script": [200], **(route or {})}], **more}


class Numbers(Smoke):
    def simulate(self, what, *arguments, **options):
        return self.retrylab("simulate", self.write("server.json", what), "--seed", "1",
                             *arguments, **options)

    def metrics(self, what, *arguments):
        """Of the only policy: each metric's median."""
        self.simulate(what, "--json", "herd.json", *arguments)
        policy = json.loads(self.read("herd.json"))["points"][0]["policies"][0]
        return {name: metric and metric["median"] for name, metric in policy["metrics"].items()}

    def test_capacity_makes_attempts_wait_for_one_another(self):
        capacity = {"concurrent": 1, "queue": 1000, "service_time": "10ms"}
        crowd = ("--clients", "100", "--network", "0ms", "--policy", AT_ONCE)
        free = self.metrics(scenario(), *crowd)
        self.assertEqual(free["end_ms"], 0)
        one = self.metrics(scenario({"capacity": capacity}), *crowd)
        self.assertEqual((one["end_ms"], one["completion_p50_ms"], one["completion_p99_ms"]),
                         (1000, 500, 990))
        four = self.metrics(scenario({"capacity": {**capacity, "concurrent": 4}}), *crowd)
        self.assertEqual(four["end_ms"], 250)

    def test_what_does_not_fit_is_shed_and_comes_again(self):
        capacity = {"concurrent": 10, "queue": 10, "service_time": "1s",
                    "shed": {"status": 503, "retry_after": "1s"}}
        told = self.metrics(scenario({"capacity": capacity}), "--clients", "100", "--network",
                            "0ms", "--policy", "attempts=20,base=1s,cap=1s,jitter=none,deadline=none,"
                            "retry_after_spread=0s")
        self.assertEqual(told["success"], 1)
        # 20 of 100 are taken at once; then each second ten places, until all were served.
        self.assertEqual(told["end_ms"], 10_000)
        self.assertEqual(told["attempts"], 100 + 80 + 70 + 60 + 50 + 40 + 30 + 20 + 10)

    def test_a_rate_limit_lets_so_many_through_and_no_more(self):
        def limited(requests, kind):
            return scenario({"rate_limit": {"kind": kind, "requests": requests, "per": "1s"}})
        once = ("--clients", "100", "--network", "0ms", "--policy", "attempts=1")
        for kind in ("fixed_window", "token_bucket"):
            for requests in (10, 40):
                with self.subTest(kind, requests=requests):
                    got = self.metrics(limited(requests, kind), *once)
                    self.assertEqual(got["success"], requests / 100)
        steady = self.metrics(limited(50, "fixed_window"), "--clients", "10", "--rate", "100",
                              "--for", "20s", "--even", "--policy", "attempts=1")
        self.assertEqual((steady["operations"], steady["success"]), (2000, 0.5))

    def test_each_kind_of_outage_shows_in_the_numbers(self):
        kinds = {
            "answer": ({"answer": 503}, 0.75),
            "refuse": ({"do": "refuse"}, 0.75),
            "hang": ({"do": "hang"}, 0.75),
            "accept and hang": ({"do": "accept_and_hang"}, 0.75),
        }
        for name, (what, success) in kinds.items():
            with self.subTest(name):
                out = scenario(outages=[{"from": "5s", "until": "10s", **what}])
                got = self.metrics(out, "--clients", "10", "--rate", "10", "--for", "20s", "--even",
                                   "--policy", "attempts=1,attempt_timeout=1s")
                self.assertEqual((got["operations"], got["success"]), (200, success))
                self.assertIsNotNone(got["drain_ms"])
        whole = self.metrics(scenario(), "--clients", "10", "--policy", "attempts=1")
        self.assertIsNone(whole["drain_ms"])

    def test_an_outage_is_over_sooner_for_those_who_wait_less(self):
        out = scenario(outages=[{"from": "0s", "until": "5s", "answer": 503}])
        patient = "attempts=9,base={0},cap={0},jitter=none,deadline=none"
        ends = [self.metrics(out, "--network", "0ms", "--policy", patient.format(wait))["end_ms"]
                for wait in ("1s", "2s", "3s")]
        self.assertEqual(ends, [5000, 6000, 6000])

    def test_layers_multiply_and_a_budget_ends_that(self):
        dead = scenario({"script": [503]})
        layers = "+".join([AT_ONCE] * 3)
        got = self.metrics(dead, "--clients", "10", "--policy", layers)
        self.assertEqual((got["attempts_layer_1"], got["attempts_layer_2"], got["attempts_layer_3"],
                          got["attempts"], got["amplification"]), (40, 160, 640, 640, 64))
        four = self.metrics(dead, "--clients", "1", "--policy", "+".join([AT_ONCE] * 4))
        self.assertEqual(four["attempts"], 256)
        alone = self.metrics(dead, "--clients", "1", "--policy", AT_ONCE)
        self.assertEqual(alone["attempts"], 4)
        self.assertNotIn("attempts_layer_1", alone)
        # One budget, in the service in the middle: its retries are a tenth of its calls.
        tenth = (AT_ONCE + ',budget={"kind":"tokens","capacity":5,"retry_cost":1,"timeout_cost":1,'
                           '"throttle_cost":1,"first_try_gain":0.1,"success_gain":0}')
        bounded = self.metrics(dead, "--clients", "1000", "--policy",
                               f"{AT_ONCE}+{tenth}+{AT_ONCE}")
        self.assertEqual(bounded["attempts_layer_1"], 4000)
        self.assertLess(bounded["attempts_layer_2"], 4500)
        self.assertEqual(bounded["attempts"], 4 * bounded["attempts_layer_2"])

    def test_every_study_is_a_scenario_and_runs(self):
        studies = sorted((ROOT / "scenarios/studies").glob("*.json"))
        self.assertGreater(len(studies), 5)
        for study in studies:
            with self.subTest(study.name):
                self.retrylab("check", str(study))
                done = self.retrylab("simulate", str(study), "--clients", "20", "--seed", "1")
                self.assertTrue(done.stdout.startswith(study.stem + ":"), done.stdout)

    def test_a_layer_that_is_out_of_time_ends_what_is_below(self):
        slow = scenario({"script": [{"status": 503, "delay": "10s"}]})
        impatient = "attempts=2,base=0ms,cap=0ms,attempt_timeout=1s"
        got = self.metrics(slow, "--clients", "1", "--network", "0ms", "--policy",
                           f"{impatient}+{AT_ONCE},attempt_timeout=30s")
        self.assertEqual((got["attempts_layer_1"], got["attempts"], got["end_ms"]), (2, 2, 2000))

    def test_layers_that_make_no_sense_are_refused(self):
        for policy, expected in ((f"{AT_ONCE}+", "neither a preset"),
                                 ("+".join([AT_ONCE] * 6), "layers"),
                                 ("careful+carefull", "carefull")):
            with self.subTest(policy):
                done = self.simulate(scenario(), "--policy", policy, code=2)
                self.assertIn(expected, done.stderr)

    def test_a_sweep_doubles_and_ends_where_it_was_told_to(self):
        done = self.simulate(scenario(), "--sweep", "clients=10..1000", "--csv", "-")
        rows = list(csv.DictReader(io.StringIO(done.stdout)))
        self.assertEqual([int(row["clients"]) for row in rows],
                         [10, 20, 40, 80, 160, 320, 640, 1000])
        self.assertTrue(all(row["operations"] == row["clients"] for row in rows))

    def test_200_seeds_give_the_median_and_its_interval(self):
        flaky = scenario({"script": [{"status": 503, "chance": 0.5, "else": 200}]})
        self.simulate(flaky, "--clients", "50", "--seeds", "200", "--policy", AT_ONCE, "--json",
                      "herd.json")
        policy = json.loads(self.read("herd.json"))["points"][0]["policies"][0]
        metric = policy["metrics"]["attempts"]
        runs = sorted(metric["runs"])
        self.assertEqual(len(runs), 200)
        self.assertEqual(metric["median"], statistics.median(runs))
        # The ranks 86 and 115: at least 95 % of Binomial(200, 1/2) lies between.
        self.assertEqual((metric["low"], metric["high"]), (runs[85], runs[114]))
        # 50 (1 - p^4) / (1 - p) = 93.75 attempts are expected.
        self.assertLess(abs(statistics.mean(runs) - 93.75), 4 * statistics.stdev(runs) / 200 ** 0.5)

    def test_progress_is_shown_on_a_terminal_alone(self):
        arguments = ("--clients", "5", "--seeds", "3", "--seed", "1")
        path = self.write("server.json", scenario())
        self.assertEqual(self.retrylab("simulate", path, *arguments).stderr, "")
        ours, theirs = pty.openpty()
        with os.fdopen(ours, "rb", buffering=0) as terminal:
            process = subprocess.Popen([BINARY, "simulate", path, *arguments], cwd=self.folder,
                                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                       stderr=theirs, env=self.environment)
            os.close(theirs)
            shown = b""
            while True:
                try:
                    part = terminal.read(4096)
                except OSError:  # nobody has it open any more
                    break
                if not part:
                    break
                shown += part
            self.assertEqual(process.wait(timeout=60), 0)
        text = shown.decode()
        self.assertIn("] 3 of 3 runs", text)
        self.assertTrue(text.endswith("\r\033[K"), text)  # and wiped out at the end
