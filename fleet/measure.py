#!/usr/bin/env python3
"""How fast a fleet takes weighings in and answers: `python3 measure.py [WEIGHINGS]` after

    cargo build --release --bins --examples

For each step: seconds on the clock, seconds of all cores, and the most memory. What else runs on the machine is in the
first figure and not in the second.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
PROFILE = os.environ.get("DEADWEIGHT_PROFILE", "release")
PROGRAM = HERE / "target" / PROFILE / "deadweight-fleet"
GENERATE = HERE / "target" / PROFILE / "examples" / "generate"


def run(name, arguments, place, count=0, **streams):
    start = time.monotonic()
    process = subprocess.Popen([PROGRAM, "--dataset", place, *arguments], **{"stdout": subprocess.DEVNULL, **streams})
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    elapsed = time.monotonic() - start
    if process.returncode != 0:
        sys.exit(f"{name} ended with {process.returncode}")
    cores = used.ru_utime + used.ru_stime
    rate = f"  {count / elapsed:,.0f} a second, {cores / count * 1e6:,.0f} µs of a core each" if count else ""
    print(f"{name:28} {elapsed:8.2f} s {cores:8.2f} s of cores {used.ru_maxrss / 1024:7.0f} MiB{rate}", flush=True)


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/var/tmp")) as home:
        home = pathlib.Path(home)
        lines, place = home / "weighings.jsonl", home / "fleet"
        with open(lines, "wb") as out:
            subprocess.run([GENERATE, str(count)], stdout=out, check=True)
        load = ", ".join(f"{one:.1f}" for one in os.getloadavg())
        print(f"{count:,} weighings, {lines.stat().st_size / count:,.0f} bytes each; load before: {load}")
        with open(lines, "rb") as source:
            run("ingest", ["ingest", "-"], place, count, stdin=source)
        questions = [("top", ["top"]), ("trend", ["trend"]), ("regressions", ["regressions"])]
        for name, arguments in questions:
            run(f"{name}, not compacted", arguments, place)
        run("compact", ["compact"], place)
        for name, arguments in questions:
            run(name, arguments, place)
        with open(lines, "rb") as source:
            run("ingest of what is known", ["ingest", "-"], place, count, stdin=source)
        files = [path for path in place.rglob("*.parquet")]
        print(f"{sum(path.stat().st_size for path in files) / 1e6:,.1f} MB in {len(files)} files, old ones included")


main()
