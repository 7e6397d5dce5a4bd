#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds schema.json to the same files and fragments as the decoder, and the reference to both.

usage: schema_test.py SCHEMA TEST_FOLDER CATALOGUE_FOLDER REFERENCE
"""
import json
import pathlib
import sys

import jsonschema


def wrap(context, fragment):
    """The whole scenario around a fragment of fragments.txt."""
    routes = [{"on": "POST /a", "script": [200], "creates": "payment"}]
    if context == "scenario":
        return {"name": "x", "routes": routes, **fragment}
    if context == "expect":
        return {"name": "x", "routes": routes, "expect": fragment}
    if context == "connection":
        return {"name": "x", "connections": [fragment], "routes": routes}
    if context == "outage":
        return {"name": "x", "outages": [fragment], "routes": routes}
    if context == "route":
        return {"name": "x", "routes": [{"on": "POST /a/{id}", "script": [200], **fragment}]}
    if context == "override":
        return {"name": "x", "routes": [{"on": "POST /a", "script": [200],
                                         "overrides": [fragment]}]}
    if context == "step":
        return {"name": "x", "routes": [{"on": "POST /a", "script": [fragment]}]}
    raise ValueError(context)


def fragments(path):
    """(line number, context, verdict, JSON text) of each row."""
    context = ""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.startswith("["):
            context = line.strip("[]")
        elif line.strip() and not line.startswith("#"):
            verdict, rest = line.split(None, 1)
            yield number, context, verdict, rest.split(" => ")[0]


def bad_files(path):
    """(file name, whether the schema can refuse it) of each file of mistakes.txt."""
    for line in path.read_text().splitlines():
        if line and not line.startswith(("#", " ")):
            name, verdict = line.split()
            yield name, verdict == "bad"


def words(node):
    """Every member name and every word of a closed set in the schema."""
    if isinstance(node, dict):
        for name, child in node.items():
            if name == "properties":
                yield from child
            if name == "enum":
                yield from (f'"{word}"' for word in child)
            yield from words(child)
    elif isinstance(node, list):
        for child in node:
            yield from words(child)


def main():
    schema_path, tests, catalogue, reference = map(pathlib.Path, sys.argv[1:])
    schema = json.loads(schema_path.read_text())
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    problems = []
    checked = 0

    def check(what, instance, wanted):
        nonlocal checked
        checked += 1
        errors = list(validator.iter_errors(instance))
        if wanted and errors:
            first = jsonschema.exceptions.best_match(errors)
            problems.append(f"{what}: refused: {first.json_path}: {first.message[:200]}")
        if not wanted and not errors:
            problems.append(f"{what}: accepted, but it is wrong")

    for path in sorted(tests.glob("good/*.json")) + sorted(catalogue.glob("*.json")):
        check(path.name, json.loads(path.read_text()), True)
    for name, can_refuse in bad_files(tests / "mistakes.txt"):
        try:
            instance = json.loads((tests / "bad" / name).read_text())
        except ValueError:  # not JSON at all, or not UTF-8
            continue
        check(f"bad/{name}", instance, not can_refuse)
    for number, context, verdict, text in fragments(tests / "fragments.txt"):
        check(f"fragments.txt:{number}", wrap(context, json.loads(text)), verdict != "bad")

    documented = reference.read_text()
    for word in sorted(set(words(schema))):
        plain = word.strip('"')
        if not any(f"{mark}{plain}{mark}" in documented for mark in ('"', "`")):
            problems.append(f"{reference.name} does not mention {word}")

    print("\n".join(problems) or f"{checked} scenarios agree with the schema")
    return 1 if problems or checked < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
