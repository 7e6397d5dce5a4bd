# SPDX-License-Identifier: MIT
"""A small client for the smoke tests: client.py URL [--attempts N] [--wait S] [--timeout S].

GET until 200, at most N times, S seconds apart. Exit code 0 when it got 200, else 1."""
import argparse
import http.client
import time
import urllib.parse

parser = argparse.ArgumentParser()
parser.add_argument("url")
parser.add_argument("--attempts", type=int, default=2)
parser.add_argument("--wait", type=float, default=0.05)
parser.add_argument("--timeout", type=float, default=10)
options = parser.parse_args()
url = urllib.parse.urlsplit(options.url)

for attempt in range(options.attempts):
    if attempt > 0:
        time.sleep(options.wait)
    try:
        connection = http.client.HTTPConnection(url.hostname, url.port, timeout=options.timeout)
        connection.request("GET", url.path or "/")
        if connection.getresponse().status == 200:
            raise SystemExit(0)
    except OSError:
        pass
raise SystemExit(1)
