# SPDX-License-Identifier: MIT
from bench import BENCH, load
from goal import Goal
from servers import retrylab
from turns import Subject

NAME = "script"
ABOUT = "operations of three POSTs with a JSON body and a key, answered 503, 503, 201"
KEEPS_SERVERS = True
FIGURES = {"per_second": ("requests/s", 0), "wrong": ("wrong", 0)}
GOALS = [
    Goal("requests/s, of the plain GET's", "per_second", of="script", to="plain GET",
         at_least=0.7),
    Goal("answers out of order", "wrong", of="script", at_most=0, every=True),
]
POST = ["--method", "POST", "--path", "/v1/payments", "--key", "--expect", "503,503,201",
        "--body", '{"amount":1999,"currency":"EUR","source":"card_0123456789"}']


def subjects(bench):
    server = retrylab(BENCH / "scenarios/script.json")
    return [Subject("plain GET", server, {"words": ["--path", "/json"]}),
            Subject("script", server, {"words": POST})]


def measure(bench, subject, process):
    result = load("throughput", "--port", process.port, *subject.settings["words"],
                  "--duration-ms", round(bench.seconds(3) * 1000))
    return {"per_second": result["per_second"], "wrong": result["wrong"]}
