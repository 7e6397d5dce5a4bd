# SPDX-License-Identifier: MIT
"""A Python test must not hide another of the same name: the first would never run."""
import ast
import collections
import pathlib
import sys

FOLDERS = ("tests", "bindings", "examples", "bench", "scripts")


def hidden(source):
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, (ast.Module, ast.ClassDef)):
            continue
        names = collections.Counter(
            part.name for part in node.body
            if isinstance(part, ast.FunctionDef) and not part.decorator_list)
        yield from (name for name, count in names.items() if count > 1)


def problems(root):
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.py")):
            for name in hidden(path.read_text()):
                yield f"{path.relative_to(root)}: {name} is defined twice"


def self_test():
    assert list(hidden("class A:\n def test_a(self): 0\n def test_a(self): 1\n")) == ["test_a"]
    assert not list(hidden("class A:\n def a(self): 0\nclass B:\n def a(self): 1\n"))


if __name__ == "__main__":
    self_test()
    found = list(problems(pathlib.Path(sys.argv[1])))
    print(*found, sep="\n")
    sys.exit(1 if found else 0)
