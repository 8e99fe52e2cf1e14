"""What the program makes: a library hears of each block that is asked for, and this names the lines."""

import ctypes
import os
import sys

import deadweight_recorder_calls as calls
import deadweight_recorder_files as files
import deadweight_recorder_library as bindings

FILE = "made.churn"
OWN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "")

REFUSED = {
    1: "this interpreter lacks what is needed",
    2: "its frames are not where they should be",
    3: "it is recorded already",
}


class Wanted(ctypes.Structure):
    """What is asked for: `calls.rs` has the same structure."""

    _fields_ = [
        ("frame", ctypes.c_size_t),
        ("code", ctypes.c_size_t),
        ("instruction", ctypes.c_int32),
        ("has_pools", ctypes.c_uint32),
        ("every", ctypes.c_uint64),
    ]


class FrameAt(ctypes.Structure):
    """A line: `stacks.rs` has the same structure."""

    _fields_ = [("code", ctypes.c_size_t), ("instruction", ctypes.c_int32), ("is_innermost", ctypes.c_uint32)]


class Churn:
    """The record of this process."""

    def __init__(self, settings, library):
        self.settings = settings
        self.library = library
        declare(library)

    def start(self):
        """Begins, as the last thing the recorder does before the program."""
        refused = self.begin()
        if refused:
            raise RuntimeError(REFUSED[refused])
        for made, number in samples():
            self.library.deadweight_churn_learn(id(made), number)
        if not self.library.deadweight_churn_learned():
            self.library.deadweight_churn_end()
            raise RuntimeError("its allocators cannot be heard")
        self.resume()

    def begin(self):
        def called():
            here = sys._getframe()
            caller = here.f_back
            wanted = Wanted(
                frame=id(here),
                code=id(caller.f_code),
                instruction=caller.f_lasti,
                has_pools=bindings.allocator() == "pymalloc",
                every=self.settings.every,
            )
            return self.library.deadweight_churn_begin(ctypes.byref(wanted))

        return called()

    def pause(self):
        self.library.deadweight_churn_pause(1)

    def resume(self):
        self.library.deadweight_churn_pause(0)

    def forget(self):
        self.library.deadweight_churn_forget()

    def end(self):
        self.library.deadweight_churn_end()

    def write(self, directory):
        """Writes what was made until now, paused; gives what the capture's record says of it."""
        hears = self.library.deadweight_churn_hears()
        if hears < 0:
            raise RuntimeError("it failed while the program ran")
        if hears == 0:
            raise RuntimeError("the program put other allocators in place, as `tracemalloc.stop` does")
        head = files.json(self.head()).encode("utf-8", "backslashreplace")
        frames = "\n".join(self.frames()).encode("utf-8", "backslashreplace")
        made = []

        def fill(file):
            made.append(self.library.deadweight_churn_write(file, head, frames, self.settings.operations))
            if made[0] < 0:
                raise OSError("the file could not be written")

        files.fill(directory, FILE, fill)
        said = {"file": FILE, "operations": self.settings.operations, "objects": made[0]}
        if self.settings.every:
            said["every_bytes"] = self.settings.every
        return said

    def head(self):
        head = {"deadweight": "churn", "version": 1}
        version = ".".join(map(str, sys.version_info[:3]))
        head["runtime"] = {"name": "python", "version": version, "word_bytes": 8, "allocator": bindings.allocator()}
        if self.settings.every:
            head["sampling"] = {"every_bytes": self.settings.every}
        try:
            head["root"] = os.getcwd()
        except OSError:
            head["root"] = ""
        return head

    def frames(self):
        """A line for each frame: what is written of it, and the name of what it calls."""
        count = ctypes.c_uint64()
        first = self.library.deadweight_churn_frames(ctypes.byref(count))
        known = {}
        for number in range(count.value):
            frame = first[number]
            code = ctypes.cast(frame.code, ctypes.py_object).value
            if code.co_filename.startswith(OWN):
                yield ""
                continue
            if frame.code not in known:
                known[frame.code] = calls.Code(code)
            found = known[frame.code]
            function = getattr(code, "co_qualname", code.co_name)
            text = files.json(
                {
                    "function": "" if function == "<module>" else function,
                    "file": code.co_filename,
                    "line": found.line(frame.instruction),
                }
            )
            call = found.call(frame.instruction) if frame.is_innermost else None
            yield text + "\t" + (files.quote(call) if call else "")


def declare(library):
    library.deadweight_churn_begin.argtypes = [ctypes.POINTER(Wanted)]
    library.deadweight_churn_learn.argtypes = [ctypes.c_size_t, ctypes.c_uint32]
    library.deadweight_churn_learn.restype = None
    library.deadweight_churn_pause.argtypes = [ctypes.c_int]
    for name in ("pause", "forget", "end"):
        getattr(library, "deadweight_churn_" + name).restype = None
    library.deadweight_churn_frames.argtypes = [ctypes.POINTER(ctypes.c_uint64)]
    library.deadweight_churn_frames.restype = ctypes.POINTER(FrameAt)
    library.deadweight_churn_write.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_uint64]
    library.deadweight_churn_write.restype = ctypes.c_int64


LIST, SET, DICT, BYTEARRAY, DEQUE = 2, 3, 4, 5, 6


def samples():
    """Objects with a block of their own, each made in another way: by these the library learns which calls make what.

    Each is handed over as soon as it is made.
    """
    numbers = tuple(range(20))
    text = "a b c d e f g h i j k l m n o p q r s t"
    yield from ((made, LIST) for made in lists(numbers, text))
    yield from ((made, SET) for made in sets(numbers))
    yield from ((made, DICT) for made in dicts(numbers))
    yield from ((made, BYTEARRAY) for made in buffers())
    from _collections import deque  # the interpreter has it built in

    yield deque(numbers), DEQUE
    grown = deque()
    for number in range(100):
        grown.append(number)
    yield grown, DEQUE


def lists(numbers, text):
    items = list(numbers)
    table = dict.fromkeys(numbers)
    grown = []
    for number in range(30):
        grown.append(number)
        yield grown
    yield [number for number in numbers]
    yield [number for number in range(300)]
    yield list(numbers)
    yield list(items)
    yield list(range(20))
    yield list(iter(numbers))
    yield list(number for number in numbers)
    yield list(table)
    yield list(table.keys())
    yield list(table.values())
    yield list(table.items())
    yield list(map(str, numbers))
    yield list(text)
    yield list({1, 2, 3})
    yield list(zip(numbers, numbers))
    yield sorted(numbers)
    yield sorted(items)
    yield items[3:12]
    yield items[::2]
    yield items + items
    yield items * 3
    yield [None] * 20
    yield items.copy()
    yield [*numbers]
    yield [*numbers, 1]
    yield [*items, *numbers]
    yield [1, 2, 3, 4, 5]
    yield [text, numbers, items]
    yield text.split()
    yield text.split(" ")
    yield text.rsplit(" ")
    yield text.splitlines()
    yield (text + "\u0416").split(" ")
    yield text.encode().split(b" ")
    for more in (numbers, items, iter(numbers), range(20), table, (number for number in numbers)):
        extended = [1]
        extended.extend(more)
        yield extended
    added = [1]
    added += numbers
    yield added
    inserted = [1, 2, 3, 4]
    inserted.insert(0, 0)
    yield inserted
    replaced = [1, 2]
    replaced[1:1] = numbers
    yield replaced
    multiplied = [1, 2, 3]
    multiplied *= 5
    yield multiplied
    cut = list(range(300))
    del cut[20:]
    yield cut
    popped = list(range(100))
    for _ in range(90):
        popped.pop()
    yield popped


def sets(numbers):
    # Up to five entries have their place in the object.
    grown = set()
    for number in range(40):
        grown.add(number)
        if number > 5:
            yield grown
    yield set(numbers)
    yield frozenset(numbers)
    yield {number for number in numbers}
    yield {1, 2, 3, 4, 5, 6, 7, 8, 9}
    big = set(numbers)
    yield big.copy()
    yield big | {30}
    yield set(big)
    yield frozenset(big)
    yield set(dict.fromkeys(numbers))
    updated = {1}
    updated.update(numbers)
    yield updated


def dicts(numbers):
    grown = {}
    for number in range(30):
        grown[number] = number
        yield grown
    grown = {}
    for number in range(30):
        grown[str(number)] = number
        yield grown
    yield {number: number for number in numbers}
    yield {"a": 1, "b": 2, "c": 3}
    yield {"a": 1, "b": numbers, 3: 4, "d": 5, "e": 6, "f": 7, "g": 8}
    first, second = numbers[:2]
    yield {"first": first, "second": second}
    yield dict.fromkeys(numbers)
    yield dict(a=1, b=2)
    yield dict([(1, 2), (3, 4)])
    yield dict(zip(numbers, numbers))
    big = dict.fromkeys(numbers)
    yield big.copy()
    yield dict(big)
    yield {**big}
    yield {**big, "a": 1}
    updated = {}
    updated.update(big)
    yield updated


def buffers():
    yield bytearray(100)
    yield bytearray(b"a" * 100)
    yield bytearray(range(100))
    grown = bytearray()
    for number in range(50):
        grown.append(number)
        yield grown
    grown = bytearray()
    for _ in range(5):
        grown += b"a" * 100
        yield grown
    grown.extend(b"a" * 1000)
    yield grown
    yield grown + grown
    yield grown * 2
    yield grown[10:500]
