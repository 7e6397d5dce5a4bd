# SPDX-License-Identifier: MIT
"""audit_all.py [--full] [NAME...]: audits the clients of clients.json that have no result yet, a few
at a time, and writes docs/clients.md. Started by scripts/clients, in the project's root; with names,
it audits these again."""
import argparse
import concurrent.futures
import datetime
import json
import os
import pathlib
import shutil
import subprocess
import sys

import page
import versions

HERE = pathlib.Path(__file__).parent
RESULTS = pathlib.Path("build/clients/results")
RETRYLAB = os.environ.get("RETRYLAB_BINARY", "build/release/retrylab")


def slug(name):
    return "".join(letter if letter.isalnum() else "-" for letter in name.lower()).strip("-")


def result_file(client):
    return RESULTS / f"{slug(client['name'])}.json"


def card_file(client):
    """Its policy, for `retrylab simulate --policy`."""
    return RESULTS / f"{slug(client['name'])}.card.json"


def audit(client, full, jobs):
    """Runs one audit; its result is written whole or not at all. Returns what to say of it."""
    scratch = result_file(client).with_suffix(".part")
    flags = ["--jobs", str(jobs), *([] if full else ["--quick", "--timeout", "40s"])]
    done = subprocess.run([RETRYLAB, "audit", "--seed", "1", "--json", str(scratch), "--card",
                           str(card_file(client)), *flags, "--",
                           *client["command"]], text=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode not in (0, 1, 5):
        return f"{client['name']}: exit code {done.returncode}\n{done.stdout[-1500:]}"
    result = {"name": client["name"], "versions": versions.of(client),
              "date": datetime.date.today().isoformat(), "audit": json.loads(scratch.read_text())}
    result_file(client).write_text(json.dumps(result, indent=1))
    scratch.unlink()
    return f"{client['name']}: {result['audit']['overall']}"


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--full", action="store_true")
    options.add_argument("--at-once", type=int, default=2, help="clients at once")
    options.add_argument("--jobs", type=int, default=6, help="processes of one client at once")
    options.add_argument("names", nargs="*")
    options = options.parse_args()
    clients = json.loads((HERE / "clients.json").read_text())
    if unknown := set(options.names) - {client["name"] for client in clients}:
        sys.exit(f"no such client: {', '.join(sorted(unknown))}")
    RESULTS.mkdir(parents=True, exist_ok=True)
    by_name = {client["name"]: client for client in clients}
    due = [by_name[name] for name in options.names] if options.names else [
        client for client in clients if not result_file(client).exists()]
    here = [client for client in due if shutil.which(client["command"][0])]
    for client in due:
        if client not in here:
            print(f"{client['name']}: left out, {client['command'][0]} is not here")
    with concurrent.futures.ThreadPoolExecutor(options.at_once) as pool:
        for line in pool.map(lambda one: audit(one, options.full, options.jobs), here):
            print(line, flush=True)
    pathlib.Path("docs/clients.md").write_text(page.text(
        [(client, json.loads(result_file(client).read_text()))
         for client in clients if result_file(client).exists()],
        json.loads((HERE / "remarks.json").read_text()),
        [client["name"] for client in clients if not result_file(client).exists()]))


main()
