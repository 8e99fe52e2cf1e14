"""Objects of two values that look alike: for each sort a class whose `value` has one of the two."""

import array
import collections
import datetime
import decimal
import enum
import fractions
import functools
import re
import types

COUNT = 200
FAR = datetime.datetime(1, 1, 2)
EAST, WEST = (datetime.timezone(datetime.timedelta(hours=hours)) for hours in (1, -1))
Point = collections.namedtuple("Point", "x y")
Size = collections.namedtuple("Size", "x y")
X, Y, BIG = 1000.25, 2000.25, 10**6


class Has:
    __slots__ = ("value", "own")

    def __init__(self, value, own):
        self.value = value
        self.own = own


class MoreList(list):
    pass


class MoreDict(dict):
    pass


class MoreTuple(tuple):
    pass


class MoreSet(set):
    pass


class MoreBytes(bytes):
    pass


class Level(enum.IntFlag):
    LOW = 1000
    HIGH = 2000


def noted(value, note):
    value.note = "note %d" % note
    return value


SORTS = {
    "deque": lambda n: collections.deque([X, Y], maxlen=5 + n),
    "deque_without_limit": lambda n: collections.deque([X, Y], maxlen=5 if n else None),
    "deque_in_tuple": lambda n: (collections.deque(maxlen=5 + n), X),
    "ordered": lambda n: collections.OrderedDict([(X, 1), (Y, 2)] if n else [(Y, 2), (X, 1)]),
    "default": lambda n: collections.defaultdict(list if n else int, {X: Y, Y: X}),
    "counter": lambda n: collections.Counter({X: 1, Y: 2}) if n else {X: 1, Y: 2},
    "frozen": lambda n: frozenset([X, Y]) if n else {X, Y},
    "array": lambda n: array.array("i" if n else "I", range(100)),
    "array_of_text": lambda n: array.array("u", "text" * 9) if n else array.array("I", map(ord, "text" * 9)),
    "bytes": lambda n: bytes(range(100)) if n else bytearray(range(100)),
    "view": lambda n: memoryview(VIEWED).cast("b" if n else "B"),
    "range": lambda n: (range(n, BIG), X),
    "slice": lambda n: (slice(n, BIG), X),
    "partial": lambda n: functools.partial(max if n else min, X, Y),
    "pattern": lambda n: (re.compile("a+b", re.IGNORECASE if n else 0), X),
    "chain": lambda n: (collections.ChainMap({X: Y} if n else {Y: X}), X),
    "zone": lambda n: (datetime.datetime(2020, 1, 2, tzinfo=EAST if n else WEST), X),
    "no_zone": lambda n: (datetime.datetime(2020, 1, 2, tzinfo=EAST if n else None), X),
    "second_hour": lambda n: (datetime.datetime(2020, 1, 2, fold=n), X),
    "long_ago": lambda n: (FAR + datetime.timedelta(microseconds=n), X),
    "long_span": lambda n: (datetime.timedelta(days=999_999, microseconds=n), X),
    "day": lambda n: (datetime.date(2020, 1, 2) if n else datetime.datetime(2020, 1, 2), X),
    "decimal": lambda n: (decimal.Decimal("1.50" if n else "1.5"), X),
    "fraction": lambda n: (fractions.Fraction(n + 1, 1000), X),
    "named": lambda n: (Point if n else Size)(X, Y),
    "named_or_not": lambda n: Point(X, Y) if n else (X, Y),
    "level": lambda n: (Level.LOW if n else Level.HIGH, X),
    "level_or_number": lambda n: (Level.LOW if n else 1000, X),
    "truth": lambda n: (True if n else 1, X),
    "whole": lambda n: (123456.0 if n else 123456, X),
    "zero": lambda n: (0.0 if n else -0.0, X),
    "more_list": lambda n: noted(MoreList([X, Y]), n),
    "more_dict": lambda n: noted(MoreDict({X: Y}), n),
    "more_tuple": lambda n: noted(MoreTuple([X, Y]), n),
    "more_set": lambda n: noted(MoreSet([X, Y]), n),
    "more_bytes": lambda n: noted(MoreBytes(range(100)), n),
    "namespace": lambda n: types.SimpleNamespace(a=X, b=Y if n else X),
}
VIEWED = bytes(range(64))

for name, make in SORTS.items():
    of_sort = type(name, (Has,), {"__slots__": (), "__module__": "__main__"})
    globals()["all_" + name] = [of_sort(make(n % 2), n + 0.5) for n in range(COUNT)]
    # What is of one value is found: these are.
    same = type("same_" + name, (Has,), {"__slots__": (), "__module__": "__main__"})
    globals()["all_same_" + name] = [same(make(1), n + 0.5) for n in range(COUNT)]
