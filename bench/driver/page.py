# SPDX-License-Identifier: MIT
"""What docs/performance.md shows of a comparison, as Markdown to be put there as it is: how it was
measured, one table of all figures with a column per server, one of the goals."""

import shlex
import sys

from cells import significant, spread

OWN = "retrylab"


def page(machine, measured, judged, load_at_end):
    """`measured`: pairs of a row and its rounds; `judged`: (row's name, goal, verdict)."""
    return [*how(machine, load_at_end), "", *figures(measured), "", *goals(judged)]


def how(machine, load_at_end):
    command = shlex.join(["bench/compare", *(word for word in sys.argv[1:])])
    return [
        f"`{command}` at commit {machine['commit']}, built with -O2, {machine['cores']} cores "
        f"({machine['cpu']}, Linux {machine['kernel']}), load average "
        f"{machine['load_average'][0]:.1f} at the beginning, {load_at_end[0]:.1f} at the end. "
        f"Median (least to greatest) of {machine['rounds']} rounds."
    ]


def columns(measured):
    """retrylab and the servers that were measured beside it, in the order of their first row."""
    servers = [OWN]
    for _, rounds in measured:
        if OWN in rounds[0]:
            servers += [name for name in rounds[0]
                        if name not in servers and not name.startswith(OWN)]
    return servers


def figures(measured):
    servers = columns(measured)
    lines = ["| | " + " | ".join(servers) + " |", "|---|" + "---|" * len(servers)]
    for row, rounds in measured:
        for figure, (head, decimals) in row.FIGURES.items():
            lines += figure_lines(f"{row.NAME}: {head}", figure, decimals, rounds, servers)
    return lines


def figure_lines(label, figure, decimals, rounds, servers):
    def cell(subject):
        values = [r.get(subject, {}).get(figure) for r in rounds]
        return spread([value for value in values if value is not None], decimals)

    lines = []
    if OWN in rounds[0]:
        lines.append(f"| {label} | " + " | ".join(map(cell, servers)) + " |")
    # Other settings of our own have lines of their own.
    for subject in rounds[0]:
        if subject not in servers and cell(subject) != "–":
            lines.append(f"| {label}, {subject} | {cell(subject)} |" + " |" * (len(servers) - 1))
    return lines


def goals(judged):
    lines = ["| goal | wanted | measured (median of the rounds) | |", "|---|---|---|---|"]
    for name, goal, verdict in judged:
        wanted = (f"≥ {significant(goal.at_least)}" if goal.at_least is not None
                  else f"≤ {significant(goal.at_most)}")
        if verdict is None:
            lines.append(f"| {name}: {goal.text} | {wanted} | | not measured |")
            continue
        counts, least, most, reached = verdict
        lines.append(f"| {name}: {goal.text} | {wanted} | {significant(counts)} "
                     f"({significant(least)} to {significant(most)}) | "
                     f"{'reached' if reached else 'not reached'} |")
    return lines
