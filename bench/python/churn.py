"""What it costs a program to have recorded what it makes: CPU time beside the same program alone, in turns.

    churn.py DEADWEIGHT PYTHON RUNS [PROGRAM...]

The time is user's and system's of the process (`getrusage`), the end of the record included.
"""

import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
RECORDER = os.path.join(HERE, "..", "..", "recorders", "python")
WAYS = {"alone": None, "loaded": {}, "sampled": {"DEADWEIGHT_CHURN_SHARE": "30"}, "exact": {"DEADWEIGHT_CHURN_SHARE": "0"}}


def environment(way, library, home):
    known = {**os.environ, "PYTHONHASHSEED": "0"}
    if WAYS[way] is None:
        return known
    known.update(
        PYTHONPATH=RECORDER,
        PYTHONDONTWRITEBYTECODE="1",
        DEADWEIGHT_PYTHON_LIBRARY=library,
        DEADWEIGHT_DIR=home,
        DEADWEIGHT_SNAPSHOT="0",
    )
    if WAYS[way]:
        known.update(DEADWEIGHT_CHURN_BYTES="131072", **WAYS[way])
    return known


def cpu():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run(python, program, way, library):
    home = tempfile.mkdtemp()
    before = cpu()
    subprocess.run(
        [python, program], check=True, stdout=subprocess.DEVNULL, env=environment(way, library, home), cwd=home
    )
    after = cpu()
    shutil.rmtree(home)
    return after - before


def main(deadweight, python, runs, *programs):
    library = subprocess.run([deadweight, "library", "python"], check=True, capture_output=True, text=True).stdout.strip()
    programs = programs or ("report", "syntax", "tasks", "texts", "trees")
    print("| program | alone, s | " + " | ".join(f"{way}, median (low)" for way in list(WAYS)[1:]) + " |")
    print("|---|---|" + "---|" * (len(WAYS) - 1))
    for name in programs:
        taken = {way: [] for way in WAYS}
        for _ in range(int(runs)):
            for way in WAYS:
                taken[way].append(run(python, os.path.join(HERE, "churn", name + ".py"), way, library))
        alone = taken.pop("alone")
        shown = [
            f"{statistics.median(a / b for a, b in zip(times, alone)):.2f} ({min(times) / min(alone):.2f})"
            for times in taken.values()
        ]
        print(f"| {name} | {statistics.median(alone):.2f} | " + " | ".join(shown) + " |", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
