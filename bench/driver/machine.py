# SPDX-License-Identifier: MIT
"""What the numbers were measured on and with."""

import json
import os
import platform
import re
import subprocess

from bench import ROOT, descriptor_limit
from servers import MODULES, PEERS


def first_line(*command):
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              cwd=ROOT, check=False)
    except OSError:
        return "not here"
    return (done.stdout.splitlines() or [""])[0].strip()


def value_of(path, key):
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith(key):
                return line.split(":", 1)[1].strip()
    return "unknown"


def load_average():
    return list(os.getloadavg())


def describe(bench):
    software = {"nginx": first_line("nginx", "-v"), "wrk": first_line("wrk", "-v"),
                "compiler": first_line("c++", "--version")}
    if any(PEERS[peer].from_npm for peer in bench.peers):
        software |= {"node": first_line("node", "-v"), "java": first_line("java", "-version")}
        for package in ("mountebank", "@mockoon/cli", "mockttp", "wiremock"):
            file = MODULES / package / "package.json"
            software[package] = json.loads(file.read_text(encoding="utf-8"))["version"]
    return {
        "when": bench.started,
        "commit": first_line("git", "describe", "--always", "--dirty"),
        "cpu": re.sub(r"\s+", " ", value_of("/proc/cpuinfo", "model name")),
        "cores": os.cpu_count(),
        "memory": value_of("/proc/meminfo", "MemTotal"),
        "kernel": platform.release(),
        "open_files": descriptor_limit(),
        "load_average": load_average(),
        "rounds": bench.rounds,
        "quick": bench.quick,
        "software": software,
    }
