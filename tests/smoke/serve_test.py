# SPDX-License-Identifier: MIT
"""retrylab serve: the ready line, several scenarios, and the end."""
import json
import signal
import subprocess
import time
import urllib.request

from smoke import CLIENT, Smoke


class Serve(Smoke):
    def serve(self, *arguments):
        process = self.start("serve", *arguments)
        return process, json.loads(process.stdout.readline())

    def stop(self, process, code=0, by=signal.SIGTERM):
        process.send_signal(by)
        out, err = process.communicate(timeout=30)
        self.assertEqual(process.returncode, code, out + err)
        return out, err

    def get(self, url):
        with urllib.request.urlopen(url, timeout=10) as answer:
            return answer.status

    def test_the_ready_line_says_where_and_the_verdict_comes_at_the_end(self):
        process, ready = self.serve(self.quick())
        self.assertEqual(ready["event"], "ready")
        self.assertEqual(ready["pid"], process.pid)
        self.assertEqual(ready["runs"], [{"id": "1", "name": "quick", "url": ready["url"]}])
        subprocess.run([*CLIENT, ready["url"]], check=True)
        out, err = self.stop(process)
        self.assertEqual(out, "")
        self.assertIn("PASS  quick", err)

    def test_the_ready_file_holds_the_same_line(self):
        _, ready = self.serve(self.quick(), "--ready-file", "ready.json")
        deadline = time.monotonic() + 10
        while not (self.folder / "ready.json").exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        self.assertEqual(json.loads(self.read("ready.json")), ready)

    def test_each_scenario_has_its_port_and_its_counters(self):
        self.quick()
        self.write("other.json", {"name": "other", "routes": [{"on": "GET /", "script": [200]}],
                                  "expect": {"profile": "core"}})
        process, ready = self.serve("./other.json", "./quick.json")
        names = [run["name"] for run in ready["runs"]]
        self.assertEqual(names, ["other", "quick"])
        self.assertEqual(ready["url"], ready["runs"][0]["url"])
        self.assertEqual(self.get(ready["url"]), 200)
        subprocess.run([*CLIENT, ready["runs"][1]["url"]], check=True)
        _, err = self.stop(process)
        self.assertIn("PASS  other", err)
        self.assertIn("PASS  quick", err)

    def test_judge_exits_with_the_verdicts_code(self):
        for flags, code in ([], 0), (["--judge"], 1):
            process, _ = self.serve(self.quick(), *flags)
            _, err = self.stop(process, code=code, by=signal.SIGINT)
            self.assertIn("traffic", err)

    def test_reports_and_journal_are_written_at_the_end(self):
        scenario = self.quick()
        process, ready = self.serve(scenario, "--json", "r.json", "--journal", "j.ndjson")
        subprocess.run([*CLIENT, ready["url"]], check=True)
        self.stop(process)
        self.retrylab("verify", scenario, "j.ndjson", "--json", "v.json")
        self.assertEqual(self.read("r.json"), self.read("v.json"))

    def test_a_port_in_use_is_named(self):
        scenario = self.quick()
        _, ready = self.serve(scenario)
        port = ready["url"].rsplit(":", 1)[1]
        done = self.retrylab("serve", scenario, "--port", port, code=4)
        self.assertIn(port, done.stderr)

    def test_the_same_port_can_be_had_again_at_once(self):
        scenario = self.quick()
        process, ready = self.serve(scenario)
        port = ready["url"].rsplit(":", 1)[1]
        subprocess.run([*CLIENT, ready["url"]], check=True)
        self.stop(process)
        process, _ = self.serve(scenario, "--port", port)
        self.stop(process)
