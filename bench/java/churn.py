"""What it costs a Java program to have recorded what it makes: CPU time beside the same program alone, in turns.

    churn.py DEADWEIGHT JAVA_HOME RUNS [PROGRAM...]

The time is user's and system's of the process (`getrusage`), the machine's start and the end of the record included.
"""

import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
JAR = os.path.join(HERE, "..", "..", "recorders", "java", "deadweight-recorder.jar")
WAYS = {"alone": None, "loaded": "0", "sampled": "131072", "finer": "16384"}
PROGRAMS = ("Texts", "Trees", "Streams", "Tasks")


def environment(way, library, home):
    if WAYS[way] is None:
        return dict(os.environ)
    return {
        **os.environ,
        "JAVA_TOOL_OPTIONS": f"-javaagent:{os.path.abspath(JAR)}",
        "_JAVA_SR_SIGNUM": "16",
        "DEADWEIGHT_JAVA_LIBRARY": library,
        "DEADWEIGHT_CHURN_BYTES": WAYS[way],
        "DEADWEIGHT_DIR": os.path.join(home, "captures"),
        "DEADWEIGHT_SNAPSHOT": "0",
    }


def cpu():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run(java, classes, program, way, library):
    home = tempfile.mkdtemp()
    before = cpu()
    command = [os.path.join(java, "bin", "java"), "-Xmx1g", "-cp", classes, program]
    env = environment(way, library, home)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=env, cwd=home)
    after = cpu()
    shutil.rmtree(home)
    return after - before


def main(deadweight, java, runs, *programs):
    library = subprocess.run([deadweight, "library", "java"], check=True, capture_output=True, text=True).stdout.strip()
    programs = programs or PROGRAMS
    classes = tempfile.mkdtemp()
    sources = [os.path.join(HERE, "churn", name + ".java") for name in programs]
    subprocess.run([os.path.join(java, "bin", "javac"), "-d", classes, *sources], check=True)
    print("| program | alone, s | " + " | ".join(f"{way}, median (low)" for way in list(WAYS)[1:]) + " |")
    print("|---|---|" + "---|" * (len(WAYS) - 1))
    for name in programs:
        taken = {way: [] for way in WAYS}
        for _ in range(int(runs)):
            for way in WAYS:
                taken[way].append(run(java, classes, name, way, library))
        alone = taken.pop("alone")
        shown = [
            f"{statistics.median(a / b for a, b in zip(times, alone)):.2f} ({min(times) / min(alone):.2f})"
            for times in taken.values()
        ]
        print(f"| {name} | {statistics.median(alone):.2f} | " + " | ".join(shown) + " |", flush=True)
    shutil.rmtree(classes)


if __name__ == "__main__":
    main(*sys.argv[1:])
