# SPDX-License-Identifier: MIT
from bench import load
from goal import BEST_PEER, Goal
from rows._servers import everybody as subjects

NAME = "newconn"
ABOUT = "a 60-byte JSON answer, a new connection for each request, 64 at a time"
KEEPS_SERVERS = True
FIGURES = {"per_second": ("requests/s", 0), "wrong": ("wrong", 0)}
GOALS = [
    Goal("requests/s, of nginx's", "per_second", at_least=0.9, to="nginx"),
    Goal("requests/s, of the best peer's", "per_second", at_least=1, to=BEST_PEER),
    Goal("exchanges that went wrong", "wrong", at_most=0, every=True),
]


def measure(bench, subject, process):
    result = load("throughput", "--port", process.port, "--path", "/json", "--new-connections",
                  "--duration-ms", round(bench.seconds(3) * 1000))
    return {"per_second": result["per_second"], "wrong": result["wrong"]}
