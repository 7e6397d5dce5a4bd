# SPDX-License-Identifier: MIT
"""The servers: how each is started so that it gives the same answers after the same delays."""

import shutil
from dataclasses import dataclass
from typing import Callable

from bench import BENCH, BUILD, descriptor_limit, free_port
from process import Process


@dataclass(frozen=True)
class Server:
    name: str
    # (port, folder) -> the command; the folder has a filled-in copy of `files`.
    command: Callable
    files: tuple = ()
    from_npm: bool = False

    def prepare(self, bench):
        """A port and the command that serves on it."""
        port = free_port()
        folder = bench.work / self.name.replace(" ", "-")
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        values = {"@PORT@": str(port), "@FOLDER@": str(folder),
                  "@DESCRIPTORS@": str(descriptor_limit())}
        for name in self.files:
            text = (BENCH / "peers" / name).read_text(encoding="utf-8")
            for mark, value in values.items():
                text = text.replace(mark, value)
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
        return port, folder, [str(word) for word in self.command(port, folder)]

    def start(self, bench, ready="/json"):
        port, folder, command = self.prepare(bench)
        process = Process(command, port, folder)
        process.wait_until_it_answers(ready)
        return process


def retrylab(scenario, name="retrylab"):
    """`scenario`: a path."""
    return Server(name, lambda port, folder: [
        BUILD / "retrylab", "serve", scenario, "--port", port])


MODULES = BUILD / "peers" / "node_modules"


def nginx(port, folder):
    return ["nginx", "-e", "/dev/null", "-c", folder / "nginx.conf"]


def mountebank(port, folder):
    return ["node", MODULES / "mountebank/bin/mb", "start", "--configfile",
            folder / "mountebank.json", "--port", free_port(), "--host", "127.0.0.1",
            "--nologfile", "--loglevel", "error", "--pidfile", folder / "pid"]


def mockoon(port, folder):
    return ["node", MODULES / "@mockoon/cli/bin/run.js", "start", "--data",
            folder / "mockoon.json", "--disable-log-to-file", "--disable-admin-api"]


def mockttp(port, folder):
    # It finds the library from the folder that the file is in.
    target = MODULES.parent / "mockttp.mjs"
    shutil.copy(BENCH / "peers/mockttp.mjs", target)
    return ["node", target, port]


def wiremock(*flags):
    def command(port, folder):
        jar = next((MODULES / "wiremock/build").glob("wiremock-standalone-*.jar"))
        return ["java", "-jar", jar, "--port", port, "--root-dir", folder / "wiremock",
                "--disable-banner", *flags]
    return command


RETRYLAB = retrylab(BENCH / "scenarios/plain.json")
WIREMOCK_FILES = ("wiremock/mappings/answers.json",)
PEERS = {server.name: server for server in (
    Server("nginx", nginx, ("nginx.conf",)),
    Server("mountebank", mountebank, ("mountebank.json",), from_npm=True),
    Server("mockoon", mockoon, ("mockoon.json",), from_npm=True),
    Server("mockttp", mockttp, from_npm=True),
    Server("wiremock", wiremock(), WIREMOCK_FILES, from_npm=True),
    Server("wiremock-async", wiremock("--async-response-enabled", "true"), WIREMOCK_FILES,
           from_npm=True),
)}
