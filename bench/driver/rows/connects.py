# SPDX-License-Identifier: MIT
from bench import load
from goal import Goal
from rows._servers import everybody as subjects

NAME = "connects"
ABOUT = "2,000 connects at one instant, each followed by a request"
KEEPS_SERVERS = True
FIGURES = {"slowest_ms": ("slowest connect, ms", 0), "answer_ms": ("slowest answer, ms", 0),
           "lost": ("lost", 0)}
GOALS = [
    Goal("slowest connect, ms", "slowest_ms", at_most=250),
    Goal("clients without an answer", "lost", at_most=0, every=True),
]


def measure(bench, subject, process):
    result = load("connects", "--port", process.port, "--path", "/json", "--clients", 2000)

    def slowest_ms(figure):
        value = result[figure]["max"]
        return None if value is None else value / 1000

    return {"slowest_ms": slowest_ms("connect_us"), "answer_ms": slowest_ms("answer_us"),
            "lost": result["clients"] - result["answered"]}
