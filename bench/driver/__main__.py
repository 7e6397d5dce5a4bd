# SPDX-License-Identifier: MIT
"""The comparison: python3 bench/driver (bench/compare prepares everything and calls it)."""

import argparse
import sys

import machine
import report
import rows
import servers
import turns
from bench import Bench


QUICK_PEERS = ["nginx", "mountebank"]


def names(text):
    return [name for name in text.split(",") if name]


def arguments():
    parser = argparse.ArgumentParser(
        prog="bench/compare",
        description="Measures retrylab beside nginx and other mock servers, in turns.",
        epilog="rows: " + "; ".join(f"{name}: {row.ABOUT}" for name, row in rows.ALL.items()),
    )
    parser.add_argument("--only", type=names, default=list(rows.ALL), metavar="ROW,...")
    parser.add_argument("--peers", type=names, metavar="SERVER,...",
                        help="any of " + ", ".join(servers.PEERS) + "; or none. Default: all; with "
                        "--quick " + ", ".join(QUICK_PEERS))
    parser.add_argument("--rounds", type=int, default=5, help="turns of each server (default 5)")
    parser.add_argument("--quick", action="store_true", help="three shorter rounds, fewer peers")
    parser.add_argument("--wants-npm", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.peers is None:
        chosen.peers = QUICK_PEERS if chosen.quick else list(servers.PEERS)
    chosen.peers = [peer for peer in chosen.peers if peer != "none"]
    for name in chosen.only:
        if name not in rows.ALL:
            parser.error(f"no row {name}; there are {', '.join(rows.ALL)}")
    for name in chosen.peers:
        if name not in servers.PEERS:
            parser.error(f"no peer {name}; there are {', '.join(servers.PEERS)}")
    return chosen


def main():
    chosen = arguments()
    if chosen.wants_npm:
        return 0 if any(servers.PEERS[peer].from_npm for peer in chosen.peers) else 1
    bench = Bench(peers=chosen.peers, quick=chosen.quick,
                  rounds=min(3, chosen.rounds) if chosen.quick else chosen.rounds)
    out = report.Report(bench.results, machine.describe(bench))
    for name in chosen.only:
        out.row(rows.ALL[name], turns.take(bench, rows.ALL[name]))
    out.close(machine.load_average())
    return 0


if __name__ == "__main__":
    sys.exit(main())
