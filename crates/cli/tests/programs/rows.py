"""Rows with equal texts, held in different ways: the way is the argument."""

import sys
import time


class Row:
    def __init__(self, at):
        self.at = at
        self.text = f"a text of some length, number {at % 100} of a hundred"


def rows():
    return [Row(at) for at in range(100_000)]


def local():
    kept = rows()
    time.sleep(0.2)
    return len(kept)


way = sys.argv[1]
if way == "kept":
    kept = rows()
elif way == "local":
    print(local())
elif way == "freed":
    kept = rows()
    # Long enough to be looked at, and blocks beyond the interpreter's own allocator.
    more = [bytearray(b"%06d" % at * 170) for at in range(20_000)]
    time.sleep(1)
    del kept, more
    time.sleep(0.2)
else:
    raise SystemExit(f"no way {way}")
