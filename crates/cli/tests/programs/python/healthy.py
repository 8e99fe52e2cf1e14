"""Keeps what it needs as it should."""

import array
import string
import sys


class Point:
    __slots__ = ("id", "kind", "at")

    def __init__(self, number, kind, at):
        self.id = number
        self.kind = kind
        self.at = at


class Padded(string.Formatter):
    """Its base lets objects take any attribute, whatever this class says."""

    def __init__(self, width):
        self.width = width


KINDS = [sys.intern(f"kind-{number}") for number in range(7)]
points = tuple(Point(number + 1000, KINDS[number % 7], number * 3 + 100_000) for number in range(30_000))
formatters = [Padded(number + 1000) for number in range(20_000)]
distances = array.array("d", (number * 0.25 for number in range(50_000)))
names = {f"name of point {number}": number for number in range(20_000)}
