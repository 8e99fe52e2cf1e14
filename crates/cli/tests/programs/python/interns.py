"""Rows whose texts repeat: `python interns.py TEXTS TIMES [cities] [names]` interns those of the fields that it is handed."""

import sys

TEXTS, TIMES = int(sys.argv[1]), int(sys.argv[2])
FIXED = sys.argv[3:]


class City:
    __slots__ = ("text", "own")


class Name:
    __slots__ = ("text", "own")


def make(of, fix, count):
    made = []
    for number in range(count * TIMES):
        row = of()
        text = "the %s with number %d" % (fix, number % count)
        row.text = sys.intern(text) if fix in FIXED else text
        row.own = number + 0.5
        made.append(row)
    return made


cities = make(City, "cities", TEXTS)
names = make(Name, "names", TEXTS // 3)
