# SPDX-License-Identifier: MIT
from bench import load
from goal import Goal
from rows._servers import everybody as subjects

NAME = "start"
ABOUT = "from starting the program to its first answer"
STARTS_ITSELF = True
FIGURES = {"first_answer_ms": ("first answer after, ms", 1)}
GOALS = [Goal("first answer after, ms", "first_answer_ms", at_most=10)]


def measure(bench, subject, process):
    port, _, command = subject.server.prepare(bench)
    return load("start", "--port", port, "--path", "/json", "--", *command)
