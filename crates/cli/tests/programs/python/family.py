"""Classes of one base: one of them gets slots, or all of a family whose base has records of its own.

`count` is how many records there are of each class. Fixes: `name`, `shapes`.
"""

import sys

count = int(sys.argv[1])
fixes = sys.argv[2:]


class Node:
    if "name" in fixes:
        __slots__ = ()

    def __init__(self, pos):
        self.pos = pos
        self.type = None


class Name(Node):
    if "name" in fixes:
        __slots__ = ("pos", "type", "ident")

    def __init__(self, pos):
        super().__init__(pos)
        self.ident = 1


class Number(Node):
    def __init__(self, pos):
        super().__init__(pos)
        self.value = 2


class Shape:
    if "shapes" in fixes:
        __slots__ = ("x", "y")

    def __init__(self, x):
        self.x = x
        self.y = x


class Circle(Shape):
    if "shapes" in fixes:
        __slots__ = ("radius",)

    def __init__(self, x):
        super().__init__(x)
        self.radius = x


# Records that differ, each with a number of its own.
names = [Name(1000 + at) for at in range(count)]
numbers = [Number(1000 + at) for at in range(count)]
shapes = [Shape(1000 + at) for at in range(count)]
circles = [Circle(1000 + at) for at in range(count)]
