"""Prints what objects of Python really take: `kind n charged`, charged in bytes of pymalloc's size classes and of the
C library's chunks.

Many objects of a kind are made and kept; what the allocators count more than before is divided by their number. Free
lists are emptied by objects of the same kind that were made before, which also settle what classes share.
"""

import array
import collections
import ctypes
import datetime
import decimal
import gc
import os
import re
import sys
import tempfile
import uuid

# Made before measuring: more than any free list of the interpreter holds.
BEFORE = 300
# What free lists may add to or take from a count: they keep up to 80 dictionaries, lists and keys, and 100 floats.
NOISE = 100


class Counters(ctypes.Structure):
    """`struct mallinfo2` of the GNU C library."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost".split()
    ]


mallinfo = ctypes.CDLL(None).mallinfo2
mallinfo.restype = Counters
stderr = os.dup(2)
CLASS = re.compile(rb"^ *\d+ +(\d+) +(\d+) +(\d+) +\d+", re.MULTILINE)


def picture(file):
    """The statistics of pymalloc as text in a file; what malloc counts."""
    counters = mallinfo()
    large = counters.uordblks + counters.hblkhd
    del counters
    os.dup2(file, 2)
    sys._debugmallocstats()
    os.dup2(stderr, 2)
    return large


def blocks(file):
    """Blocks in use by size class."""
    text = os.pread(file, os.fstat(file).st_size, 0)
    return {int(size): int(count) for size, _, count in CLASS.findall(text)}


def measure(kind, n, make, count=400, kept=BEFORE):
    """Prints what one object takes that `make` returns."""
    keep = [make(i) for i in range(kept)]
    made = [None] * count
    gc.collect()
    # Counts of what is not kept, once, so that what the counting itself leaves is there already.
    with tempfile.TemporaryFile() as first, tempfile.TemporaryFile() as second:
        picture(first.fileno())
        first.truncate(0)
        first.seek(0)
        gc.disable()
        large_before = picture(first.fileno())
        for i in range(count):
            made[i] = make(kept + i)
        large_after = picture(second.fileno())
        gc.enable()
        before, after = blocks(first.fileno()), blocks(second.fileno())
    charged = 0
    for size in after:
        more = after[size] - before.get(size, 0)
        each = round(more / count)
        if abs(more - each * count) > NOISE:
            raise SystemExit(f"{kind} {n}: {more} blocks of {size} bytes for {count} objects")
        charged += size * each
    large = large_after - large_before
    # Chunks are multiples of 16; a free one may be used whole where too little would be left of it.
    each = round(large / count / 16) * 16
    if abs(large / count - each) > 7:
        raise SystemExit(f"{kind} {n}: {large} bytes of malloc for {count} objects")
    print(kind, n, charged + each)
    del keep, made


def strings():
    for kind, character in ("ascii", "x"), ("latin", "\xe9"), ("ucs2", "\u0416"), ("ucs4", "\U0001f600"):
        for n in 2, 3, 6, 7, 8, 14, 15, 16, 22, 23, 24, 55, 60, 100, 200, 439, 440, 463, 464, 470, 471, 472, 1000:
            # `join` makes a string of its own each time.
            pieces = [character] * n
            measure(kind, n, lambda i: "".join(pieces))


def numbers():
    for bits in 9, 29, 30, 31, 59, 60, 61, 62, 63, 64, 89, 90, 91, 120, 128, 256, 1000:
        text = "1" * bits
        measure("int", bits, lambda i: int(text, 2))
    measure("float", 0, lambda i: i + 0.5)
    measure("complex", 0, lambda i: complex(i, 1))


def sequences():
    for n in 1, 2, 3, 4, 5, 7, 8, 15, 20, 21, 50, 58, 59, 60, 61, 100, 1000:
        some = list(range(n))
        measure("tuple", n, lambda i: tuple(some))
        measure("list", n, lambda i: [None] * n)

        def appended(i):
            grown = []
            for item in some:
                grown.append(item)
            return grown

        measure("appended", n, appended)
        measure("copied", n, lambda i: some[:])
        measure("array-q", n, lambda i: array.array("q", some))
        measure("array-b", n, lambda i: array.array("b", [1] * n))

        def deque(i):
            filled = collections.deque()
            for item in some:
                filled.append(item)
            return filled

        measure("deque", n, deque, 300)
    measure("list", 0, lambda i: [])
    measure("deque", 0, lambda i: collections.deque(), 300)
    measure("array-q", 0, lambda i: array.array("q"))
    for n in 2, 3, 14, 15, 16, 31, 32, 100, 478, 479, 480, 511, 512, 513, 1000, 200_000:
        some = b"x" * n
        few = 100 if n > 100_000 else 400
        measure("bytes", n, lambda i: bytes(memoryview(some)), few)
        measure("bytearray", n, lambda i: bytearray(some), few)
    measure("bytearray", 0, lambda i: bytearray())


def tables():
    sizes = [0, 1, 2, 4, 5, 6, 8, 10, 11, 20, 21, 22, 30, 42, 43, 60, 85, 86, 100, 170, 171, 300, 341, 342, 400]
    for n in sizes:
        names = [f"name{i}" for i in range(n)]
        few = 300 if n > 20 else 400

        def filled(i, keys):
            table = {}
            for key in keys:
                table[key] = None
            return table

        def ordered(i, keys):
            table = collections.OrderedDict()
            for key in keys:
                table[key] = None
            return table

        def members(i):
            table = set()
            for key in numbers:
                table.add(key)
            return table

        numbers = list(range(n))
        measure("dict-str", n, lambda i: filled(i, names), few)
        measure("dict-any", n, lambda i: filled(i, numbers), few)
        def default(i, keys):
            table = collections.defaultdict(list)
            for key in keys:
                table[key] = None
            return table

        measure("default-str", n, lambda i: default(i, names), few)
        measure("default-any", n, lambda i: default(i, numbers), few)
        measure("set", n, members, few)
        measure("frozenset", n, lambda i: frozenset(iter(numbers)) if n else set(), few)
        measure("ordered-str", n, lambda i: ordered(i, names), few)
        measure("ordered-any", n, lambda i: ordered(i, numbers), few)


def defined(lines):
    """The class `C` that these lines define."""
    scope = {}
    exec("\n".join(lines), scope)
    return scope["C"]


def assigns(names, first=("pass",)):
    lines = [*first, *(f"self.{name} = None" for name in names)]
    return ["    def __init__(self):"] + [f"        {line}" for line in lines]


def instances():
    for n in [*range(36), 43, 85, 86, 90]:
        names = [f"a{i}" for i in range(n)]
        few = 300 if n > 20 else 400
        plain = defined(["class C:"] + assigns(names))
        measure("instance", n, lambda i: plain(), few)
        slots = defined(["class C:", f"    __slots__ = {tuple(names)}"] + assigns(names))
        measure("slots", n, lambda i: slots(), few)
        weak = defined(["class C:", f"    __slots__ = {(*names, '__weakref__')}"] + assigns(names))
        measure("weak-slots", n, lambda i: weak(), few)
        derived = defined(
            ["class B:", "    __slots__ = ('x', 'y')"]
            + assigns(["x", "y"])
            + ["class C(B):"]
            + assigns(names, ["super().__init__()"])
        )
        measure("derived", n, lambda i: derived(), few)

        def looked_at(i):
            made = plain()
            made.__dict__
            return made

        measure("looked-at", n, looked_at, few)
        # 3.11 and 3.12 keep freed tuples of 20 for later, but never take one of these: 2,000 are lost on the way.
        if n not in (0, 20):
            named = collections.namedtuple("C", names)
            values = [None] * n
            measure("named-tuple", n, lambda i: named._make(values), few)


def classes():
    for n in range(1, 34):
        names = tuple(f"a{i}" for i in range(n))
        with_slots = compile(f"class C(B):\n    __slots__ = {names}\n", "with_slots", "exec")
        ordinary = compile("class C(B):\n    pass\n", "ordinary", "exec")

        def make(code, base):
            scope = {"B": base}
            exec(code, scope)
            return scope["C"]

        def used(i, base):
            made = make(ordinary, base)
            instance = made()
            for name in names:
                setattr(instance, name, None)
            return made

        # A class keeps a table of those that are based on it: so many that it does not grow while they are counted.
        few = {"count": 500, "kept": 700}
        base = defined(["class C:", "    __slots__ = ()"])
        measure("class", n, lambda i: make(with_slots, base), **few)
        base = defined(["class C:", "    __slots__ = ()"])
        measure("ordinary-class", n, lambda i: used(i, base), **few)


def library():
    utc = datetime.timezone.utc
    measure("datetime", 0, lambda i: datetime.datetime(2024, 5, 6, 7, 8, i % 60))
    measure("datetime-aware", 0, lambda i: datetime.datetime(2024, 5, 6, 7, 8, i % 60, tzinfo=utc))
    measure("date", 0, lambda i: datetime.date(2000 + i % 100, 5, 6))
    measure("time", 0, lambda i: datetime.time(7, 8, i % 60))
    measure("time-aware", 0, lambda i: datetime.time(7, 8, i % 60, tzinfo=utc))
    measure("timedelta", 0, lambda i: datetime.timedelta(i % 300, 7))
    measure("decimal", 0, lambda i: decimal.Decimal("12.34"))
    measure("uuid", 0, lambda i: uuid.UUID(int=(1 << 127) + i))
    text = memoryview(b"text")
    measure("memoryview", 0, lambda i: text[:])
    measure("object", 0, lambda i: object())


for part in strings, numbers, sequences, tables, instances, classes, library:
    if not sys.argv[1:] or part.__name__ in sys.argv[1:]:
        part()
