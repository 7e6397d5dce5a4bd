# SPDX-License-Identifier: MIT
"""Takes turns: in each round every subject of a row is measured once, each round beginning with
another one, so that a change of the machine meets all of them."""

import sys
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Subject:
    name: str
    server: object
    settings: dict = field(default_factory=dict)  # what the row's measure() has to know


def take(bench, row):
    """A list with one dict per round: subject -> figure -> number."""
    subjects = row.subjects(bench)
    running = {}
    rounds = [{} for _ in range(bench.rounds)]
    try:
        if getattr(row, "KEEPS_SERVERS", False):
            for subject in subjects:
                running[subject.name] = subject.server.start(bench)
                row.measure(bench, subject, running[subject.name])  # warm
        for number, figures in enumerate(rounds):
            first = number % len(subjects)
            for subject in subjects[first:] + subjects[:first]:
                say(f"{row.NAME} {number + 1}/{bench.rounds} {subject.name}")
                figures[subject.name] = one_turn(bench, row, subject, running)
    finally:
        for process in running.values():
            process.stop()
        say("")
    return rounds


def one_turn(bench, row, subject, running):
    if subject.name in running:
        return row.measure(bench, subject, running[subject.name])
    if getattr(row, "STARTS_ITSELF", False):
        return row.measure(bench, subject, None)
    process = subject.server.start(bench)
    try:
        return row.measure(bench, subject, process)
    finally:
        process.stop()


def say(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
    elif text:
        print(text, file=sys.stderr, flush=True)
