# SPDX-License-Identifier: MIT
"""The plugin against the cases that every helper has to pass, and what only it has."""
import collections
import http.client
import json
import os
import pathlib
import subprocess
import sys
import time
import urllib.parse

import pytest

import retrylab_pytest

CASES = pathlib.Path(__file__).parents[1] / "cases"
ALL = json.loads((CASES / "cases.json").read_text())["cases"]


def start(retrylab, case):
    options = dict(case["start"])
    scenario = CASES / options.pop("file") if "file" in options else options.pop("scenario")
    return retrylab.run(scenario, **options)


def send(url, request):
    """The status, or None when there was no answer."""
    time.sleep(request.get("after_ms", 0) / 1000)
    connection = http.client.HTTPConnection(urllib.parse.urlsplit(url).netloc, timeout=60)
    try:
        connection.request(request["method"], request["path"], request.get("body"),
                           request.get("headers", {}))
        return connection.getresponse().status
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()


@pytest.mark.parametrize("case", ALL, ids=[case["name"] for case in ALL])
def test_case(retrylab, case):
    if "error" in case:
        with pytest.raises(retrylab_pytest.RetrylabError, match=case["error"]):
            start(retrylab, case)
        return
    run = start(retrylab, case)
    for _ in range(2 if case.get("reset") else 1):
        assert [send(run.url, request) for request in case["requests"]] == case["statuses"]
        verdict = run.verdict(wait=f"attempts:{case['attempts']}", timeout="60s")
        assert verdict["wait"]["met"]
        if "verdict" in case:
            assert verdict["verdict"] == case["verdict"], verdict["rules"]
        if "broken" in case:
            assert case["broken"] in [rule["id"] for rule in verdict["rules"]
                                      if rule["status"] == "fail"]
        begun = [record for record in run.journal() if record["record"] == "begun"]
        assert len(begun) == case["attempts"]
        assert run.seed == case.get("seed", run.seed)
        kinds = collections.Counter(resource["kind"] for resource in run.resources())
        assert kinds == case.get("created", kinds)
        run.reset()
        assert run.info()["attempts"] == 0
    run.delete()
    with pytest.raises(retrylab_pytest.RetrylabError):
        run.info()


def test_check_fails_with_the_report(retrylab):
    run = retrylab.run("two-503-then-success")
    with pytest.raises(AssertionError, match="FAIL +two-503-then-success") as raised:
        run.check()
    # What pytest's summary shows, and no frame of the helper's.
    assert "FAIL" in str(raised.value).splitlines()[0]
    assert "__tracebackhide__" in run.check.__func__.__code__.co_varnames


GIVES_UP = {"name": "gives-up", "routes": [{"on": "GET /items", "script": [503, 200]}],
            "expect": {"profile": "core", "attempts": 2}}


def test_a_client_that_stopped_too_early_does_not_pass(retrylab):
    run = retrylab.run(GIVES_UP)
    send(run.url, {"method": "GET", "path": "/items"})
    with pytest.raises(AssertionError, match="INCONCLUSIVE +gives-up"):
        run.check()
    with pytest.raises(pytest.skip.Exception):
        run.check(inconclusive="skip")
    assert run.check(inconclusive="pass")["verdict"] == "inconclusive"


def test_the_runs_of_a_test_end_with_it(retrylab_server):
    handle = retrylab_pytest.Retrylab(retrylab_server)
    run = handle.run("two-503-then-success")
    handle.close()
    with pytest.raises(retrylab_pytest.RetrylabError):
        run.info()


def test_a_missing_program_is_said_with_how_to_get_it(monkeypatch, tmp_path):
    monkeypatch.delenv("RETRYLAB_BIN", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(retrylab_pytest.RetrylabError, match="scripts/build"):
        retrylab_pytest.find_binary()
    monkeypatch.setenv("RETRYLAB_BIN", str(tmp_path / "nothing"))
    with pytest.raises(retrylab_pytest.RetrylabError, match="RETRYLAB_BIN=.*nothing"):
        retrylab_pytest.find_binary()


def test_the_program_is_found_on_path(monkeypatch, tmp_path):
    program = tmp_path / "retrylab"
    program.symlink_to(retrylab_pytest.find_binary())
    monkeypatch.delenv("RETRYLAB_BIN", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert retrylab_pytest.find_binary() == str(program)


KILLED = """
import os, sys
import retrylab_pytest
server = retrylab_pytest.Server()
print(server._process.pid, flush=True)
os.kill(os.getpid(), 9)
"""


def test_the_server_ends_when_the_session_is_killed():
    done = subprocess.run([sys.executable, "-c", KILLED], stdout=subprocess.PIPE, text=True,
                          env={**os.environ, "PYTHONPATH": str(pathlib.Path(__file__).parent)})
    process = pathlib.Path("/proc") / done.stdout.strip()
    deadline = time.monotonic() + 60
    while process.exists():
        status = (process / "status").read_text() if process.exists() else "Z"
        if "State:\tZ" in status:  # over; nobody here collects it
            break
        assert time.monotonic() < deadline
        time.sleep(0.02)
