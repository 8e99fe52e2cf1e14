"""A process with about COUNT objects, and one way to look at them: prints what it took as JSON.

    heap.py COUNT alone|record DIRECTORY|guppy3|pympler
"""

import gc
import json
import os
import resource
import sys
import time


class Order:
    __slots__ = ("number", "customer", "amount", "state", "lines", "details")

    def __init__(self, i):
        self.number = i + 1000
        self.customer = f"customer-{i % 5000:05d}@shop.example.org"
        self.amount = i * 0.25
        self.state = ("paid", "open", "sent")[i % 3]
        self.lines = [i * 3 + 1000, i * 7 + 1000]
        self.details = {"id": i, "note": f"order {i}", "weights": (i * 0.5, i * 1.5)}


# Objects of one order: itself, three numbers of its own, two texts, two numbers of lines and their list, the dictionary, its
# number, the tuple and its two numbers.
OF_ONE = 13


def memory(name):
    with open("/proc/self/status") as file:
        for line in file:
            if line.startswith(name + ":"):
                return int(line.split()[1]) * 1024
    return 0


def private(pid):
    """Bytes that a process shares with no other; 0 when it has ended."""
    try:
        with open(f"/proc/{pid}/smaps_rollup") as file:
            lines = [line for line in file if line.startswith(("Private_Dirty:", "Private_Clean:"))]
    except OSError:
        return 0
    return sum(int(line.split()[1]) * 1024 for line in lines)


def record(directory):
    import deadweight_recorder_settings as settings
    from deadweight_recorder_capture import Capture

    capture = Capture(settings.untriggered(directory, "heap", None))
    began = time.monotonic()
    taken = capture.take("signal", "bench")
    pause = time.monotonic() - began
    most = 0
    while (ended := capture.poll()) is None:
        most = max(most, private(capture.clone))
        time.sleep(0.1)
    assert ended == 0
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "pause": pause,
        "cpu": children.ru_utime + children.ru_stime,
        "more": most,
        "capture": taken,
    }


def peer(look):
    before = memory("VmRSS")
    began, cpu = time.monotonic(), time.process_time()
    look()
    return {
        "pause": time.monotonic() - began,
        "cpu": time.process_time() - cpu,
        "more": max(memory("VmHWM") - before, 0),
    }


def guppy3():
    from guppy import hpy

    print(hpy().heap(), file=sys.stderr)


def pympler():
    from pympler import muppy, summary

    summary.print_(summary.summarize(muppy.get_objects()))


def main():
    count, way = int(sys.argv[1]), sys.argv[2]
    gc.disable()
    orders = [Order(i) for i in range(count // OF_ONE)]
    gc.enable()
    result = {"rss": memory("VmRSS")}
    if way == "record":
        result.update(record(sys.argv[3]))
    elif way != "alone":
        # What it prints is of no use here.
        kept = os.dup(1)
        os.dup2(2, 1)
        result.update(peer({"guppy3": guppy3, "pympler": pympler}[way]))
        os.dup2(kept, 1)
    print(json.dumps(result), flush=True)
    assert len(orders) == count // OF_ONE


main()
