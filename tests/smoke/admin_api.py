# SPDX-License-Identifier: MIT
"""A retrylab serve with its admin API. Every answer is checked against openapi.json."""
import http.client
import json
import re
import time
import urllib.parse

import jsonschema

from smoke import ROOT, Smoke

OPENAPI = json.loads((ROOT / "server/control/openapi.json").read_text())
PROBLEM = "urn:retrylab:problem:"


def resolve(node):
    while "$ref" in node:
        target = OPENAPI
        for part in node["$ref"].removeprefix("#/").split("/"):
            target = target[part.replace("~1", "/").replace("~0", "~")]
        node = target
    return node


def operation(method, path):
    """What the description says of a request, or None."""
    for template, item in OPENAPI["paths"].items():
        if re.fullmatch(re.sub(r"\{[^}]*\}", "[^/]+", template), path):
            return item.get(method.lower())
    return None


def check_schema(instance, schema):
    # The whole document goes along, so that its references are found.
    jsonschema.Draft202012Validator({**schema, "components": OPENAPI["components"]}).validate(
        instance)


class Reply:
    def __init__(self, response, method):
        self.status = response.status
        self.headers = {k.lower(): v for k, v in response.getheaders()}
        self.text = response.read().decode()
        self.type = self.headers.get("content-type", "").split(";")[0]
        self.method = method

    @property
    def json(self):
        return json.loads(self.text)

    @property
    def lines(self):
        return [json.loads(line) for line in self.text.splitlines()]


class Admin(Smoke):
    def serve(self, *arguments):
        self.process = self.start("serve", *arguments)
        line = self.process.stdout.readline()
        if not line:
            self.fail(self.process.communicate()[1])
        self.ready = json.loads(line)
        self.admin = urllib.parse.urlsplit(self.ready["admin_url"])
        return self.ready

    def connect(self, timeout=30):
        connection = http.client.HTTPConnection(self.admin.hostname, self.admin.port,
                                                timeout=timeout)
        self.addCleanup(connection.close)
        return connection

    def call(self, method, path, body=None, headers=None, described=True):
        """One request; its answer is as openapi.json says, unless described=False."""
        headers = dict(headers or {})
        if body is not None and not isinstance(body, (str, bytes)):
            body = json.dumps(body)
        if body is not None:
            headers.setdefault("Content-Type", "application/json")
        connection = self.connect()
        connection.request(method, path, body, headers)
        reply = Reply(connection.getresponse(), method)
        connection.close()
        if described:
            self.check(method, path, reply)
        return reply

    def check(self, method, path, reply):
        said = operation(method, path.partition("?")[0])
        self.assertIsNotNone(said, f"{method} {path} is not described")
        response = said["responses"].get(str(reply.status)) or said["responses"]["default"]
        response = resolve(response)
        if reply.status < 400:
            self.assertIn(str(reply.status), said["responses"], reply.text)
        for name in response.get("headers", {}):
            self.assertTrue(name.lower() in reply.headers or name == "Retrylab-Next", name)
        content = response.get("content")
        if method == "HEAD" or content is None:
            self.assertEqual(reply.text, "")
            return
        self.assertIn(reply.type, content, reply.text)
        if reply.type in ("application/json", "application/problem+json"):
            check_schema(reply.json, content[reply.type]["schema"])

    def get(self, path, **more):
        reply = self.call("GET", path, **more)
        self.assertEqual(reply.status, 200, reply.text)
        return reply

    def new_run(self, scenario, **more):
        reply = self.call("POST", "/runs", {"scenario": scenario, **more})
        self.assertEqual(reply.status, 201, reply.text)
        run = reply.json
        self.assertEqual(reply.headers["location"], "/runs/" + run["id"])
        return run

    def refused(self, kind, status, method, path, *arguments, **more):
        reply = self.call(method, path, *arguments, **more)
        self.assertEqual((reply.status, reply.type), (status, "application/problem+json"),
                         reply.text)
        self.assertEqual(reply.json["type"], PROBLEM + kind)
        self.assertEqual(reply.json["status"], status)
        check_schema(reply.json, OPENAPI["components"]["schemas"]["Problem"])
        return reply

    def ask(self, url, path="/", method="GET", headers=None):
        """A client's request to a run: the status."""
        where = urllib.parse.urlsplit(url)
        connection = http.client.HTTPConnection(where.hostname, where.port, timeout=30)
        try:
            connection.request(method, path, headers=headers or {})
            answer = connection.getresponse()
            answer.read()
            return answer.status
        finally:
            connection.close()

    def assert_gone(self, url):
        """The run serves no more: nobody answers, or somebody else who was given the port since."""
        try:
            status = self.ask(url)
        except (OSError, http.client.HTTPException):
            return
        self.assertNotEqual(status, 503)  # QUICK's first answer

    def until(self, condition, what):
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            found = condition()
            if found:
                return found
            time.sleep(0.01)
        return self.fail(f"not within 30 s: {what}")


class Events:
    """A client of /events that reads when it is asked to."""

    def __init__(self, connection, path, headers=None):
        connection.request("GET", path, headers=headers or {})
        self.response = connection.getresponse()

    def next(self):
        """(name, data, id) of the next event; None at the end."""
        name, data, number = None, None, None
        while True:
            line = self.response.readline().decode()
            if not line:
                return None
            line = line.rstrip("\n")
            if line.startswith("event: "):
                name = line[7:]
            elif line.startswith("data: "):
                data = json.loads(line[6:])
            elif line.startswith("id: "):
                number = int(line[4:])
            elif not line and name:
                return name, data, number

    def until(self, wanted):
        while True:
            event = self.next()
            if event is None or event[0] == wanted:
                return event
