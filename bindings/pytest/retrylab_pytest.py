# SPDX-License-Identifier: MIT
"""A pytest plugin: the fixture `retrylab` starts runs of fault-injection scenarios.

    def test_payment_is_made_once(retrylab):
        run = retrylab.run("charge-once-though-the-answer-is-lost")
        shop.pay(base_url=run.url)
        run.check()

One server process serves a test session; every test's runs end with the test. README.md has more.
"""
import json
import os
import pathlib
import select
import shutil
import subprocess
import urllib.error
import urllib.parse
import urllib.request

import pytest

START_SECONDS = 30
HOW_TO_GET_IT = (
    "retrylab is not here: set RETRYLAB_BIN to the program, or put it on PATH. To get it, install "
    "its Debian package, or build it from its repository with scripts/build "
    "(build/release/retrylab).")


class RetrylabError(Exception):
    """The server refused or is not there; `problem` is its problem+json document, if any."""

    def __init__(self, message, problem=None):
        super().__init__(message)
        self.problem = problem or {}


def find_binary():
    """RETRYLAB_BIN, else the first on PATH."""
    named = os.environ.get("RETRYLAB_BIN")
    found = shutil.which(named or "retrylab")
    if not found:
        raise RetrylabError(f"RETRYLAB_BIN={named} is no program. {HOW_TO_GET_IT}" if named
                            else HOW_TO_GET_IT)
    return found


class Server:
    """A `retrylab serve` without runs of its own."""

    def __init__(self, binary=None):
        # It ends with us: nothing is left behind when this process is killed.
        self._process = subprocess.Popen(
            [binary or find_binary(), "serve", "--admin-port", "0", "--exit-on-stdin-close",
             "--exit-with-parent"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        # A proxy of the environment must not see what is local.
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            self.admin_url = self._read_ready()["admin_url"]
        except BaseException:
            self.stop()
            raise

    def _read_ready(self):
        output = self._process.stdout
        if not select.select([output], [], [], START_SECONDS)[0]:
            raise RetrylabError(f"retrylab did not start within {START_SECONDS} s")
        line = output.readline()
        if not line:
            raise RetrylabError(f"retrylab did not start (exit code {self._process.wait()}); "
                                "what it said is on standard error")
        return json.loads(line)

    def stop(self):
        self._process.stdin.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()

    def call(self, method, path, body=None):
        """The answer's text. Raises RetrylabError with what the server said."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.admin_url + path, data, method=method,
                                         headers={"Content-Type": "application/json"})
        try:
            with self._opener.open(request, timeout=330) as answer:
                return answer.read().decode()
        except urllib.error.HTTPError as error:
            raise _refusal(error) from None
        except OSError as error:
            raise RetrylabError(f"retrylab does not answer: {error}") from error

    def run(self, scenario, seed=None, ttl=None):
        """Starts a run. `scenario`: a dict, a file (a pathlib.Path, or a str that ends in .json),
        or a name of the catalogue."""
        body = {"scenario": _load(scenario)}
        if seed is not None:
            body["seed"] = seed
        if ttl is not None:
            body["ttl"] = ttl
        return Run(self, json.loads(self.call("POST", "/runs", body)))


class Run:
    """A live scenario on a port of its own: send the client under test to `url`."""

    def __init__(self, server, info):
        self._server = server
        self._path = "/runs/" + info["id"]
        self.id = info["id"]
        self.url = info["url"]
        self.seed = info["seed"]

    def info(self):
        """What the server knows of it: attempts, faults, script, …"""
        return json.loads(self._server.call("GET", self._path))

    def verdict(self, wait=None, timeout=None):
        """The verdict so far, as `retrylab run --json` writes it. `wait`: conditions to wait for,
        such as "attempts:3" or "script_used_up,quiet:300ms"; `timeout`: the longest, as "10s"."""
        return json.loads(self._server.call("GET", self._verdict(wait, timeout)))

    def check(self, wait=None, timeout=None, inconclusive="fail"):
        """Fails the test with the report unless every rule was kept. Returns the verdict.
        `inconclusive`: what a verdict does that is neither pass nor fail, because it cannot be
        known whether the client will come again or because this machine was too slow: "fail",
        "skip" or "pass"."""
        __tracebackhide__ = True
        verdict = self.verdict(wait, timeout)
        status = verdict["verdict"]
        if status == "pass" or (status, inconclusive) == ("inconclusive", "pass"):
            return verdict
        report = self._server.call("GET", self._verdict(None, None, "text"))
        if (status, inconclusive) == ("inconclusive", "skip"):
            pytest.skip(report)
        # pytest's summary shows the first line only.
        lines = report.rstrip("\n").split("\n")
        raise AssertionError("\n".join([lines[-1], ""] + lines[:-1]))

    def journal(self):
        """Its records so far, as dicts."""
        text = self._server.call("GET", self._path + "/journal")
        return [json.loads(line) for line in text.splitlines()]

    def resources(self):
        """What was created, in that order."""
        return json.loads(self._server.call("GET", self._path + "/resources"))["resources"]

    def reset(self, seed=None):
        """Begins anew on the same port."""
        self._server.call("POST", self._path + "/reset", {} if seed is None else {"seed": seed})

    def delete(self):
        """Ends it; its port and its journal are gone."""
        self._server.call("DELETE", self._path)

    def _verdict(self, wait, timeout, form=None):
        query = {"wait": wait, "timeout": timeout, "format": form}
        given = {name: value for name, value in query.items() if value is not None}
        return self._path + "/verdict" + ("?" + urllib.parse.urlencode(given) if given else "")


class Retrylab:
    """What the fixture hands out: starts runs and ends those that are left."""

    def __init__(self, server):
        self._server = server
        self._runs = []

    @property
    def admin_url(self):
        return self._server.admin_url

    def run(self, scenario, seed=None, ttl=None):
        run = self._server.run(scenario, seed, ttl)
        self._runs.append(run)
        return run

    def close(self):
        for run in self._runs:
            try:
                run.delete()
            except RetrylabError as error:
                if error.problem.get("status") != 404:  # the test ended it
                    raise


def _load(scenario):
    if isinstance(scenario, dict):
        return scenario
    if isinstance(scenario, os.PathLike) or scenario.endswith(".json"):
        return json.loads(pathlib.Path(scenario).read_text(encoding="utf-8"))
    return scenario


def _refusal(error):
    try:
        problem = json.loads(error.read())
    except ValueError:
        problem = {"status": error.code, "detail": str(error)}
    lines = [problem.get("detail") or problem.get("title", "")]
    lines += [f"{mistake['pointer'] or '/'}: {mistake['message']}"
              for mistake in problem.get("mistakes", [])]
    return RetrylabError("retrylab: " + "\n  ".join(lines), problem)


@pytest.fixture(scope="session")
def retrylab_server():
    """The server of the session; with pytest-xdist one per worker."""
    server = Server()
    yield server
    server.stop()


@pytest.fixture
def retrylab(retrylab_server):
    """Starts runs for one test: `run = retrylab.run("two-503-then-success")`."""
    handle = Retrylab(retrylab_server)
    yield handle
    handle.close()
