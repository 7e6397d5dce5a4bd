# SPDX-License-Identifier: MIT
from goal import BEST_PEER, Goal
from rows._servers import everybody as subjects
from rows._wrk import wrk

NAME = "throughput"
ABOUT = "a 60-byte JSON answer over 64 kept-alive connections, by wrk; retrylab's journal is on"
KEEPS_SERVERS = True
FIGURES = {"per_second": ("requests/s", 0), "cpu_us": ("server CPU per request, µs", 1)}
GOALS = [
    Goal("requests/s, of nginx's", "per_second", at_least=1.0, to="nginx"),
    Goal("requests/s, of the best peer's", "per_second", at_least=8, to=BEST_PEER),
    Goal("CPU per request, of nginx's", "cpu_us", at_most=1.1, to="nginx"),
]


def measure(bench, subject, process):
    cpu_before = process.cpu_seconds()
    requests, per_second = wrk(process.port, "/json", bench.seconds(4))
    cpu = process.cpu_seconds() - cpu_before
    return {"per_second": per_second, "cpu_us": cpu / requests * 1e6}
