# SPDX-License-Identifier: MIT
"""Clients made of bytes, as people send them with nc: what HTTP/1.0 and a half-close get."""
import json
import signal
import socket
import time
import urllib.parse

from smoke import Smoke

SCENARIO = {"name": "raw", "routes": [
    {"on": "POST /put", "script": [201]},
    {"on": "GET /late", "script": [{"status": 200, "delay": "50ms", "body": "late"}]}]}


class RawClient(Smoke):
    def serve(self):
        self.write("raw.json", SCENARIO)
        self.process = self.start("serve", "raw.json", "--journal", "j.ndjson")
        url = urllib.parse.urlsplit(json.loads(self.process.stdout.readline())["url"])
        self.address = (url.hostname, url.port)

    def connect(self):
        client = socket.create_connection(self.address, timeout=10)
        self.addCleanup(client.close)
        return client

    def rest(self, client):
        received = b""
        while piece := client.recv(65536):
            received += piece
        return received

    def journal(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.communicate(timeout=30)
        return [json.loads(line) for line in self.read("j.ndjson").splitlines()]

    def test_http_1_0_gets_no_100_continue(self):
        self.serve()
        client = self.connect()
        client.sendall(b"POST /put HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nab")
        self.assertRegex(self.rest(client), rb"^HTTP/1\.1 201 ")

    def test_http_1_1_gets_one(self):
        self.serve()
        client = self.connect()
        client.sendall(b"POST /put HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
                       b"Expect: 100-continue\r\nContent-Length: 2\r\n\r\n")
        self.assertEqual(client.recv(25), b"HTTP/1.1 100 Continue\r\n\r\n")
        client.sendall(b"ab")
        self.assertRegex(self.rest(client), rb"^HTTP/1\.1 201 ")

    def test_a_half_close_behind_the_request_gets_its_answer(self):
        """As `printf ... | nc -N`: the FIN comes in a segment of its own."""
        self.serve()
        answered = 0
        for _ in range(20):
            client = self.connect()
            client.sendall(b"GET /late HTTP/1.0\r\n\r\n")
            time.sleep(0.001)  # it is read by then
            client.shutdown(socket.SHUT_WR)
            answered += self.rest(client).endswith(b"\r\n\r\nlate")
        # On a busy host a FIN may come later than a half-close is expected.
        self.assertGreater(answered, 10)
        endings = [line["delivered"]["ending"] for line in self.journal() if "delivered" in line]
        self.assertEqual(endings.count("delivered"), answered)
