# SPDX-License-Identifier: MIT
"""The admin API: runs, journals, verdicts, and what it says to bad requests."""
import gzip
import http.client
import json
import re
import select
import socket
import subprocess
import sys
import urllib.parse

import jsonschema

from admin_api import OPENAPI, PROBLEM, Admin, Reply, check_schema
from smoke import CLIENT, QUICK


class Process(Admin):
    def test_health_and_version(self):
        self.serve()
        self.assertEqual(self.get("/health").json, {"status": "ok"})
        self.assertEqual(self.call("HEAD", "/health").status, 200)
        version = self.get("/version").json
        self.assertIn(version["retrylab"], self.retrylab("--version").stdout)
        self.assertEqual(version["api"], OPENAPI["info"]["version"])

    def test_clients_that_stop_in_the_middle_of_a_request_keep_nobody_waiting(self):
        self.serve()
        slow = []
        for _ in range(300):
            client = socket.create_connection((self.admin.hostname, self.admin.port))
            self.addCleanup(client.close)
            client.sendall(b"GET /health HTTP/1.1\r\nHost: 127")
            slow.append(client)
        self.get("/health")
        # All of them are still listened to: nobody had to be given up first.
        self.assertEqual(select.select(slow, [], [], 0)[0], [])

    def test_the_description_is_served(self):
        self.serve()
        self.assertEqual(self.get("/openapi.json").json, OPENAPI)
        self.assertEqual(json.loads(self.retrylab("schema", "--openapi").stdout), OPENAPI)

    def test_the_page_is_served_with_its_files_and_a_policy(self):
        self.serve()
        page = self.get("/")
        self.assertEqual(page.type, "text/html")
        self.assertIn("default-src 'none'", page.headers["content-security-policy"])
        for name in re.findall(r'"/?(page/[^"]+)"', page.text):
            self.assertTrue(self.get("/" + name).text)
        self.refused("unknown_path", 404, "GET", "/page/nothing.js")

    def test_without_an_admin_there_is_no_listener(self):
        process = self.start("serve", self.quick(), "--no-admin")
        self.assertIsNone(json.loads(process.stdout.readline())["admin_url"])
        done = self.retrylab("serve", "--no-admin", code=2)
        self.assertIn("no scenario", done.stderr)

    def test_the_admin_can_have_a_port_of_choice(self):
        self.serve()
        done = self.retrylab("serve", "--admin-port", str(self.admin.port), code=4)
        self.assertIn(str(self.admin.port), done.stderr)
        self.assertIn("Address already in use", done.stderr)

    def test_the_catalogue_is_listed_and_told(self):
        self.serve()
        names = [entry["name"] for entry in self.get("/catalogue").json["scenarios"]]
        listed = self.retrylab("list").stdout
        self.assertIn("two-503-then-success", names)
        for name in names:
            self.assertIn(name, listed)
        shown = self.retrylab("show", names[0]).stdout
        self.assertEqual(self.get("/catalogue/" + names[0]).json, json.loads(shown))

    def test_metrics_count_what_happened(self):
        self.serve()
        run = self.new_run({"name": "cut", "routes": [
            {"on": "GET /", "script": [{"status": 200, "fault": {"do": "close",
                                                                 "at": "response_end"}}]}]})
        self.assertEqual(self.ask(run["url"]), 200)
        self.until(lambda: self.get("/runs/" + run["id"]).json["faults"], "the fault")
        text = self.get("/metrics").text
        labels = f'{{run="{run["id"]}",scenario="cut"}}'
        for line in (f"retrylab_attempts_total{labels} 1", f"retrylab_faults_total{labels} 1",
                     f"retrylab_timers{labels} 0", f"retrylab_dropped_entries_total{labels} 0",
                     "retrylab_runs 1", "retrylab_followers 0"):
            self.assertIn(line + "\n", text)
        for name in ("retrylab_open_connections", "retrylab_lag_seconds_max"):
            self.assertIn(name + labels, text)


class BesideRun(Admin):
    def test_a_client_of_run_can_ask_for_its_own_run(self):
        ask = ("import os, sys, urllib.request as r; "
               "r.urlopen(os.environ['RETRYLAB_URL']).read(); "
               "print(r.urlopen(os.environ['RETRYLAB_ADMIN_URL'] + '/runs/' + "
               "os.environ['RETRYLAB_RUN']).read().decode())")
        scenario = self.quick(routes=[{"on": "GET /", "script": [200]}],
                              expect={"profile": "core"})
        done = self.retrylab("run", scenario, "--repeat", "2", "--", sys.executable, "-c", ask,
                             code=None)
        told = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        self.assertEqual(sorted((run["id"], run["attempts"]) for run in told),
                         [("1", 1), ("2", 1)])
        for run in told:
            check_schema(run, OPENAPI["components"]["schemas"]["Run"])

    def test_without_an_admin_the_client_is_told_of_none(self):
        done = self.retrylab("run", self.quick(), "--no-admin", "--", sys.executable, "-c",
                             "import os; print('admin', os.environ.get('RETRYLAB_ADMIN_URL'))",
                             code=None)
        self.assertIn("admin None", done.stdout)


class Runs(Admin):
    def test_a_run_takes_requests_when_the_answer_arrives(self):
        self.serve()
        run = self.new_run(QUICK, seed=5)
        self.assertEqual([self.ask(run["url"]), self.ask(run["url"])], [503, 200])
        after = self.get("/runs/" + run["id"]).json
        self.assertEqual((after["attempts"], after["seed"], after["script"]),
                         (2, 5, {"unused": 0, "used_up": True}))
        self.assertEqual(after["scenario"]["name"], "quick")
        self.assertIsNone(after["command"])
        self.assertEqual(self.get("/runs").json["runs"][0]["id"], run["id"])
        self.assertEqual(self.get(f"/runs/{run['id']}/scenario").json, QUICK)

    def test_a_run_of_the_catalogue_names_the_command_that_serves_it(self):
        self.serve()
        run = self.new_run("two-503-then-success", seed=3)
        self.assertIn("serve two-503-then-success --seed 3", run["command"])

    def test_a_scenario_that_serve_was_started_with_is_a_run_too(self):
        ready = self.serve(self.quick())
        run = self.get("/runs/" + ready["runs"][0]["id"]).json
        self.assertEqual(run["url"], ready["url"])

    def test_deleting_a_run_frees_its_port(self):
        self.serve()
        run = self.new_run(QUICK)
        self.assertEqual(self.call("DELETE", "/runs/" + run["id"]).status, 204)
        self.assert_gone(run["url"])
        gone = self.refused("unknown_run", 404, "GET", "/runs/" + run["id"])
        self.assertIn("was deleted", gone.json["detail"])
        self.refused("unknown_run", 404, "DELETE", "/runs/" + run["id"])
        self.assertEqual(self.get("/runs").json["runs"], [])

    def test_a_run_with_a_ttl_ends_by_itself(self):
        self.serve()
        long = self.new_run(QUICK, ttl="1h")
        short = self.new_run(QUICK, ttl="50ms")
        self.assertLessEqual(short["ttl_ms"], 50)
        gone = self.until(lambda: (reply := self.call("GET", "/runs/" + short["id"])).status == 404
                          and reply, "the end of its ttl")
        self.assertIn("ttl is over", gone.json["detail"])
        self.assert_gone(short["url"])
        self.assertEqual(self.ask(long["url"]), 503)

    def test_a_reset_begins_anew_on_the_same_port(self):
        self.serve()
        creating = {"name": "pay", "routes": [{"on": "POST /pay", "creates": "payment",
                                               "script": [503, 201]}]}
        run = self.new_run(creating, seed=1)
        path = "/runs/" + run["id"]
        for expected in (503, 201):
            self.assertEqual(self.ask(run["url"], "/pay", "POST"), expected)
        first = self.get(path + "/resources").json["resources"]
        self.assertEqual([one["kind"] for one in first], ["payment"])
        again = self.call("POST", path + "/reset").json
        self.assertEqual((again["url"], again["attempts"], again["resources"], again["resets"]),
                         (run["url"], 0, 0, 1))
        self.assertEqual(self.get(path + "/resources").json["resources"], [])
        for expected in (503, 201):
            self.assertEqual(self.ask(run["url"], "/pay", "POST"), expected)
        # The same seed: the same random streams.
        second = self.get(path + "/resources").json["resources"]
        self.assertEqual(second[0]["id"], first[0]["id"])
        self.assertEqual(self.call("POST", path + "/reset", {"seed": 2}).json["seed"], 2)

    def test_a_reset_closes_connections_and_starts_another_journal(self):
        self.serve()
        run = self.new_run({"name": "stall", "routes": [
            {"on": "GET /", "script": [{"status": 200, "fault": {"do": "stall",
                                                                 "at": "response_start"}}]}]})
        where = urllib.parse.urlsplit(run["url"])
        client = http.client.HTTPConnection(where.hostname, where.port, timeout=30)
        client.request("GET", "/")
        self.until(lambda: self.get("/runs/" + run["id"]).json["attempts"], "the attempt")
        self.get(f"/runs/{run['id']}/journal")
        self.call("POST", f"/runs/{run['id']}/reset")
        with self.assertRaises((http.client.RemoteDisconnected, ConnectionResetError)):
            client.getresponse()
        client.close()
        records = self.get(f"/runs/{run['id']}/journal").lines
        self.assertEqual([record["record"] for record in records if record["record"] != "lag"],
                         ["run"])

    def test_a_run_whose_journal_goes_into_a_file_is_not_reset(self):
        ready = self.serve(self.quick(), "--journal", "j.ndjson")
        self.refused("conflict", 409, "POST", f"/runs/{ready['runs'][0]['id']}/reset")


class Journal(Admin):
    def test_offsets_go_on_where_the_last_answer_ended(self):
        self.serve()
        run = self.new_run(QUICK)
        path = f"/runs/{run['id']}/journal"
        self.ask(run["url"])
        self.wait_for_attempts(run, 1)
        first = self.get(path)
        self.ask(run["url"])
        self.wait_for_attempts(run, 2)
        second = self.get(path + "?from=" + first.headers["retrylab-next"])
        begun = [record["attempt"] for record in first.lines + second.lines
                 if record["record"] == "begun"]
        self.assertEqual(begun, [1, 2])
        whole = self.get(path)
        self.assertTrue(whole.text.startswith(first.text + second.text))
        self.assertEqual(whole.lines[0]["record"], "run")
        self.assertEqual(self.get(path + "?from=1000000").text, "")

    def wait_for_attempts(self, run, count):
        reply = self.get(f"/runs/{run['id']}/verdict?wait=attempts:{count}&timeout=30s").json
        self.assertTrue(reply["wait"]["met"])

    def test_a_journal_of_the_api_can_be_judged_again(self):
        self.serve()
        run = self.new_run(QUICK)
        subprocess.run([*CLIENT, run["url"]], check=True)
        self.wait_for_attempts(run, 2)
        self.write("j.ndjson", self.get(f"/runs/{run['id']}/journal").text)
        # The scenario as it came, whose hash the journal names.
        self.write("s.json", self.get(f"/runs/{run['id']}/scenario").text)
        self.retrylab("verify", self.path("s.json"), "j.ndjson")

    def test_following_ends_with_the_run(self):
        self.serve()
        run = self.new_run(QUICK)
        connection = self.connect()
        connection.request("GET", f"/runs/{run['id']}/journal?follow=true")
        answer = connection.getresponse()
        self.assertEqual(json.loads(answer.readline())["record"], "run")
        self.ask(run["url"])
        while json.loads(answer.readline())["record"] != "begun":
            pass
        self.assertEqual(self.call("DELETE", "/runs/" + run["id"]).status, 204)
        rest = [json.loads(line)["record"] for line in answer.read().splitlines()]
        self.assertEqual(rest[-1], "end")


class Verdict(Admin):
    def test_it_is_what_run_json_writes_and_tells_of_the_wait(self):
        self.serve()
        run = self.new_run(QUICK)
        path = f"/runs/{run['id']}/verdict"
        self.assertIsNone(self.get(path).json["wait"])
        subprocess.run([*CLIENT, run["url"]], check=True)
        verdict = self.get(path + "?wait=attempts:2,script_used_up,quiet:20ms&timeout=30s").json
        self.assertEqual(verdict["wait"]["for"], "attempts:2,script_used_up,quiet:20ms")
        self.assertTrue(verdict["wait"]["met"])
        self.assertEqual(len(verdict["attempts"]), 2)
        schema = json.loads(self.retrylab("schema", "--report").stdout)
        jsonschema.Draft7Validator(schema).validate(verdict)
        brief = self.get(path + "?attempts=false").json
        jsonschema.Draft7Validator(schema).validate(brief)
        self.assertEqual((brief["attempts"], brief["rules"]), ([], verdict["rules"]))
        self.assertIn("quick", self.get(path + "?format=text").text)

    def test_a_timeout_is_told(self):
        self.serve()
        run = self.new_run(QUICK)
        for condition in ("attempts:1", "quiet:1ms", "script_used_up"):
            verdict = self.get(f"/runs/{run['id']}/verdict?wait={condition}&timeout=20ms").json
            self.assertEqual((condition, verdict["wait"]["met"]), (condition, False))
            self.assertGreaterEqual(verdict["wait"]["waited_ms"], 20)

    def test_it_sees_every_attempt_whose_response_began(self):
        self.serve()
        run = self.new_run({"name": "many", "routes": [{"on": "GET /", "script": [200]}]})
        for count in range(1, 51):
            self.ask(run["url"])
            seen = self.get(f"/runs/{run['id']}/verdict").json["attempts"]
            self.assertEqual(len(seen), count)


class BadInput(Admin):
    def setUp(self):
        super().setUp()
        self.serve()
        self.run_id = self.new_run(QUICK)["id"]

    def test_each_is_a_problem_with_its_place(self):
        run = "/runs/" + self.run_id
        deep = "[" * 5000
        for kind, status, method, path, body in (
                ("invalid_json", 400, "POST", "/runs", "{"),
                ("invalid_json", 400, "POST", "/runs", ""),
                ("invalid_json", 400, "POST", "/runs", "null"),
                ("invalid_json", 400, "POST", "/runs", deep),
                ("invalid_json", 400, "POST", "/runs", '{"scenario": 5}'),
                ("invalid_json", 400, "POST", "/runs", '{"scenario": "a", "scenario": "b"}'),
                ("invalid_json", 400, "POST", "/runs", {"scenario": QUICK, "sed": 1}),
                ("invalid_json", 400, "POST", "/runs", {"scenario": QUICK, "seed": -1}),
                ("invalid_json", 400, "POST", "/runs", {"scenario": QUICK, "seed": 2**53}),
                ("invalid_json", 400, "POST", "/runs", {"scenario": QUICK, "ttl": "soon"}),
                ("invalid_json", 400, "POST", run + "/reset", {"speed": 1}),
                ("invalid_scenario", 422, "POST", "/runs", {"scenario": {"name": "x"}}),
                ("unknown_scenario", 404, "POST", "/runs", {"scenario": "two-503-then-succes"}),
                ("unknown_scenario", 404, "GET", "/catalogue/nothing", None),
                ("unknown_run", 404, "GET", "/runs/77", None),
                ("unknown_run", 404, "GET", "/runs/zero", None),
                ("unknown_run", 404, "GET", "/runs/01", None),
                ("unknown_run", 404, "GET", "/runs/99999999999999999999", None),
                ("unknown_run", 404, "GET", "/events?run=77", None),
                ("unknown_run", 404, "DELETE", "/runs/77", None),
                ("unknown_run", 404, "POST", "/runs/77/reset", None),
                ("unknown_run", 404, "GET", "/runs/77/journal?follow=true", None),
                ("unknown_run", 404, "GET", "/runs/77/verdict?wait=attempts:1", None),
                ("invalid_request", 400, "GET", "/runs?nonsense=1", None),
                ("invalid_request", 400, "GET", run + "/journal?from=x", None),
                ("invalid_request", 400, "GET", run + "/journal?from=1&from=2", None),
                ("invalid_request", 400, "GET", run + "/journal?follow=maybe", None),
                ("invalid_request", 400, "GET", run + "/verdict?wait=forever", None),
                ("invalid_request", 400, "GET", run + "/verdict?wait=attempts:1,", None),
                ("invalid_request", 400, "GET", run + "/verdict?timeout=1d", None),
                ("invalid_request", 400, "GET", run + "/verdict?timeout=1h", None),
                ("invalid_request", 400, "GET", run + "/verdict?format=pdf", None),
                ("invalid_request", 400, "GET", run + "/verdict?attempts=2", None)):
            with self.subTest(method=method, path=path, body=str(body)[:60]):
                reply = self.refused(kind, status, method, path, body)
                if kind in ("invalid_json", "invalid_scenario"):
                    self.assertTrue(reply.json["mistakes"])

    def test_paths_and_methods_that_do_not_exist(self):
        for path in ("/nothing", "/runs/", "/runs//verdict", "/runs/1/2/3", "/runs/1/verdict/"):
            with self.subTest(path=path):
                self.refused("unknown_path", 404, "GET", path, described=False)
        for method, path, allowed in (("PUT", "/runs", "POST, GET, HEAD"),
                                      ("POST", "/health", "GET, HEAD"),
                                      ("PATCH", "/runs/1", "GET, HEAD, DELETE"),
                                      ("OPTIONS", "/runs/1/reset", "POST"),
                                      ("TRACE", "/version", "GET, HEAD"),
                                      ("DELETE", "/runs", "POST, GET, HEAD")):
            with self.subTest(method=method, path=path):
                reply = self.refused("method_not_allowed", 405, method, path, described=False)
                self.assertEqual(reply.headers["allow"], allowed)

    def test_a_mistake_of_a_scenario_has_its_place_in_the_body(self):
        body = '{\n  "seed": 1,\n  "scenario": {"name": "x",\n    "routes": [{"on": "GET /", ' \
               '"script": [99]}]}\n}'
        reply = self.refused("invalid_scenario", 422, "POST", "/runs", body)
        mistake = reply.json["mistakes"][0]
        self.assertEqual(mistake["pointer"], "/scenario/routes/0/script/0")
        line = body.splitlines()[mistake["line"] - 1]
        self.assertEqual(line[mistake["column"] - 1:][:2], "99")

    def test_what_is_no_json_by_its_type_is_turned_down(self):
        for kind in ("text/plain", "application/x-www-form-urlencoded",
                     "multipart/form-data; boundary=x", ""):
            with self.subTest(kind=kind):
                self.refused("unsupported_media_type", 415, "POST", "/runs",
                             json.dumps({"scenario": QUICK}), headers={"Content-Type": kind})

    def test_a_body_that_is_too_large_is_read_and_turned_down(self):
        body = json.dumps({"scenario": QUICK}) + " " * 5_000_000
        self.refused("too_large", 413, "POST", "/runs", body)

    def test_it_is_as_large_as_it_is_without_its_coding(self):
        kind = {"Content-Type": "application/json"}
        for headers, body in ((kind, iter([b" " * 1_000_000] * 5)),
                              ({**kind, "Content-Encoding": "gzip"},
                               gzip.compress(b" " * 30_000_000))):
            connection = self.connect()
            connection.request("POST", "/runs", body, headers,
                               encode_chunked=not isinstance(body, bytes))
            reply = Reply(connection.getresponse(), "POST")
            self.assertEqual((reply.status, reply.json["type"]), (413, PROBLEM + "too_large"))

    def test_what_is_not_http_gets_a_problem_too(self):
        for request in (b"NONSENSE\r\n\r\n", b"FOO /runs HTTP/1.1\r\nHost: localhost\r\n\r\n",
                        b"GET /" + b"x" * 10_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n"):
            with self.subTest(request=request[:20]):
                connection = self.connect()
                connection.connect()
                connection.sock.sendall(request)
                answer = b""
                while piece := connection.sock.recv(65536):
                    answer += piece
                head, _, body = answer.partition(b"\r\n\r\n")
                self.assertRegex(head, rb"HTTP/1.1 4\d\d ")
                self.assertIn(b"application/problem+json", head)
                check_schema(json.loads(body), OPENAPI["components"]["schemas"]["Problem"])
