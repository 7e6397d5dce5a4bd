# SPDX-License-Identifier: MIT
"""studies.py RETRYLAB [PERCENT]: herd studies that are scenarios, by `retrylab simulate`.

Prints the section of docs/simulation.md: for each number the reference, ours, and the deviation in
standard errors. PERCENT of the full number of seeds, 100 when it is left out. Run from the root.
"""
import json
import math
import statistics
import subprocess
import sys

RETRYLAB = sys.argv[1]
PERCENT = int(sys.argv[2]) if len(sys.argv) > 2 else 100

AT_ONCE = "attempts=4,base=0ms,cap=0ms,jitter=none,deadline=none,attempt_timeout=none"
WITHOUT_WAITS = ("base=0ms,cap=0ms,jitter=none,deadline=none,attempt_timeout=none,breaker=null,"
                 "throttle_base=null,statuses=[429,503]")
# A tenth of a token per first try, room for five, a retry needs more than one.
TENTH = ('budget={"kind":"tokens","capacity":5,"retry_cost":1,"timeout_cost":1,"throttle_cost":1,'
         '"first_try_gain":0.1,"success_gain":0,"refund_on_success":false,"floor":1}')


def simulate(scenario, *arguments):
    """What `retrylab simulate` says as JSON, of the first policy; and the command."""
    command = ["simulate", f"scenarios/studies/{scenario}.json", *arguments, "--seed", "1"]
    done = subprocess.run([RETRYLAB, *command, "--json", "-"], check=True, capture_output=True,
                          text=True)
    words = [f"'{word}'" if set(word) & set("\"{}[]*") else word for word in command]
    return json.loads(done.stdout)["points"][0]["policies"][0], "retrylab " + " ".join(words)


def deviation(ours, error, reference, reference_error=0.0):
    if error == 0 and reference_error == 0:
        return "exact" if ours == reference else "DIFFERS"
    return f"{(ours - reference) / math.hypot(error, reference_error):+.2f}"


def row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |")


def independent_failures(commands):
    seeds = max(10, 200 * PERCENT // 100)
    print(f"\n### Independent failures\n\n{seeds} seeds; as above, over the scenario's engine.\n")
    row("p, quantity", "reference", "ours", "deviation")
    row("---", "---:", "---:", "---:")
    for name, p, bucket in (("fails-one-in-ten", 0.1, (99.3, 109.9)),
                            ("fails-one-in-two", 0.5, (57.6, 114.2))):
        closed = 100 * (1 - p ** 4), 100 * (1 - p ** 4) / (1 - p)
        for what, policy, reference, exact in (
                ("three retries", AT_ONCE, closed, True),
                ("token bucket", f"{AT_ONCE},{TENTH}", bucket, False)):
            got, command = simulate(name, "--clients", "100", "--rate", "1000", "--for", "10s",
                                    "--network", "exponential:10ms", "--seeds", str(seeds),
                                    "--policy", policy)
            commands.append(command)
            for metric, unit, expected in (("success", "success %", reference[0]),
                                           ("amplification", "load %", reference[1])):
                runs = [100 * run for run in got["metrics"][metric]["runs"]]
                mean, spread = statistics.mean(runs), statistics.stdev(runs)
                # A published run has the error of one of ours, and was rounded.
                error = 0 if exact else math.hypot(spread, 0.03)
                row(f"{p}, {what}: {unit}", f"{expected:.2f}", f"{mean:.2f}",
                    deviation(mean, spread / math.sqrt(seeds), expected, error))


def growth(commands, seconds=20):
    # 101 clients: their distance is then a whole number of nanoseconds.
    got, command = simulate(
        "ten-thousand-a-second", "--clients", "101", "--rate", "10100", "--for", f"{seconds}s",
        "--even", "--network", "0ms", "--time-max", f"{seconds}s", "--policy",
        "attempts=4000000000,base=1s,cap=1s,jitter=none,deadline=none,attempt_timeout=none")
    commands.append(command)
    bins = got["per_100ms"]["arrivals"]
    arrivals = [sum(bins[10 * k:10 * k + 10]) for k in range(seconds)]
    wrong = [k for k in range(seconds) if arrivals[k] != 10_100 + 100 * k]
    print(f"\n### Fluid growth\n\n10,100 + 100 k attempts in second k: of {seconds} seconds "
          f"{len(wrong)} differ; the last had {arrivals[-1]:,}.")


def certificates(commands):
    print("\n### Budgets in a total outage\n")
    row("budget", "retries allowed", "ours", "deviation")
    row("---", "---:", "---:", "---:")
    grpc_100 = ('grpc,budget={"kind":"tokens","capacity":100,"retry_cost":0,"timeout_cost":0,'
                '"throttle_cost":0,"failure_cost":1,"success_gain":0.1,"refund_on_success":false,'
                '"floor":50}')
    sre = 'budget={"kind":"window","ratio":0.1,"of":"all_attempts","per_second":0,"window":"2m"}'
    finagle = 'budget={"kind":"window"}'
    for name, scenario, seconds, policy, least, most in (
            ("AWS 2.0, 5xx", "nothing-works", 10, f"aws-standard-2.0,{WITHOUT_WAITS}", 100, 100),
            ("AWS 2.1, transient", "nothing-works", 10, f"aws-standard-2.1,{WITHOUT_WAITS}", 35,
             35),
            ("AWS 2.1, throttling", "everything-throttled", 10,
             f"aws-standard-2.1,{WITHOUT_WAITS}", 100, 100),
            ("gRPC, 10 tokens, 4 attempts", "nothing-works", 10, f"grpc,{WITHOUT_WAITS}", 3, 3),
            ("gRPC, 100 tokens, 4 attempts", "nothing-works", 10, f"{grpc_100},{WITHOUT_WAITS}", 37,
             37),
            ("Finagle default, 10 s at 100/s", "nothing-works", 10, f"{AT_ONCE},{finagle}", 300,
             300),
            ("Finagle default, 60 s at 100/s", "nothing-works", 60, f"{AT_ONCE},{finagle}", 1800,
             1800),
            ("SRE 10 % of all, 1000 operations", "nothing-works", 10, f"{AT_ONCE},{sre}", 111, 112),
            ("bucket of tenths, 1000 operations", "nothing-works", 10, f"{AT_ONCE},{TENTH}", 104,
             104)):
        got, command = simulate(scenario, "--clients", "1", "--rate", "100", "--for", f"{seconds}s",
                                "--even", "--policy", policy)
        commands.append(command)
        metrics = got["metrics"]
        retries = round(metrics["attempts"]["median"] - metrics["operations"]["median"])
        allowed = str(least) if least == most else f"{least} to {most}"
        row(name, allowed, retries, "exact" if least <= retries <= most else "DIFFERS")


def layers(commands):
    print("\n### Layers that each make four attempts\n")
    row("layers", "4^j", "attempts at the bottom", "deviation",
        "with the bucket in each, per 10,000 operations")
    row("---:", "---:", "---:", "---:", "---:")
    for count in range(1, 5):
        got, command = simulate("nothing-works", "--clients", "1", "--policy",
                                "+".join([AT_ONCE] * count))
        bounded, with_budgets = simulate("nothing-works", "--clients", "1", "--operations", "10000",
                                         "--policy", "+".join([f"{AT_ONCE},{TENTH}"] * count))
        if count == 3:
            commands += [command, with_budgets]
        attempts = round(got["metrics"]["attempts"]["median"])
        row(count, 4 ** count, attempts, deviation(attempts, 0, 4 ** count),
            round(bounded["metrics"]["attempts"]["median"]))


def main():
    commands = []
    print("\n## The same as scenarios\n\n"
          "Those of the studies whose server the scenario language can be, in `scenarios/studies`: "
          "answered by the\nscenario's own engine, byte by byte in HTTP, by the program itself. "
          "The commands are below.")
    independent_failures(commands)
    growth(commands)
    certificates(commands)
    layers(commands)
    print("\n### Commands\n\n```")
    for command in commands:
        print(command)
    print("```\n\n"
          "The others are code, since no scenario is such a server: contended clients need a row "
          "with\nversions; the collapse needs a latency that grows with the attempts in the server; "
          "the outage\nin front of a queue (and the stumble of docs/herds.md) a server that goes on "
          "with what nobody\nwaits for, while a scenario's `capacity` lets a place go when its "
          "client leaves. The lifetime\nshare is no policy of the client.")


main()
