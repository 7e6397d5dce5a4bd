# SPDX-License-Identifier: MIT
"""wrk: requests per second over kept-alive connections."""

import re
import subprocess


def wrk(port, path, seconds, connections=64):
    """(requests, requests per second)"""
    command = ["wrk", "-t1", f"-c{connections}", f"-d{max(1, round(seconds))}s",
               f"http://127.0.0.1:{port}{path}"]
    out = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout
    if "Non-2xx" in out:
        raise RuntimeError(out)
    requests = int(re.search(r"(\d+) requests in", out).group(1))
    per_second = float(re.search(r"Requests/sec:\s+([\d.]+)", out).group(1))
    return requests, per_second
