"""`deadweight check`, and a message that says what it says."""

import json
import os
import subprocess


def program():
    return os.environ.get("DEADWEIGHT", "deadweight")


def call(arguments):
    """Runs the command. The recorder of this process is not for that one."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("DEADWEIGHT_")}
    try:
        return subprocess.run([program(), *arguments], capture_output=True, text=True, env=environment, check=False)
    except OSError as error:
        raise RuntimeError(
            f"deadweight could not be started: {program()} (install it, or set DEADWEIGHT to where it is)"
        ) from error


def run(directory, budget, paths):
    """What is broken, and the figures."""
    config = os.path.join(directory, "deadweight.toml")
    with open(os.open(config, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(budget)
    done = call(["--quiet", "check", "--config", config, "--format", "json", *paths])
    if done.returncode not in (0, 1):
        raise RuntimeError(f"deadweight could not check: {(done.stderr or done.stdout).strip()}")
    return json.loads(done.stdout)


def failure(what, checked):
    """The lines of a failed assertion; None when all limits hold."""
    broken = checked["broken"]
    if not broken:
        return None
    limits = "a limit" if len(broken) == 1 else f"{len(broken)} limits"
    lines = [f"{what} breaks {limits}"]
    seen = set()
    for each in broken:
        lines.append(f"  {_headline(each)}")
        finding = each.get("finding")
        if finding is None:
            continue
        if finding["fingerprint"] in seen:
            lines.append(f"    {finding['rule']} at {_place(finding)}, as above")
            continue
        seen.add(finding["fingerprint"])
        objects = f"{finding['count']} objects; " if finding["count"] else ""
        lines += [
            f"    {finding['rule']} at {_place(finding)}: {finding['title']}",
            f"      {objects}the fix saves {_size(finding['saves'])}",
            f"      fix: {finding['fix']}",
        ]
    return "\n".join(lines)


def _headline(each):
    kind, what = next(iter(each["what"].items()))
    if kind == "bytes":
        return f"{what['of']}: {_size(what['found'])} ({what['found']} bytes), more than {_size(what['most'])}"
    if kind == "share":
        return f"{what['of']}: {what['found'] * 100:.1f} %, more than {what['most'] * 100:.1f} %"
    if kind == "new":
        return f"{each['finding']['rule']} is not allowed here: {_size(what['saves'])} of dead weight"
    return f"{what['of']}: not measurable: {what['why']}"


def _place(finding):
    site = finding.get("site")
    return " ".join(part for part in (finding["holder"], site and f"({site})") if part)


def _size(count):
    if count < 1000:
        return f"{count} B"
    return f"{count / 1e3:.1f} kB" if count < 1_000_000 else f"{count / 1e6:.1f} MB"
