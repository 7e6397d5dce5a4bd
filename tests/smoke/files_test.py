# SPDX-License-Identifier: MIT
"""Scenario files and the catalogue: check, list, show, init, schema."""
import json
import os
import re

import jsonschema

from smoke import CLIENT, ROOT, Smoke

REFERENCE = os.environ["RETRYLAB_CLIENT"]


class Files(Smoke):
    def test_all_mistakes_of_a_file_come_with_their_place(self):
        path = self.write("bad.json", '{\n  "name": "x",\n  "rutes": [],\n'
                          '  "routes": [ { "on": "GET /", "script": [ {"status": "a"} ] } ]\n}\n')
        done = self.retrylab("check", path, code=3)
        self.assertIn(f"{path}:3:3: ", done.stderr)
        self.assertIn("routes", done.stderr)
        self.assertRegex(done.stderr, r"bad\.json:4:\d+: ")
        self.retrylab("run", path, "--", "true", code=3)
        self.retrylab("serve", path, code=3)

    def test_check_goes_on_after_a_bad_file(self):
        bad = self.write("bad.json", "{")
        done = self.retrylab("check", bad, self.quick(), code=3)
        self.assertIn("quick.json: ok", done.stdout)

    def test_an_unreadable_file_is_named(self):
        for name in ("./missing.json", str(self.folder)):
            done = self.retrylab("check", name, code=4)
            self.assertIn(name, done.stderr)

    def test_the_catalogue_is_valid_by_decoder_and_schema(self):
        schema = json.loads(self.retrylab("schema").stdout)
        jsonschema.Draft7Validator.check_schema(schema)
        validator = jsonschema.Draft7Validator(schema)
        files = sorted((ROOT / "scenarios").rglob("*.json"))
        self.assertGreaterEqual(len(files), 20)
        for file in files:
            with self.subTest(file.name):
                validator.validate(json.loads(file.read_text()))
        self.retrylab("check", *map(str, files))

    def test_the_catalogue_is_listed_and_shown_as_it_is_in_the_tree(self):
        listed = self.retrylab("list").stdout
        for file in (ROOT / "scenarios").glob("*.json"):
            self.assertIn(file.stem, listed)
            self.assertEqual(self.retrylab("show", file.stem).stdout, file.read_text())

    def test_init_writes_a_scenario_that_runs_and_never_overwrites(self):
        self.retrylab("init", "mine")
        self.retrylab("check", "./mine.json")
        before = self.read("mine.json")
        done = self.retrylab("init", "mine.json", code=4)
        self.assertIn("mine.json", done.stderr)
        self.assertEqual(self.read("mine.json"), before)

    def test_init_copies_from_the_catalogue(self):
        self.retrylab("init", "mine", "--from", "two-503-then-success")
        self.assertEqual(self.read("mine.json"),
                         self.retrylab("show", "two-503-then-success").stdout)

    def test_a_name_without_a_dot_may_be_a_file_too(self):
        self.write("plain", {"name": "plain", "routes": [{"on": "GET /", "script": [200]}],
                             "expect": {"profile": "core"}})
        self.retrylab("run", "plain", "--", *CLIENT, "{url}")

    def test_a_scenario_that_no_client_can_pass_is_warned_of(self):
        def check(profile=None, **route):
            path = self.write("doubt.json", {
                "name": "doubt", "routes": [{"on": "POST /a", "script": [503, 201], **route}],
                "expect": {"attempts": 2, **({"profile": profile} if profile else {})}})
            return self.retrylab("check", path)

        done = check()
        self.assertIn("doubt.json: warning: no client can pass", done.stderr)
        self.assertIn("ID-2", done.stderr)
        self.assertIn("doubt.json: ok", done.stdout)
        for right in (check(idempotency={}), check(profile="core"), check(on="PUT /a"),
                      check(script=[201, 201])):
            self.assertEqual(right.stderr, "")
        done = self.retrylab("run", self.path("doubt.json"), "--profile", "core", "--", "true",
                             code=1)
        self.assertNotIn("warning", done.stderr)

    def test_the_scenarios_that_the_documents_show_are_right(self):
        for document in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
            for text in re.findall(r"^```json\n(.*?)^```", document.read_text(), re.S | re.M):
                if '"routes"' not in text or '"name"' not in text:
                    continue
                with self.subTest(document=document.name, text=text):
                    path = self.write("shown.json", text)
                    self.assertEqual(self.retrylab("check", path).stderr, "")
                    done = self.retrylab("run", path, "--seed", "1", "--", REFERENCE, "{method}",
                                         "{url}{path}", "--key", "auto", code=None)
                    # Too slow a machine is no fault of the document.
                    self.assertIn(done.returncode, (0, 5), done.stdout + done.stderr)

    def test_the_catalogue_contradicts_no_profile(self):
        names = [file.stem for file in sorted((ROOT / "scenarios").glob("*.json"))]
        self.assertEqual(self.retrylab("check", *names).stderr, "")

    def test_the_documents_that_are_generated_are_up_to_date(self):
        for command in ("rules", "profiles"):
            self.assertEqual(self.retrylab(command, "--markdown").stdout,
                             (ROOT / "docs" / f"{command}.md").read_text(),
                             f"run: retrylab {command} --markdown > docs/{command}.md")
