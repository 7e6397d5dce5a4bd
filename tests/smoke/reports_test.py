# SPDX-License-Identifier: MIT
"""What reports look like and that a journal gives them again."""
import json
import os
import pty
import subprocess
import xml.etree.ElementTree

import jsonschema
import junitparser

from smoke import BINARY, CLIENT, HERE, Smoke


class Reports(Smoke):
    def test_a_journal_gives_the_same_bytes(self):
        scenario = self.quick()
        for arguments in (["--repeat", "3"], ["--herd", "3"], []):
            with self.subTest(arguments):
                first = self.retrylab("run", scenario, *arguments, "--json", "a.json",
                                      "--journal", "j.ndjson", "--", *CLIENT, "{url}",
                                      "--attempts", "3", code=None)
                again = self.retrylab("verify", scenario, "j.ndjson", "--json", "b.json",
                                      code=first.returncode)
                self.assertEqual(self.read("a.json"), self.read("b.json"))
                self.assertEqual(again.stdout, first.stdout)

    def test_a_journal_is_judged_by_the_profile_of_its_run_unless_another_is_named(self):
        scenario = self.quick()
        self.retrylab("run", scenario, "--profile", "core", "--journal", "j.ndjson", "--", *CLIENT,
                      "{url}", code=None)

        def profile(*arguments):
            self.retrylab("verify", scenario, "j.ndjson", *arguments, "--json", "b.json", code=None)
            return json.loads(self.read("b.json"))["profile"]

        self.assertEqual(profile(), "core")
        self.assertEqual(profile("--profile", "aws_standard_2_0"), "aws-standard-2.0")
        done = self.retrylab("verify", scenario, "j.ndjson", "--profile", "cor", code=2)
        self.assertIn("did you mean core?", done.stderr)

    def test_a_journal_of_another_scenario_or_none_at_all_is_refused(self):
        self.retrylab("run", self.quick(), "--journal", "j.ndjson", "--", *CLIENT, "{url}")
        other = self.write("other.json", {"name": "other",
                                          "routes": [{"on": "GET /", "script": [200]}]})
        done = self.retrylab("verify", other, "j.ndjson", code=2)
        self.assertIn("j.ndjson, line 1: ", done.stderr)
        self.retrylab("verify", other, "./missing.ndjson", code=4)
        self.write("empty.ndjson", "")
        self.retrylab("verify", other, "empty.ndjson", code=2)

    def test_a_cut_last_line_loses_only_that_line(self):
        scenario = self.quick()
        self.retrylab("run", scenario, "--journal", "j.ndjson", "--", *CLIENT, "{url}")
        whole = self.read("j.ndjson")
        self.write("cut.ndjson", whole[:-20])
        done = self.retrylab("verify", scenario, "cut.ndjson", "--json", "c.json", code=None)
        self.assertEqual(len(json.loads(self.read("c.json"))["attempts"]), 2)
        self.assertIn("cut.ndjson: ", done.stderr)

    def test_a_journal_of_every_earlier_format_is_read(self):
        """journals/FORMAT holds a scenario, a journal as that format had it, and its verdict."""
        folders = sorted((HERE / "journals").iterdir())
        self.assertLessEqual({"1.0", "1.1"}, {folder.name for folder in folders})
        for folder in folders:
            with self.subTest(folder.name):
                journal = folder / "journal.ndjson"
                self.assertEqual(json.loads(journal.read_text().splitlines()[0])["format"],
                                 folder.name)
                self.retrylab("verify", str(folder / "scenario.json"), str(journal), "--json",
                              "r.json", code=1)
                told = json.loads(self.read("r.json"))
                self.assertEqual({rule["id"] for rule in told["rules"]
                                  if rule["status"] == "fail"}, {"RA-1", "AT-1", "attempts"})
                self.assertEqual(len(told["attempts"]), 3)
                self.assertEqual(told["seed"], 7)

    def test_every_report_says_how_it_came_about(self):
        """Version, profile, seed, scenario hash, host lag, and the command that replays it."""
        self.retrylab("run", self.quick(), "--seed", "42", "--json", "r.json", "--junit", "r.xml",
                      "--html", "r.html", "--github", "--", *CLIENT, "{url}/elsewhere", code=1,
                      environment={"GITHUB_STEP_SUMMARY": self.path("summary.md")})
        told = json.loads(self.read("r.json"))
        version = self.retrylab("--version").stdout.split()[1]
        for name in ("r.json", "r.xml", "r.html", "summary.md"):
            text = self.read(name)
            for fact in (version, "core", "42", told["scenario"]["hash"], "lag", "--seed"):
                self.assertIn(fact, text, name)

    def test_the_json_report_is_what_its_schema_says(self):
        schema = json.loads(self.retrylab("schema", "--report").stdout)
        jsonschema.Draft7Validator.check_schema(schema)
        for arguments in (["--repeat", "2"], ["--herd", "2"]):
            self.retrylab("run", self.quick(), *arguments, "--json", "r.json", "--", *CLIENT,
                          "{url}/elsewhere", code=1)
            jsonschema.validate(json.loads(self.read("r.json")), schema)

    def test_a_report_that_cannot_be_written_is_named(self):
        for flag in ("--json", "--journal"):
            done = self.retrylab("run", self.quick(), flag, "no/such/folder/x", "--", *CLIENT,
                                 "{url}", code=4)
            self.assertIn("no/such/folder/x", done.stderr)

    def test_several_reports_at_once(self):
        self.retrylab("run", self.quick(), "--json", "r.json", "--junit", "r.xml", "--html",
                      "r.html", "--github", "--", *CLIENT, "{url}/elsewhere", code=1,
                      environment={"GITHUB_STEP_SUMMARY": self.path("summary.md")})
        suite = xml.etree.ElementTree.parse(self.path("r.xml")).getroot().find("testsuite")
        rules = json.loads(self.read("r.json"))["rules"]
        failed = [rule["id"] for rule in rules if rule["status"] == "fail"]
        self.assertEqual([failure.get("type") for failure in suite.iter("failure")], failed)
        self.assertEqual(int(suite.get("failures")), len(failed))
        self.assertEqual(len(suite.findall("testcase")), int(suite.get("tests")))
        self.assertIn("<!doctype html>", self.read("r.html"))
        self.assertIn("quick: fail", self.read("summary.md"))

    def test_junit_has_an_error_for_what_could_not_be_judged(self):
        self.retrylab("run", self.quick(), "--junit", "r.xml", "--", "./no-such-client", code=4)
        suite = xml.etree.ElementTree.parse(self.path("r.xml")).getroot().find("testsuite")
        self.assertIn("./no-such-client", next(suite.iter("error")).get("message"))

    def test_junit_means_the_same_to_a_program_that_reads_it(self):
        """junitparser, which CI tools use: failure, skipped with its reason, error, and counts."""
        late = self.quick(routes=[{"on": "GET /", "script": [
            {"status": 200, "delay": "20s", "fault": {"do": "reset", "at": "response_start"}},
            200]}])
        client = ["--", *CLIENT, "{url}", "--timeout", "0.1"]
        self.retrylab("run", late, "--inconclusive", "rerun:0", "--junit", "late.xml", *client,
                      code=5)
        self.retrylab("run", self.quick(), "--junit", "bad.xml", "--", *CLIENT, "{url}/elsewhere",
                      code=1)
        self.retrylab("run", self.quick(), "--junit", "none.xml", "--", "./no-such-client", code=4)
        kinds = {}
        for name in ("late", "bad", "none"):
            xml = junitparser.JUnitXml.fromfile(self.path(name + ".xml"))
            for suite in xml:
                counted = (suite.tests, suite.failures, suite.errors, suite.skipped)
                suite.update_statistics()
                self.assertEqual((suite.tests, suite.failures, suite.errors, suite.skipped),
                                 counted)
                for case in suite:
                    for result in case.result:
                        self.assertTrue(result.message)
                        kinds.setdefault(name, set()).add(type(result))
        self.assertEqual(kinds, {"late": {junitparser.Skipped}, "bad": {junitparser.Failure},
                                 "none": {junitparser.Error}})

    def on_a_terminal(self, **environment):
        ours, theirs = pty.openpty()
        process = subprocess.Popen(
            [BINARY, "run", self.quick(), "--", *CLIENT, "{url}"], stdout=theirs,
            stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, cwd=self.folder,
            env={**self.environment, "TERM": "xterm", **environment})
        os.close(theirs)
        text = b""
        try:
            while chunk := os.read(ours, 65536):
                text += chunk
        except OSError:
            pass
        os.close(ours)
        process.wait()
        return text.decode()

    def test_colour_is_for_terminals_that_want_it(self):
        self.assertIn("\x1b[32m", self.on_a_terminal())
        self.assertNotIn("\x1b", self.on_a_terminal(NO_COLOR="1"))
        self.assertNotIn("\x1b", self.on_a_terminal(TERM="dumb"))
        self.assertNotIn("\x1b", self.retrylab("run", self.quick(), "--", *CLIENT, "{url}").stdout)

    def test_the_text_fits_the_terminal(self):
        text = self.retrylab("run", self.quick(), "--", *CLIENT, "{url}",
                             environment={"COLUMNS": "40"}).stdout
        for line in text.splitlines():
            if not line.startswith("again: "):
                self.assertLessEqual(len(line), 40, line)
