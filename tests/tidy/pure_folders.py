#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds the rules of the tree that no compiler holds.

Pure folders read no clock, no socket, no file, no thread, no entropy. Commands print by print.h.
Every source file says its licence. Nothing marked TODO(now) is left. Exits 1 and names file, line
and rule.
"""
import pathlib
import re
import sys

PURE = [
    "client_lib/base", "client_lib/retry", "server/wire", "server/scenario", "server/engine",
    "server/journal", "server/verify", "server/sim", "server/audit", "server/report",
]

BANNED_IN_PURE = [
    (r'#include <(thread|mutex|shared_mutex|condition_variable|future|atomic|stop_token)>', "thread"),
    (r'#include <(sys/socket\.h|netinet/.*|arpa/.*|poll\.h|sys/epoll\.h)>', "socket"),
    (r'#include <boost/(asio|beast).*>', "socket"),
    (r'#include <(fstream|filesystem|fcntl\.h|unistd\.h)>', "file"),
    (r'#include <(ctime|time\.h|sys/time\.h)>', "clock"),
    (r'(system|steady|high_resolution)_clock::now', "clock"),
    (r'\bclock_gettime\s*\(', "clock"),
    (r'\b(sleep_for|sleep_until|usleep|nanosleep)\s*\(', "sleep"),
    (r'\brandom_device\b|\bgetrandom\s*\(|\bs?rand\s*\(', "entropy"),
    (r'std::\w+_distribution\b', "distribution that differs between libraries"),
    (r'\bgetenv\s*\(', "environment"),
]

# A count of owners is no thread: runs hand their records to others.
ALLOWED = {"server/journal/text.h": "#include <atomic>"}

# A stream that cannot be written ends no program: server/cli/print.h.
BANNED_IN_COMMANDS = [
    (r'\bfmt::print\(|\bstd::(cout|cerr)\b|\bf?(printf|puts)\(', "way to print past print.h"),
]

BANNED_ANYWHERE = [
    (r'TODO\(now\)', "TODO(now)"),
    (r'\busing namespace std;', "using namespace std"),
    (r'^[^/]*\bstd::(views::|ranges::(equal_range|find_end|partition|remove(_if)?|rotate|search(_n)?|'
     r'stable_partition|subrange|unique)\b)', "a subrange or view, which clang 14 cannot compile"),
]


def sources(root):
    for folder in ("client_lib", "server", "testing", "tests", "bench", "examples", "scenarios"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".cc", ".h"):
                yield path


def code_of(line):
    return line.split("//", 1)[0]


def problems(root):
    for path in sources(root):
        name = path.relative_to(root).as_posix()
        lines = path.read_text(encoding="utf-8").splitlines()
        if not lines or "SPDX-License-Identifier: MIT" not in lines[0]:
            yield f"{name}:1: the first line is not the SPDX licence line"
        if path.suffix == ".h" and "#pragma once" not in lines:
            yield f"{name}:1: a header without #pragma once"
        pure = any(name.startswith(folder + "/") for folder in PURE)
        for number, line in enumerate(lines, start=1):
            for pattern, what in BANNED_IN_PURE if pure and ALLOWED.get(name) != line else []:
                if re.search(pattern, code_of(line)):
                    yield f"{name}:{number}: a pure folder uses a {what}: {line.strip()}"
            for pattern, what in BANNED_IN_COMMANDS if name.startswith("server/cli/") else []:
                if re.search(pattern, code_of(line)):
                    yield f"{name}:{number}: a {what}: {line.strip()}"
            for pattern, what in BANNED_ANYWHERE:
                if re.search(pattern, line):
                    yield f"{name}:{number}: {what}"


def self_test():
    """The patterns catch what they are for; a check that cannot fail proves nothing."""
    caught = [
        "#include <thread>", "auto t = std::chrono::steady_clock::now();", "std::random_device d;",
        "#include <fstream>", "#include <boost/asio.hpp>", "std::uniform_int_distribution<int> d;",
    ]
    for line in caught:
        if not any(re.search(pattern, line) for pattern, _ in BANNED_IN_PURE):
            sys.exit(f"self test: not caught: {line}")
    for line, wanted in [("  std::ranges::unique(all);", True), ("  std::ranges::sort(all);", False),
                         ("// Not std::ranges::search: clang 14", False)]:
        if any(re.search(pattern, line) for pattern, _ in BANNED_ANYWHERE) != wanted:
            sys.exit(f"self test: {line}")


def main():
    self_test()
    found = list(problems(pathlib.Path(sys.argv[1])))
    for problem in found:
        print(problem)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
