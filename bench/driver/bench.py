# SPDX-License-Identifier: MIT
"""Where things are, and how to call the load programs."""

import json
import os
import random
import socket
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BENCH = ROOT / "bench"
BUILD = ROOT / "build" / "bench"


class Bench:
    def __init__(self, peers, rounds, quick):
        self.peers = peers
        self.rounds = rounds
        self.quick = quick
        self.started = time.strftime("%Y-%m-%dT%H-%M-%S")
        self.results = BUILD / "results" / self.started
        self.work = BUILD / "work"
        self.results.parent.mkdir(parents=True, exist_ok=True)
        self.work.mkdir(parents=True, exist_ok=True)

    def seconds(self, whole):
        """The length of a timed load: a --quick one is half as long."""
        return whole / 2 if self.quick else whole


def load(*words):
    """Runs retrylab-load and gives its result."""
    command = [str(BUILD / "retrylab-load"), *map(str, words)]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True)
    return json.loads(done.stdout.splitlines()[-1])


class Holding:
    """Connections held by `retrylab-load hold` for as long as the with-block lasts."""

    def __init__(self, *words):
        self._command = [str(BUILD / "retrylab-load"), "hold", *map(str, words)]
        self.result = None

    def __enter__(self):
        self._process = subprocess.Popen(self._command, stdin=subprocess.PIPE,
                                         stdout=subprocess.PIPE, text=True)
        self.open = json.loads(self._process.stdout.readline())["open"]
        return self

    def __exit__(self, *_):
        out, _ = self._process.communicate()
        self.result = json.loads(out.splitlines()[-1])


def free_port():
    """A port that nobody listens on, below those that connecting sockets are given."""
    with open("/proc/sys/net/ipv4/ip_local_port_range", encoding="ascii") as file:
        first = int(file.read().split()[0])
    while True:
        port = random.randrange(max(1024, first - 16000), first)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue


def descriptor_limit():
    return os.sysconf("SC_OPEN_MAX")
