# SPDX-License-Identifier: MIT
"""scripts/action, the work of the GitHub Action, without GitHub."""
import os
import pathlib
import subprocess
import unittest

from smoke import BINARY, ROOT, Smoke

ACTION = str(ROOT / "scripts" / "action")
GOOD = "exec python3 -c 'import sys, time, urllib.request as u, urllib.error as e\n" \
    "for _ in range(2):\n" \
    "    try: u.urlopen(sys.argv[1]).read(); sys.exit(0)\n" \
    "    except e.HTTPError: time.sleep(0.05)\n" \
    "sys.exit(1)' {url}/"


class Action(Smoke):
    def act(self, what, code=0, **inputs):
        environment = {**self.environment, "PATH": f"{pathlib.Path(BINARY).parent}:{os.environ['PATH']}",
                       "GITHUB_PATH": self.path("path"), "GITHUB_STEP_SUMMARY": self.path("summary"),
                       "RETRYLAB_REPORTS": self.path("reports"), **inputs}
        done = subprocess.run([ACTION, what], cwd=self.folder, env=environment, text=True,
                              capture_output=True, timeout=100, stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def test_a_retrylab_that_is_there_is_not_built_again(self):
        self.act("install")
        self.assertFalse((self.folder / "path").exists())

    def test_each_scenario_is_judged_and_reported(self):
        one = self.quick()
        two = self.write("two.json", self.read("quick.json").replace('"quick"', '"two"'))
        self.act("judge", RETRYLAB_SCENARIOS=f"\n  {one}\n{two}\n", RETRYLAB_CLIENT_COMMAND=GOOD,
                 RETRYLAB_FLAGS="--seed 7 --inconclusive rerun:9")
        self.assertEqual(sorted(os.listdir(self.path("reports"))),
                         ["quick.html", "quick.xml", "two.html", "two.xml"])
        self.assertIn("two", self.read("summary"))

    def test_a_broken_rule_fails_the_step_after_all_were_judged(self):
        one = self.quick(expect={"profile": "core", "attempts": 3})
        two = self.write("two.json", self.read("quick.json"))
        self.act("judge", code=1, RETRYLAB_SCENARIOS=f"{one}\n{two}", RETRYLAB_CLIENT_COMMAND=GOOD)
        self.assertTrue((self.folder / "reports" / "two.xml").exists())

    def test_a_scenario_that_is_not_there_fails_the_step(self):
        self.act("judge", code=4, RETRYLAB_SCENARIOS="nowhere.json", RETRYLAB_CLIENT_COMMAND=GOOD)

    def test_its_inputs_are_those_that_the_script_reads(self):
        text = (ROOT / "action.yml").read_text()
        script = pathlib.Path(ACTION).read_text()
        for line in text.splitlines():
            if ": ${{ inputs." in line:
                self.assertIn(line.strip().split(":")[0], script)


if __name__ == "__main__":
    unittest.main()
