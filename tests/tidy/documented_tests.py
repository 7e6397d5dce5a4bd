#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds the table of rules and tests in docs/client.md to the tree.

Every test named there exists, every row of a table test named in brackets exists, and every rule of
docs/rules.md has a line. Exits 1 and names what is missing.
"""
import pathlib
import re
import sys

HEADING = "## The rules, and the tests that hold them"


def table_of(page):
    """(rules, tests) per line of the table."""
    section = page.split(HEADING, 1)[1]
    for line in section.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("| ") and len(cells) == 2 and cells[0] != "rule":
            yield cells[0], cells[1]


def expanded(rules):
    """"BO-2 to BO-4, BO-7" -> BO-2, BO-3, BO-4, BO-7."""
    for part in rules.split(","):
        match = re.fullmatch(r"([A-Z]+)-(\d+)(?: to \1-(\d+))?", part.strip())
        if not match:
            sys.exit(f"docs/client.md: not a rule: {part!r}")
        family, first, last = match[1], int(match[2]), int(match[3] or match[2])
        for number in range(first, last + 1):
            yield f"{family}-{number}"


def tests_in(root):
    """Suite.name of every test, and the text of all test sources."""
    names, text = set(), ""
    for path in sorted((root / "tests").rglob("*_test.cc")):
        source = path.read_text(encoding="utf-8")
        text += source
        names |= {f"{suite}.{name}"
                  for suite, name in re.findall(r"\bTEST(?:_P|_F)?\((\w+),\s*(\w+)\)", source)}
    return names, text


def missing(held_by, names, text):
    for named in re.findall(r"`([^`]+)`", held_by):
        if named.endswith(".*"):
            found = any(name.startswith(named[:-1]) for name in names)
        elif "." in named:
            found = named in names
        else:  # a row of a table test; "cut_…": rows that begin so
            closing = "" if named.endswith("…") else '"'
            found = f'{{"{named.rstrip("…")}{closing}' in text
        if not found:
            yield named


def problems(root):
    names, text = tests_in(root)
    listed = set()
    for rules, held_by in table_of((root / "docs/client.md").read_text(encoding="utf-8")):
        listed |= set(expanded(rules))
        for name in missing(held_by, names, text):
            yield f"docs/client.md: {rules}: there is no test {name}"
    known = set(re.findall(r"^\| ([A-Z]+-\d+) \|", (root / "docs/rules.md").read_text("utf-8"), re.M))
    for rule in sorted(known - listed):
        yield f"docs/client.md: no line for {rule}"


def self_test():
    names, text = {"Suite.one"}, '{"cut_in_the_head",'
    assert not list(missing("`Suite.one`, `Suite.*` (`cut_…`, `cut_in_the_head`)", names, text))
    assert list(missing("`Suite.two`, `Other.*` (`cut`)", names, text)) == ["Suite.two", "Other.*", "cut"]
    assert list(expanded("BO-2 to BO-4, ID-7")) == ["BO-2", "BO-3", "BO-4", "ID-7"]


def main():
    self_test()
    found = list(problems(pathlib.Path(sys.argv[1])))
    for problem in found:
        print(problem)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
