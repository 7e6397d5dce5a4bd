# SPDX-License-Identifier: MIT
"""Writes the raw numbers (NDJSON) and the tables (Markdown, also to stdout)."""

import json

import page
from cells import significant, spread


class Report:
    def __init__(self, base, machine):
        self._raw = open(base.with_suffix(".ndjson"), "w", encoding="utf-8")
        self._tables = open(base.with_suffix(".md"), "w", encoding="utf-8")
        self._machine = machine
        self._measured = []
        self._judged = []
        self._write(machine=machine)
        self._print(*about(machine))
        self._base = base

    def row(self, row, rounds):
        self._write(row=row.NAME, rounds=rounds)
        self._measured.append((row, rounds))
        self._print("", f"### {row.NAME}: {row.ABOUT}", "", *figures_table(row, rounds))
        for goal in row.GOALS:
            self._judged.append((row.NAME, goal, goal.judge(rounds)))

    def close(self, load_average):
        self._write(load_average_at_end=load_average)
        self._print("", "### Goals", "", *goals_table(self._judged), "",
                    "Load average: " + ", ".join(f"{load:.2f}" for load in load_average)
                    + " at the end.")
        self._print("", "### For docs/performance.md", "",
                    *page.page(self._machine, self._measured, self._judged, load_average))
        self._raw.close()
        self._tables.close()
        print(f"\nraw numbers: {self._base}.ndjson", flush=True)

    def _write(self, **values):
        self._raw.write(json.dumps(values) + "\n")
        self._raw.flush()

    def _print(self, *lines):
        for line in lines:
            print(line, flush=True)
            self._tables.write(line + "\n")
        self._tables.flush()


def about(machine):
    software = ", ".join(f"{name} {text}" for name, text in machine["software"].items())
    load = ", ".join(f"{value:.2f}" for value in machine["load_average"])
    return [
        f"{machine['when']}, commit {machine['commit']}: {machine['cores']} cores "
        f"({machine['cpu']}), {machine['memory']}, Linux {machine['kernel']}, "
        f"{machine['open_files']} open files. Load average {load} at the beginning.",
        f"{machine['rounds']} rounds" + (", quick" if machine["quick"] else "") + f". {software}.",
        "Median of the rounds (least to greatest).",
    ]


def figures_table(row, rounds):
    lines = ["| | " + " | ".join(head for head, _ in row.FIGURES.values()) + " |",
             "|---|" + "---|" * len(row.FIGURES)]
    for subject in rounds[0]:
        cells = []
        for figure, (_, decimals) in row.FIGURES.items():
            values = [r[subject].get(figure) for r in rounds]
            cells.append(spread([value for value in values if value is not None], decimals))
        lines.append(f"| {subject} | " + " | ".join(cells) + " |")
    return lines


def goals_table(judged):
    lines = ["| row | goal | wanted | measured | spread | |", "|---|---|---|---|---|---|"]
    for name, goal, verdict in judged:
        wanted = (f"≥ {significant(goal.at_least)}" if goal.at_least is not None
                  else f"≤ {significant(goal.at_most)}")
        if verdict is None:
            lines.append(f"| {name} | {goal.text} | {wanted} | not measured | | |")
            continue
        counts, least, most, reached = verdict
        lines.append(f"| {name} | {goal.text} | {wanted} | {significant(counts)} | "
                     f"{significant(least)} to {significant(most)} | "
                     f"{'reached' if reached else '**not reached**'} |")
    return lines
