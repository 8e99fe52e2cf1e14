#!/usr/bin/env python3
"""Measures the recorder on tree.cpp beside the program alone and heaptrack, in alternating runs.

    cargo build --release -p deadweight-recorder
    python3 crates/recorder/measure/measure.py target/release/libdeadweight_recorder.so

Further arguments go to the program: `free` has it give its nodes back before the end.

CPU is user and system time of the program and what it waits for, the writing of the dump included.
"""
import os, pathlib, re, shutil, statistics, subprocess, sys, tempfile

library = os.path.abspath(sys.argv[1])
rounds = int(os.environ.get("ROUNDS", "9"))
count = os.environ.get("KEYS", "500000")
work = pathlib.Path(tempfile.mkdtemp())
tree = work / "tree"
source = pathlib.Path(__file__).with_name("tree.cpp")
subprocess.run(["c++", "-O2", "-s", "-std=c++17", "-o", tree, source], check=True)


def run(command, settings):
    shutil.rmtree(work / "dumps", ignore_errors=True)
    process = subprocess.Popen(command, env={**os.environ, **settings}, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, cwd=work)
    _, status, used = os.wait4(process.pid, 0)
    assert status == 0, (command, status)
    return used.ru_utime + used.ru_stime


def recorder(**settings):
    return {"LD_PRELOAD": library, "DEADWEIGHT_DIR": str(work / "dumps"), **settings}


program = [str(tree), count, *sys.argv[2:]]
ways = {
    "plain": (program, {}),
    "recording, no dump": (program, recorder(DEADWEIGHT_WHEN="SIGUSR2")),
    "dump at the end": (program, recorder(DEADWEIGHT_WHEN="exit,SIGUSR2")),
    "dump at the highest": (program, recorder()),
    "without contents": (program, recorder(DEADWEIGHT_CONTENT="0", DEADWEIGHT_WHEN="exit,SIGUSR2")),
}
if shutil.which("heaptrack"):
    ways["heaptrack"] = (["heaptrack", "-o", str(work / "heaptrack"), *program], {})
if os.environ.get("DHAT"):
    ways["DHAT"] = (["valgrind", "--tool=dhat", f"--dhat-out-file={work}/dhat", *program], {})
times = {way: [] for way in ways}
for _ in range(rounds):
    for way, (command, settings) in ways.items():
        times[way].append(run(command, settings))
plain = times["plain"]
for way, seconds in times.items():
    ratio = statistics.median(a / b for a, b in zip(seconds, plain))
    print(f"{way:20} {statistics.median(seconds):6.3f} s  {ratio:5.2f} x  (fastest {min(seconds) / min(plain):.2f} x)")
shutil.rmtree(work)
