# SPDX-License-Identifier: MIT
"""Many runs at once: nothing of one shows in another, and nothing of a deleted one is left."""
import os
import pathlib
import threading

from admin_api import Admin
from smoke import BINARY


class Isolation(Admin):
    RUNS = 200

    def scenario(self, number):
        return {"name": f"n{number}", "routes": [
            {"on": "POST /pay", "creates": "payment", "idempotency": {"required": True},
             "script": [503, 201]}]}

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def resident(self):
        with open(f"/proc/{self.process.pid}/statm") as file:
            return int(file.read().split()[1]) * 4096

    def test_two_hundred_runs_at_once_share_nothing(self):
        self.serve()
        self.new_run(self.scenario(0))
        descriptors = self.descriptors()
        runs = [self.new_run(self.scenario(number), seed=number)
                for number in range(1, self.RUNS + 1)]
        self.assertEqual(len({run["url"] for run in runs}), self.RUNS)
        threads = [threading.Thread(target=self.pay, args=(runs[part::4],)) for part in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        created = set()
        for run in runs:
            verdict = self.get(f"/runs/{run['id']}/verdict").json
            self.assertEqual(len(verdict["attempts"]), 3)
            self.assertEqual({one["key"] for one in verdict["attempts"]}, {"key"})
            self.assertEqual({one["run"] for one in verdict["attempts"]}, {int(run["id"])})
            resources = self.get(f"/runs/{run['id']}/resources").json["resources"]
            self.assertEqual(len(resources), 1)
            created.add(resources[0]["id"])
        self.assertEqual(len(created), self.RUNS)
        for run in runs:
            self.assertEqual(self.call("DELETE", "/runs/" + run["id"]).status, 204)
        self.until(lambda: self.descriptors() <= descriptors + 5, "descriptors are freed")

    def pay(self, runs):
        for run in runs:
            for expected in (503, 201, 201):
                status = self.ask(run["url"], "/pay", "POST", {"Idempotency-Key": "key"})
                if status != expected:
                    raise AssertionError(f"{run['id']}: {status}")

    def test_memory_of_deleted_runs_is_used_again(self):
        if b"__asan_init" in pathlib.Path(BINARY).read_bytes():
            self.skipTest("a sanitizer keeps freed memory for a while")
        self.serve()

        def round_of_runs():
            runs = [self.new_run(self.scenario(number)) for number in range(50)]
            for run in runs:
                self.ask(run["url"], "/pay", "POST", {"Idempotency-Key": "key"})
                self.get(f"/runs/{run['id']}/journal")
            for run in runs:
                self.call("DELETE", "/runs/" + run["id"])
        for _ in range(3):
            round_of_runs()
        before = self.resident()
        for _ in range(6):
            round_of_runs()
        self.assertLess(self.resident() - before, 5_000_000)
