# SPDX-License-Identifier: MIT
"""docs/clients.md from the results of audit_all.py and the remarks of those who looked at them."""
import collections

TOPICS = [("retry_after", "Retry-After"), ("backoff", "backoff"), ("limits", "limits"),
          ("idempotency", "idempotency"), ("connections", "connections"), ("errors", "errors")]

INTRODUCTION = """# How real clients retry

<!-- Written by scripts/clients; do not edit. Remarks are in tests/clients/remarks.json. -->

{count} clients in {languages} languages, each audited by `retrylab audit` in the {set} through an
[adapter](client-contract.md) of a few lines in `tests/clients`, which configures it for retries the
way its own documentation recommends and allows ten seconds per attempt. Versions are pinned and
named below; the audits are of {dates}. `scripts/clients` does it again.

A grade is about what a client does, not about what it promises: a client may break a rule on
purpose and say so in its manual. A remark says what a broken rule is taken for, and names its source:
documentation or source code that was opened for it. A remark is one of:

- **bug**: it contradicts the client's own documentation, or cannot be meant.
- **documented**: its documentation says so, or its source leaves no doubt that it is meant.
- **contested**: good clients differ, and the rule takes a side.
- **limit**: the client has no such feature.
"""



def broken_rules(audit):
    return [rule for rule in audit["rules"] if rule["status"] == "fail"]


def remarks_for(remarks, client, rule):
    """The remarks about this client and rule, each with the scenarios that it explains, and the
    scenarios that none does. A remark that names scenarios explains these alone; one that names the
    client comes before one about all."""
    fitting = [remark for remark in remarks if rule["id"] in remark["rules"] and
               (client in remark["clients"] or remark["clients"] == ["*"])]
    fitting.sort(key=lambda remark: (remark["clients"] == ["*"], "scenarios" not in remark))
    left = list(rule["scenarios"])
    found = []
    for remark in fitting:
        explained = [name for name in left if name in remark.get("scenarios", left)]
        if explained:
            found.append((remark, explained))
        left = [name for name in left if name not in explained]
    return found, left


def quoted(names, most=4):
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(f"`{name}`" for name in names[:most]) + more


def matrix(results):
    lines = ["| client | language | overall | " + " | ".join(name for _, name in TOPICS) +
             " | broken rules |", "|---" * (len(TOPICS) + 4) + "|"]
    for client, result in results:
        grades = {topic["topic"]: topic["grade"] for topic in result["audit"]["topics"]}
        broken = " ".join(rule["id"] for rule in broken_rules(result["audit"])) or "none"
        lines.append("| " + " | ".join(
            [f"[{client['name']}](#{anchor(client)})", client["language"],
             f"**{result['audit']['overall']}**",
             *(grades.get(topic, "not_seen").replace("not_seen", "-") for topic, _ in TOPICS),
             broken]) + " |")
    return "\n".join(lines)


def anchor(client):
    kept = [letter for letter in client["name"].lower() if letter.isalnum() or letter in " -_"]
    return "".join(kept).replace(" ", "-")


def rules_table(results):
    broken_by = collections.defaultdict(list)
    statements = {}
    for client, result in results:
        for rule in broken_rules(result["audit"]):
            broken_by[rule["id"]].append(client["name"])
            statements[rule["id"]] = rule["statement"]
    lines = ["| rule | says | broken by |", "|---|---|---|"]
    for rule, clients in sorted(broken_by.items(), key=lambda item: (-len(item[1]), item[0])):
        lines.append(f"| {rule} | {statements[rule]} | {len(clients)}: {', '.join(clients)} |")
    return "\n".join(lines)


def milliseconds(value):
    if value is None:
        return "-"
    return f"{value / 1000:g} s" if value >= 1000 else f"{value:.3g} ms"


def attempts_of(seen):
    if seen["most"] is None:
        return "-"
    return f"{seen['most']}{'+' if seen['without_end'] else ''}"


def backoff_of(seen):
    if seen is None:
        return "-"
    if seen["base_ms"] is None:
        return "at once" if seen["first_at_once"] else "-"
    text = f"{'at once, then ' if seen['first_at_once'] else ''}{milliseconds(seen['base_ms'])}"
    text += f" × {seen['factor']:.3g}" if seen["factor"] else ""
    return text + (f", cap {milliseconds(seen['cap_ms'])}" if seen["cap_ms"] else "")


def jitter_of(seen):
    if seen is None:
        return "-"
    kind = seen["jitter"] or "-"
    if seen.get("added_ms"):
        kind = f"up to {milliseconds(seen['added_ms'])} more"
    return f"{kind}{'' if seen['decided'] else '?'}"


def reactions_of(seen, method, key):
    probed = [one for one in seen if one["method"] == method and one["key"] == key]
    if not probed:
        return "-"
    return " ".join(one["what"] for one in probed if one["retried"] == "yes") or "nothing"


def waits_of(seen):
    forms = [name for form, name in (("seconds", "s"), ("date", "date"), ("old_dates", "old dates"))
             if seen[form] == "yes"]
    if not forms:
        return "no"
    text = " ".join(forms)
    if seen["clamp_ms"] is not None:
        text += f"; cut to {milliseconds(seen['clamp_ms'])}"
    if seen["replaced_ms"] is not None:
        text += f"; its own from {milliseconds(seen['replaced_ms'])} on"
    if seen["sleeps_on"] == "yes":
        text += "; sleeps a day"
    return text


def cards(results):
    lines = ["| client | attempts | waits | jitter | GET after | POST without a key after | "
             "POST with a key after | Retry-After | resends unseen |", "|---" * 9 + "|"]
    for client, result in results:
        seen = result["audit"]["findings"]
        lines.append("| " + " | ".join([
            client["name"], attempts_of(seen["attempts"]), backoff_of(seen["backoff"]),
            jitter_of(seen["backoff"]), reactions_of(seen["reactions"], "GET", False),
            reactions_of(seen["reactions"], "POST", False),
            reactions_of(seen["reactions"], "POST", True), waits_of(seen["retry_after"]),
            ", ".join(what for what in ("safe", "post") if seen["resends"][what] == "yes") or "none",
        ]) + " |")
    return "\n".join(lines)


def command_for(audit, rule):
    for scenario in audit["scenarios"]:
        if scenario["name"] == rule["scenarios"][0]:
            return "retrylab " + scenario["command"].split(" ", 1)[1]  # wherever it was
    return None


def finding(remarks, client, audit, rule):
    lines = [f"- ✗ **{rule['id']}** {rule['statement']}: {rule['evidence']}.",
             f"  In {quoted(rule['scenarios'])}."]
    found, left = remarks_for(remarks, client["name"], rule)
    for remark, explained in found:
        where = "" if explained == rule["scenarios"] else f" (in {quoted(explained)})"
        source = f" ([source]({remark['source']}))" if remark.get("source") else ""
        lines.append(f"  **{remark['kind']}**{where}: {remark['text']}{source}")
    if left:
        lines.append(f"  Not looked at by hand yet: {quoted(left)}.")
    if command := command_for(audit, rule):
        lines.append(f"  `{command}`")
    return "\n".join(lines)


def not_judged(audit):
    """"8 scenarios (it sends no key), 2 scenarios (...)"."""
    reasons = collections.Counter(scenario["reason"] for scenario in audit["scenarios"]
                                  if scenario["status"] == "not_applicable")
    return "; ".join(f"{count} {'scenario' if count == 1 else 'scenarios'}, {reason}"
                     for reason, count in reasons.most_common())


def section(client, result, remarks):
    audit = result["audit"]
    broken = broken_rules(audit)
    doubtful = [rule["id"] for rule in audit["rules"] if rule["status"] == "inconclusive"]
    lines = [f"### {client['name']}", "",
             f"{result['versions']}; overall {audit['overall']}. "
             f"[What it is told of retries]({client['docs']}); adapter `{client['adapter']}`.", ""]
    lines += [finding(remarks, client, audit, rule) for rule in broken] or ["No rule broken."]
    if doubtful:
        lines.append(f"- ? not decided by this audit: {', '.join(doubtful)}")
    if left := not_judged(audit):
        lines.append(f"- not judged: {left}")
    return "\n".join(lines)


def text(results, remarks, missing=()):
    dates = sorted({result["date"] for _, result in results})
    sets = {result["audit"]["quick"] for _, result in results}
    parts = [
        INTRODUCTION.format(
            count=len(results), languages=len({client["language"] for client, _ in results}),
            set={(True,): "quick set", (False,): "full set"}.get(tuple(sets), "quick or the full set"),
            dates=dates[0] if len(dates) == 1 else f"{dates[0]} to {dates[-1]}"),
        f"Not audited yet: {', '.join(missing)}.\n" if missing else "",
        "## The matrix\n", matrix(results), "\n## By rule\n", rules_table(results),
        "\n## Policy cards, as seen on the wire\n",
        "`?`: too few waits to be certain of the jitter. `+`: it was still trying when it was "
        "stopped. `-`: not probed, since a client that can send a key is given one.\n",
        cards(results), "\n## Client by client\n",
        "\n\n".join(section(client, result, remarks) for client, result in results)]
    return "\n".join(parts) + "\n"
