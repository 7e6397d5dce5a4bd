# SPDX-License-Identifier: MIT
"""X-Retrylab-Run: every run by the port of the first one."""
import http.client
import json
import socket
import urllib.parse

from admin_api import Admin

FAULTY = {"name": "faulty", "connections": [{"fault": {"do": "reset", "at": "accept"}}],
          "routes": [{"on": "GET /", "script": [201, 202, 203]}]}


class MainPort(Admin):
    def setUp(self):
        super().setUp()
        self.write("main.json", {"name": "main", "routes": [{"on": "GET /", "script": [200]}]})
        self.serve("./main.json")
        self.main = urllib.parse.urlsplit(self.ready["url"])
        self.main_id = self.ready["runs"][0]["id"]

    def client(self):
        connection = http.client.HTTPConnection(self.main.hostname, self.main.port, timeout=30)
        self.addCleanup(connection.close)
        return connection

    def request(self, client, run=None):
        client.request("GET", "/", headers={"X-Retrylab-Run": run} if run else {})
        answer = client.getresponse()
        return answer.status, answer.read().decode()

    def run_of(self, run):
        return self.get("/runs/" + run).json

    def test_a_connection_belongs_to_the_run_of_its_first_request(self):
        run = self.new_run(FAULTY)["id"]
        client = self.client()
        # The connections script is not for it.
        self.assertEqual(self.request(client, run)[0], 201)
        self.assertEqual(self.request(client)[0], 202)
        self.assertEqual(self.request(client, run)[0], 203)
        seen = self.run_of(run)
        self.assertEqual((seen["attempts"], seen["connections"], seen["faults"]), (3, 1, 0))
        self.assertEqual(self.run_of(self.main_id)["connections"], 0)

    def test_without_the_header_it_is_the_first_run(self):
        other = self.new_run(FAULTY)["id"]
        self.assertEqual(self.request(self.client())[0], 200)
        self.assertEqual(self.request(self.client(), self.main_id)[0], 200)
        self.assertEqual(self.run_of(self.main_id)["attempts"], 2)
        self.assertEqual(self.run_of(other)["connections"], 0)

    def test_another_run_later_or_an_unknown_one_is_a_loud_400(self):
        run, other = self.new_run(FAULTY)["id"], self.new_run(FAULTY)["id"]
        for first, then in ((run, other), (run, self.main_id), (None, run), (run, "77"),
                            (None, "nonsense")):
            with self.subTest(first=first, then=then):
                client = self.client()
                self.request(client, first)
                status, said = self.request(client, then)
                self.assertEqual(status, 400)
                self.assertIn(f'X-Retrylab-Run is "{then}"', json.loads(said)["detail"])
        for unknown in ("77", "0", "nonsense", "-1", "1, 2"):
            with self.subTest(unknown=unknown):
                self.assertEqual(self.request(self.client(), unknown)[0], 400)
        self.assertEqual(self.run_of(other)["attempts"], 0)
        self.call("DELETE", "/runs/" + run)
        self.assertEqual(self.request(self.client(), run)[0], 400)

    def test_a_runs_own_port_is_for_that_run(self):
        run, other = self.new_run(FAULTY), self.new_run({key: value for key, value in FAULTY.items() if key != "connections"})
        self.assertEqual(self.ask(other["url"], headers={"X-Retrylab-Run": other["id"]}), 201)
        self.assertEqual(self.ask(other["url"], headers={"X-Retrylab-Run": run["id"]}), 400)

    def test_a_head_that_comes_in_pieces_finds_its_run(self):
        run = self.new_run(FAULTY)["id"]
        with socket.create_connection((self.main.hostname, self.main.port), timeout=30) as client:
            for byte in f"GET / HTTP/1.1\r\nHost: x\r\nx-retrylab-run: {run}\r\n\r\n":
                client.sendall(byte.encode())
            self.assertTrue(client.recv(100).startswith(b"HTTP/1.1 201 "))

    def test_connections_that_never_ask_are_the_first_runs(self):
        self.new_run(FAULTY)
        silent = socket.create_connection((self.main.hostname, self.main.port), timeout=30)
        silent.close()
        half = socket.create_connection((self.main.hostname, self.main.port), timeout=30)
        half.sendall(b"GET / HT")
        half.close()
        self.until(lambda: self.run_of(self.main_id)["connections"] == 2, "both are seen")

    def test_requests_sent_at_once_are_all_answered_by_it(self):
        run = self.new_run(FAULTY)["id"]
        with socket.create_connection((self.main.hostname, self.main.port), timeout=30) as client:
            client.sendall((f"GET / HTTP/1.1\r\nHost: x\r\nX-Retrylab-Run: {run}\r\n\r\n" +
                            "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").encode())
            answers = b""
            while piece := client.recv(65536):
                answers += piece
        self.assertIn(b"HTTP/1.1 201 ", answers)
        self.assertIn(b"HTTP/1.1 202 ", answers)
