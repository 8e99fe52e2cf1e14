"""What it costs to look at a process with five million objects: the recorder beside other tools, in turns.

    measure.py DEADWEIGHT PEERS_PYTHON RUNS

PEERS_PYTHON is an interpreter with guppy3, pympler and memray. `cargo xtask bench --python` makes one and runs this.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
HEAP = os.path.join(HERE, "heap.py")
RECORDER = os.path.join(HERE, "..", "..", "recorders", "python")
COUNT = "5000000"


def median(values):
    return sorted(values)[len(values) // 2]


def heap(python, way, *more, env=()):
    output = subprocess.run(
        [python, HEAP, COUNT, way, *more],
        check=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, **dict(env)},
    )
    return json.loads(output.stdout.splitlines()[-1])


def recorded(deadweight, python, home):
    library = subprocess.run([deadweight, "library", "python"], check=True, stdout=subprocess.PIPE, text=True)
    env = {"DEADWEIGHT_PYTHON_LIBRARY": library.stdout.strip(), "PYTHONPATH": RECORDER, "DEADWEIGHT_WHEN": "never"}
    result = heap(python, "record", home, env=env)
    capture = result["capture"]
    dump = os.path.join(capture, "objects.dwpython")
    began = time.monotonic()
    before = os.times()
    weighing = subprocess.run([deadweight, "weigh", "--format", "json", capture], check=True, stdout=subprocess.PIPE)
    after = os.times()
    result["weigh"] = time.monotonic() - began
    result["weigh_cpu"] = after.children_user + after.children_system - before.children_user - before.children_system
    result["objects"] = json.loads(weighing.stdout)["held"]["objects"]
    result["dump"] = os.path.getsize(dump)
    shutil.rmtree(capture)
    return result


def memray(python, home):
    """It follows the program from its start: what the whole run takes more. Without the option it sees no objects, but the
    arenas in which they stand."""
    file = os.path.join(home, "memray.bin")
    began = time.monotonic()
    subprocess.run(
        [python, "-m", "memray", "run", "--trace-python-allocators", "--force", "-q", "-o", file, HEAP, COUNT, "alone"],
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    ran = time.monotonic() - began
    began = time.monotonic()
    subprocess.run(
        [python, "-m", "memray", "stats", file], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    return {"ran": ran, "stats": time.monotonic() - began, "file": os.path.getsize(file)}


def main():
    deadweight, python, runs = sys.argv[1], sys.argv[2], int(sys.argv[3])
    ours, theirs, memrays, alone = [], {"guppy3": [], "pympler": []}, [], []
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/var/tmp")) as home:
        for _ in range(runs):
            began = time.monotonic()
            heap(python, "alone")
            alone.append(time.monotonic() - began)
            ours.append(recorded(deadweight, python, home))
            for name, results in theirs.items():
                results.append(heap(python, name))
            memrays.append(memray(python, home))

    def of(results, name):
        return median([result[name] for result in results])

    rss = of(ours, "rss")
    print(f"process: {of(ours, 'objects'):,} objects weighed, RSS {rss / 1e6:.0f} MB, {median(alone):.1f} s alone\n")
    print("| | the program stands still, s | CPU, s | memory beside the program's |")
    print("|---|---|---|---|")
    print(
        f"| the recorder: the copy is made, and writes {of(ours, 'dump') / 1e6:.0f} MB | {of(ours, 'pause'):.3f} | "
        f"{of(ours, 'cpu'):.2f} (in the copy) | {of(ours, 'more') / rss * 100:.0f} % |"
    )
    print(f"| `deadweight weigh` of that dump | - | {of(ours, 'weigh_cpu'):.2f} ({of(ours, 'weigh'):.2f} s) | - |")
    for name, results in theirs.items():
        print(
            f"| {name} | {of(results, 'pause'):.1f} | {of(results, 'cpu'):.1f} | {of(results, 'more') / rss * 100:.0f} % |"
        )
    more = of(memrays, "ran") - median(alone)
    print(
        f"| memray, from the start on ({of(memrays, 'file') / 1e6:.0f} MB) | {more:.1f} more in the run | "
        f"{of(memrays, 'stats'):.1f} s for `memray stats` | - |"
    )


main()
