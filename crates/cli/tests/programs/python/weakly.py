"""Classes whose instances something refers to weakly, as ordinary ones or with slots: python weakly.py COUNT [slots]"""

import sys
import weakref
from functools import cached_property

COUNT = int(sys.argv[1])
SLOTS = sys.argv[2:] == ["slots"]


class Base:
    __slots__ = ("number", "__weakref__")


if SLOTS:

    class Watched:
        __slots__ = ("number", "name", "__weakref__")

    class Child(Base):
        __slots__ = ("name",)

else:

    class Watched:
        pass

    class Child(Base):
        pass


class Lazy:
    @cached_property
    def key(self):
        return f"key of {self.number}"


class LazyChild(Lazy):
    pass


def filled(kind, number):
    made = kind()
    made.number = number
    made.name = "one of many"
    return made


WATCHED = [filled(Watched, number) for number in range(COUNT)]
SEEN = weakref.WeakSet(WATCHED[:10])
CHILDREN = [filled(Child, number) for number in range(COUNT)]
LAZY = [filled(LazyChild, number) for number in range(COUNT)]
