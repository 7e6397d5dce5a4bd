# SPDX-License-Identifier: MIT
"""retrylab serve --watch: a changed file is for the next run, a broken one for none."""
import json
import os
import signal
import subprocess
import time
import urllib.request

from smoke import CLIENT, QUICK, Smoke

# The client's order of codes tells the scenarios apart.
OTHER = {"name": "other", "routes": [{"on": "GET /", "script": [204]}],
         "expect": {"profile": "core"}}


class Watch(Smoke):
    def serve(self, *arguments):
        process = self.start("serve", *arguments, "--watch")
        return process, json.loads(process.stdout.readline())

    def stop(self, process):
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 0, err)
        return out, err

    def status(self, url):
        with urllib.request.urlopen(url, timeout=30) as answer:
            return answer.status

    def test_a_saved_file_is_served_on_the_same_port(self):
        scenario = self.quick()
        process, ready = self.serve(scenario)
        subprocess.run([*CLIENT, ready["url"]], check=True)
        self.write("quick.json", OTHER)
        reloaded = json.loads(process.stdout.readline())
        self.assertEqual(reloaded, {"event": "reloaded", "id": "2", "name": "other", "url": ready["url"]})
        self.assertEqual(self.status(ready["url"]), 204)
        _, err = self.stop(process)
        self.assertIn("PASS  quick", err)  # the run that was replaced was judged
        self.assertIn("PASS  other", err)

    def test_a_file_that_is_renamed_over_the_old_one_counts(self):
        process, ready = self.serve(self.quick())
        os.replace(self.write("new.json", OTHER), self.path("quick.json"))
        self.assertEqual(json.loads(process.stdout.readline())["name"], "other")
        self.assertEqual(self.status(ready["url"]), 204)
        self.stop(process)

    def test_a_broken_file_keeps_the_old_one_and_says_where(self):
        process, ready = self.serve(self.quick())
        self.write("quick.json", '{\n  "name": "broken",\n  "rotes": []\n}')
        problems = []
        while "stays as it was" not in (problems or [""])[-1]:
            problems.append(process.stderr.readline())
            self.assertTrue(problems[-1])
        self.assertIn("quick.json:3:3", "".join(problems))
        subprocess.run([*CLIENT, ready["url"]], check=True)  # 503, then 200
        # And it gets well again.
        self.write("quick.json", OTHER)
        self.assertEqual(json.loads(process.stdout.readline())["name"], "other")
        _, err = self.stop(process)
        self.assertIn("PASS  quick", err)

    def test_an_attempt_under_way_is_let_finish(self):
        slow = {**QUICK, "routes": [{"on": "GET /", "script": [{"status": 200, "delay": "2s"}]}]}
        slow["expect"] = {"profile": "core"}
        process, ready = self.serve(self.write("quick.json", slow), "--journal", "j.ndjson")
        client = subprocess.Popen(["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}",
                                   ready["url"]], stdout=subprocess.PIPE, text=True)
        self.addCleanup(self.end, client)
        deadline = time.monotonic() + 30
        while '"begun"' not in self.read("j.ndjson"):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)
        self.write("quick.json", OTHER)
        self.assertEqual(json.loads(process.stdout.readline())["name"], "other")
        self.assertEqual(client.communicate(timeout=30)[0], "200")
        self.assertEqual(self.status(ready["url"]), 204)
        self.stop(process)

    def test_a_port_and_several_files(self):
        first, second = self.quick(), self.write("second.json", {**QUICK, "name": "second"})
        process, ready = self.serve(first, second, "two-503-then-success")
        self.write("second.json", OTHER)
        reloaded = json.loads(process.stdout.readline())
        self.assertEqual(reloaded["url"], ready["runs"][1]["url"])
        self.stop(process)

    def test_without_a_file_there_is_nothing_to_watch(self):
        done = self.retrylab("serve", "two-503-then-success", "--watch", code=2)
        self.assertIn("--watch", done.stderr)

    def test_a_pipe_cannot_be_watched(self):
        os.mkfifo(self.path("pipe.json"))
        done = self.retrylab("serve", self.path("pipe.json"), "--watch", code=2)
        self.assertIn("pipe.json is no regular file", done.stderr)
