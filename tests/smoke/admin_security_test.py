# SPDX-License-Identifier: MIT
"""Who may use the admin API, what it hides, and that its clients cannot stop the data plane."""
import http.client
import json
import signal
import socket
import time

from admin_api import Admin, Events
from smoke import QUICK

SECRET = "s3cret-value"


class WhoMay(Admin):
    def test_a_name_that_dns_could_rebind_is_turned_down(self):
        self.serve("--admin-host", "retrylab.test")
        port = self.admin.port
        for host in (f"127.0.0.1:{port}", f"localhost:{port}", "LOCALHOST", f"[::1]:{port}",
                     f"retrylab.test:{port}", "192.0.2.7"):
            with self.subTest(host=host):
                self.assertEqual(self.get("/health", headers={"Host": host}).status, 200)
        for host in ("evil.test", f"evil.test:{port}", "127.0.0.1.evil.test", "localhost.evil.test",
                     "", "[", "127.0.0.1@evil.test"):
            for method, path in (("GET", "/runs"), ("GET", "/health"), ("POST", "/runs"),
                                 ("GET", "/"), ("GET", "/events")):
                with self.subTest(host=host, path=path):
                    self.refused("forbidden_host", 403, method, path, headers={"Host": host})

    def test_another_sites_page_changes_nothing(self):
        self.serve()
        run = self.new_run(QUICK)
        own = self.ready["admin_url"]
        body = {"scenario": QUICK}
        for origin in ("http://evil.test", "null", own.replace("http:", "ftp:"), own + "0",
                       "http://127.0.0.1"):
            for method, path, content in (("POST", "/runs", body),
                                          ("DELETE", "/runs/" + run["id"], None),
                                          ("POST", f"/runs/{run['id']}/reset", None),
                                          ("GET", "/runs", None), ("GET", "/events", None)):
                with self.subTest(origin=origin, path=path):
                    self.refused("forbidden_origin", 403, method, path, content,
                                 headers={"Origin": origin})
        self.refused("forbidden_origin", 403, "POST", "/runs", body,
                     headers={"Sec-Fetch-Site": "cross-site"})
        self.assertEqual(len(self.get("/runs").json["runs"]), 1)
        self.assertEqual(self.call("POST", "/runs", body, headers={
            "Origin": own, "Sec-Fetch-Site": "same-origin"}).status, 201)

    def test_no_answer_lets_another_site_read_it_or_sets_a_cookie(self):
        self.serve()
        for method, path in (("GET", "/runs"), ("GET", "/"), ("OPTIONS", "/runs"),
                             ("GET", "/nothing")):
            headers = self.call(method, path, described=False).headers
            self.assertEqual([name for name in headers
                              if name.startswith("access-control") or name == "set-cookie"], [])
            self.assertEqual(headers["x-content-type-options"], "nosniff")

    def test_open_to_other_hosts_it_needs_a_token(self):
        done = self.retrylab("serve", "--admin-listen", "0.0.0.0", code=2)
        self.assertIn("--admin-token-file", done.stderr)

    def test_the_token_is_asked_for(self):
        token = "0123456789abcdef0123"
        self.write("token", token + "\n")
        self.serve("--admin-token-file", "token", "--admin-listen", "0.0.0.0")
        self.admin = self.admin._replace(netloc=f"127.0.0.1:{self.admin.port}")
        for given in (None, "", "Bearer", "Bearer ", f"Bearer {token}x", f"Bearer {token[:-1]}",
                      f"Basic {token}", token):
            with self.subTest(given=given):
                reply = self.refused("token_required", 401, "GET", "/runs",
                                     headers={"Authorization": given} if given is not None else {})
                self.assertTrue(reply.headers["www-authenticate"].startswith("Bearer"))
        for path in ("/health", "/"):
            self.assertEqual(self.get(path).status, 200)
        headers = {"Authorization": f"Bearer {token}"}
        self.assertEqual(self.get("/runs", headers=headers).json, {"runs": []})
        self.assertEqual(self.call("POST", "/runs", {"scenario": QUICK}, headers).status, 201)

    def test_a_token_that_could_be_guessed_is_turned_down(self):
        self.write("token", "short\n")
        done = self.retrylab("serve", "--admin-token-file", "token", code=2)
        self.assertIn("16 characters", done.stderr)


class Hidden(Admin):
    HEADERS = {"Authorization": SECRET, "Cookie": "session=" + SECRET, "X-Api-Key": SECRET,
               "Proxy-Authorization": SECRET}

    def test_secrets_are_in_no_journal_and_no_report(self):
        ready = self.serve(self.quick(), "--redact", "x-api-key", "--journal", "j.ndjson",
                           "--json", "r.json", "--html", "r.html")
        for _ in range(2):
            self.ask(ready["url"], headers=self.HEADERS)
        run = "/runs/" + ready["runs"][0]["id"]
        texts = [self.get(run + "/journal").text, self.get(run + "/verdict").text,
                 self.get(run + "/verdict?format=text").text]
        events = Events(self.connect(), "/events?run=" + ready["runs"][0]["id"])
        texts.append(json.dumps([events.until("record")[1] for _ in range(4)]))
        self.process.send_signal(signal.SIGTERM)
        texts.append("".join(self.process.communicate(timeout=30)))
        texts += [self.read(name) for name in ("j.ndjson", "r.json", "r.html")]
        for text in texts:
            self.assertNotIn(SECRET, text)
        # One value, one fingerprint, whatever header it came in.
        heads = [json.loads(line)["head"] for line in texts[0].splitlines()
                 if '"begun"' in line]
        marks = {line.split(": ")[1] for head in heads for line in head.splitlines()
                 if line.startswith(("Authorization", "X-Api-Key"))}
        self.assertEqual(len(marks), 1, marks)
        self.assertRegex(marks.pop(), "^redacted:[0-9a-f]{16}$")

    def test_a_scenario_that_is_sent_reads_no_file(self):
        self.serve()
        self.write("secret", SECRET)
        for path in ("secret", "/etc/passwd", "../secret"):
            scenario = {"name": "x", "routes": [
                {"on": "GET /", "script": [{"status": 200, "body_file": path}]}]}
            reply = self.refused("invalid_scenario", 422, "POST", "/runs", {"scenario": scenario})
            self.assertIn("no folder", reply.json["mistakes"][0]["message"])

    def test_a_scenario_file_reads_only_below_its_folder(self):
        (self.folder / "in").mkdir()
        self.write("outside", SECRET)
        self.write("in/beside", "beside")
        (self.folder / "in/link").symlink_to("../outside")
        for path, code in (("beside", 0), ("./beside", 0), ("../outside", 3), ("link", 3),
                           (self.path("outside"), 3), ("/etc/hostname", 3)):
            with self.subTest(path=path):
                self.write("in/s.json", {"name": "x", "routes": [
                    {"on": "GET /", "script": [{"status": 200, "body_file": path}]}]})
                done = self.retrylab("check", "in/s.json", code=code)
                self.assertEqual("outside of the scenario's folder" in done.stderr, code == 3)


class DataPlane(Admin):
    """Whatever admin clients do, runs answer."""

    def run_answers(self, url, count=20):
        for _ in range(count):
            self.assertEqual(self.ask(url), 200)

    def endless(self):
        return self.new_run({"name": "endless", "routes": [{"on": "GET /", "script": [200]}]})

    def test_idle_admin_connections_cost_it_nothing(self):
        self.serve()
        run = self.endless()
        idle = []
        for number in range(100):
            one = socket.create_connection((self.admin.hostname, self.admin.port), timeout=30)
            self.addCleanup(one.close)
            if number % 2:
                one.sendall(b"GET /runs HTT")
            idle.append(one)
        self.run_answers(run["url"])
        # They are given up after a few seconds each; whoever came later is served then.
        self.assertEqual(self.get("/health").status, 200)

    def test_followers_leave_threads_for_others(self):
        self.serve()
        run = self.endless()
        followers = []
        for _ in range(32):
            connection = self.connect()
            followers.append(Events(connection, "/events"))
            self.assertEqual(followers[-1].response.status, 200)
        self.refused("limit_reached", 503, "GET", "/events")
        self.refused("limit_reached", 503, "GET", f"/runs/{run['id']}/journal?follow=true")
        self.refused("limit_reached", 503, "GET", f"/runs/{run['id']}/verdict?wait=attempts:9")
        self.run_answers(run["url"])
        self.assertEqual(self.get("/runs").status, 200)
        self.assertIn("retrylab_followers 32\n", self.get("/metrics").text)

    def test_a_follower_that_does_not_read_is_cut_off_and_told_of(self):
        self.serve()
        run = self.endless()
        with socket.socket() as slow:
            slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            slow.connect((self.admin.hostname, self.admin.port))
            slow.sendall(f"GET /events?run={run['id']} HTTP/1.1\r\n"
                         f"Host: 127.0.0.1\r\n\r\n".encode())
            self.assertTrue(slow.recv(10))
            # More than the kernel holds for it.
            padding = {"X-Padding": "x" * 8000}
            connection = http.client.HTTPConnection(*run["url"].removeprefix("http://").split(":"),
                                                    timeout=30)
            self.addCleanup(connection.close)
            for _ in range(1500):
                connection.request("GET", "/", headers=padding)
                self.assertEqual(connection.getresponse().read() is not None, True)
            self.until(lambda: "retrylab_followers_dropped_total 1\n" in self.get("/metrics").text,
                       "the slow follower's end")
        self.process.send_signal(signal.SIGTERM)
        self.assertIn("too slow for the events of run", self.process.communicate(timeout=30)[1])

    def test_sigterm_ends_within_a_second_whoever_is_connected(self):
        self.serve(self.quick(), "--json", "r.json")
        run = self.endless()
        held = [Events(self.connect(), "/events"), Events(self.connect(), f"/events?run={run['id']}")]
        waiting = self.connect()
        waiting.request("GET", f"/runs/{run['id']}/verdict?wait=attempts:99&timeout=1m")
        idle = socket.create_connection((self.admin.hostname, self.admin.port))
        self.addCleanup(idle.close)
        half = socket.create_connection((self.admin.hostname, self.admin.port))
        self.addCleanup(half.close)
        half.sendall(b"POST /runs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{")
        self.until(lambda: "retrylab_followers 3\n" in self.get("/metrics").text, "followers")
        before = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        self.process.communicate(timeout=30)
        took = time.monotonic() - before
        self.assertEqual(self.process.returncode, 0)
        self.assertEqual(json.loads(self.read("r.json"))["scenario"]["name"], "quick")
        # A second, and what a busy host adds.
        self.assertLess(took, 3)
        self.assertEqual(len(held), 2)
