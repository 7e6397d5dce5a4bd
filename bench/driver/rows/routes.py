# SPDX-License-Identifier: MIT
import json

from bench import load
from goal import Goal
from servers import retrylab
from turns import Subject

NAME = "routes"
ABOUT = "10,000 routes, each asked for in turn, against one route"
KEEPS_SERVERS = True
FIGURES = {"per_second": ("requests/s", 0), "wrong": ("wrong", 0)}
MANY = 10_000
GOALS = [
    Goal("requests/s, of one route's", "per_second", of="10,000 routes", to="1 route",
         at_least=0.9),
    Goal("exchanges that went wrong", "wrong", of="10,000 routes", at_most=0, every=True),
]


def subjects(bench):
    return [Subject(name, retrylab(scenario(bench, count), name), {"paths": count})
            for name, count in (("1 route", 1), ("10,000 routes", MANY))]


def scenario(bench, count):
    """Numbers begin at 0; the server that has one route knows only that one."""
    answer = {"status": 200, "headers": {"Content-Type": "application/json"},
              "body": '{"id":"pay_0123456789","status":"succeeded","amount":123456}'}
    routes = [{"on": f"GET /v1/things/{number}", "script": [answer]} for number in range(count)]
    routes.append({"on": "GET /json", "script": [answer]})
    file = bench.work / f"routes-{count}.json"
    file.write_text(json.dumps({"name": f"bench-routes-{count}", "routes": routes}))
    return file


def measure(bench, subject, process):
    result = load("throughput", "--port", process.port, "--path", "/v1/things/{}", "--paths",
                  subject.settings["paths"], "--duration-ms", round(bench.seconds(3) * 1000))
    return {"per_second": result["per_second"], "wrong": result["wrong"]}
