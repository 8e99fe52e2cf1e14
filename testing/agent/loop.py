"""An agent without a model: find the largest, edit, prove, and again, by calls of tools alone."""

import argparse
import asyncio
import difflib
import json
import pathlib
import re
import shutil
import subprocess
import tempfile

from edits import EDITS
from server import call, client, parameters

ROOT = pathlib.Path(__file__).resolve().parents[2]

# How a case is run: its input is made first, as `case.toml` says.
CASES = {
    "spark-round": {"count": 40_000, "before": "before.js", "after": "after.js", "language": "JavaScript"},
    "objectid": {"count": 250_000, "before": "before.js", "after": "after.js", "language": "JavaScript"},
    "line-count": {"count": 20, "before": "before.rb", "after": "after.rb", "language": "Ruby", "churn": True},
}

# Smaller findings are left.
LEAST = 0.01

# Rounds after which something must be wrong.
MOST = 12


def prepare(case, folder):
    """A copy of the case that may be changed, with its input."""
    source = ROOT / "cases" / case
    ignored = shutil.ignore_patterns("node_modules", "deadweight-captures", "figures", "test")
    shutil.copytree(source, folder, dirs_exist_ok=True, ignore=ignored)
    if (source / "node_modules").exists():
        (folder / "node_modules").symlink_to(source / "node_modules")
    if case == "line-count":
        (folder / "input").mkdir()
        subprocess.run(["ruby", "lib/pages.rb", "input"], cwd=folder, check=True)
    else:
        count = str(CASES[case]["count"])
        with open(folder / "input", "wb") as made:
            subprocess.run(["node", "generate.js", count], cwd=folder, check=True, stdout=made)


def megabytes(count):
    return f"{count / 1e6:,.2f} MB"


class Loop:
    def __init__(self, case, connected, folder):
        self.case, self.connected, self.folder = case, connected, folder
        self.settings = CASES[case]
        self.is_churn = self.settings.get("churn", False)
        self.lines = []

    def say(self, line=""):
        self.lines.append(line)
        print(line, flush=True)

    async def call(self, tool, **arguments):
        given = ", ".join(f"{name}={json.dumps(value)}" for name, value in arguments.items())
        self.say(f"→ {tool}({given})")
        return await call(self.connected, tool, **arguments)

    async def run(self, name):
        """Runs a program of the case and says what it weighs."""
        if self.is_churn:
            program = ["ruby", name, "input", str(self.settings["count"])]
            ran = await self.call("run", program=program, churn=True, operations=self.settings["count"])
        else:
            ran = await self.call("run", program=["node", name, "input"], seconds=600)
        assert ran["ended"] == "exit code 0", ran
        summary = ran["summary"]
        if self.is_churn:
            made = summary["made"]
            self.say(f"  {summary['weighing']}: made {megabytes(made['bytes'])}, needless {megabytes(made['dead'])}")
        else:
            self.say(
                f"  {summary['weighing']}: held {megabytes(summary['held']['bytes'])} and external"
                f" {megabytes(summary['external']['bytes'])}; dead weight"
                f" {megabytes(summary['held']['dead'] + summary['external']['dead'])}"
            )
        return summary, ran["output"]

    def total(self, summary):
        """What a fix is to bring down."""
        if self.is_churn:
            return summary["made"]["bytes"]
        return summary["held"]["bytes"] + summary["external"]["bytes"]

    async def largest(self, summary, done):
        """The largest finding with an edit, in this order: dead weight, then options."""
        rows, cursor = [], None
        while True:
            page = {"cursor": cursor} if cursor else {}
            found = await self.call("findings", weighing=summary["weighing"], **page)
            rows += found["findings"]
            cursor = found["next"]
            if cursor is None:
                break
        rows.sort(key=lambda row: (row["of"].endswith("options"), -row["saves_alone"]))
        for row in rows:
            if row["saves_alone"] < LEAST * self.total(summary):
                continue
            if self.is_churn and row["of"] == "made":
                return row, None
            for rule, holder, edit in EDITS[self.case]:
                fits = re.fullmatch(rule, row["rule"]) and re.search(holder, row["holder"])
                if fits and edit not in done:
                    return row, edit
        return None, None

    async def mend(self, summary, row, edit):
        """Reads what the finding says, and changes the source."""
        weighing, finding = summary["weighing"], row["finding"]
        self.say(f"  largest: {row['rule']} at {row['holder'] or row.get('line')}: {row['title']}")
        evidence = await self.call("finding", weighing=weighing, finding=finding)
        self.say(f"  saves {megabytes(evidence['finding']['saves_alone'])} alone; {evidence['finding']['tier']}")
        advice = await self.call("explain", rule=row["rule"], language=self.settings["language"], budget=8000)
        begin = next((i for i, line in enumerate(advice["page"]) if line.startswith("## How to fix")), 0)
        for line in [line for line in advice["page"][begin + 1 :] if line][:2]:
            self.say(f"  | {line}")
        path = self.folder / self.settings["before"]
        before = path.read_text()
        if edit is None:
            source = await self.call("source", weighing=weighing, finding=finding)
            rewrite = source["rewrites"][0]
            assert source["file"] == self.settings["before"], source
            lines = before.split("\n")
            first, count = rewrite["line"] - 1, len(rewrite["before"])
            assert lines[first : first + count] == rewrite["before"], rewrite
            lines[first : first + count] = rewrite["after"]
            path.write_text("\n".join(lines))
        else:
            path.write_text(edit(before))
        changed = difflib.unified_diff(before.split("\n"), path.read_text().split("\n"), lineterm="", n=0)
        for line in changed:
            if not line.startswith(("---", "+++", "@@")) and line[1:].strip():
                self.say(f"  {line}")

    async def prove(self, before, after):
        proof = await self.call("prove", before=before["weighing"], after=after["weighing"])
        part = proof["made"] if self.is_churn else proof
        total = part["measured"] if self.is_churn else sum(part["measured"].values())
        predicted = part["predicted"] if self.is_churn else sum(part["predicted"].values())
        mended = [fix for fix in part["fixes"] if fix["outcome"] in ("mended", "partly")]
        self.say(
            f"  proved: {len(mended)} shown as mended; predicted {megabytes(predicted)}, measured {megabytes(total)}"
        )
        return total

    async def work(self):
        self.say(f"# {self.case}")
        first, _ = await self.run(self.settings["before"])
        now, done = first, set()
        for _ in range(MOST):
            row, edit = await self.largest(now, done)
            if row is None:
                break
            done.add(edit)
            await self.mend(now, row, edit)
            after, _ = await self.run(self.settings["before"])
            measured = await self.prove(now, after)
            assert measured > 0, "the edit saved nothing"
            now = after
            if edit is None:
                break
        self.say("The program *after* of the case, to compare with:")
        goal, _ = await self.run(self.settings["after"])
        share = self.total(now) / self.total(goal) - 1
        self.say(
            f"From {megabytes(self.total(first))} to {megabytes(self.total(now))};"
            f" *after* {megabytes(self.total(goal))}: {share:+.1%}."
        )
        assert abs(share) <= 0.05, share


async def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("case", choices=CASES)
    arguments.add_argument("--transcript", type=pathlib.Path)
    arguments = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        prepare(arguments.case, folder)
        async with client(parameters(folder, "--allow-run")) as connected:
            loop = Loop(arguments.case, connected, folder)
            await loop.work()
        if arguments.transcript:
            arguments.transcript.write_text("\n".join(loop.lines) + "\n")


asyncio.run(main())
