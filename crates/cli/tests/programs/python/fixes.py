"""Rows, records and numbers as programs keep them; each word of the command line makes one fix."""

import array
import datetime
import gc
import json
import sys

FIXES = set(sys.argv[2:])
COUNT = int(sys.argv[1])


def is_fixed(name):
    return name in FIXES


class Row:
    __slots__ = ("id", "user", "country", "tags", "meta", "price", "day")

    def __init__(self, values):
        for name in Row.__slots__:
            setattr(self, name, values[name])


def row(values):
    if is_fixed("intern-rows"):
        for name in ("user", "country", "day"):
            values[name] = sys.intern(values[name])
    if is_fixed("lazy"):
        values["tags"] = values["meta"] = None
    return Row(values) if is_fixed("rows-with-slots") else values


def load():
    countries = ["Germany", "France", "United States"]
    text = json.dumps(
        [
            {
                "id": i,
                "user": f"user-number-{i % 50}",
                "country": countries[i % 3],
                "tags": [],
                "meta": {},
                "price": i * 0.5,
                "day": f"2024-01-{i % 28 + 1:02d}",
            }
            for i in range(COUNT)
        ]
    )
    return json.loads(text, object_hook=lambda values: row(values) if "id" in values else values)


PLACES = {}
BEGIN = datetime.datetime(2020, 1, 1)


def moment(i):
    when = BEGIN + datetime.timedelta(minutes=i)
    return int(when.timestamp() * 1000) if is_fixed("milliseconds") else when


def kind(i):
    name = f"kind-{i % 5}"
    return sys.intern(name) if is_fixed("intern-kinds") else name


def place(i):
    at = (i % 7, i % 11)
    return PLACES.setdefault(at, at) if is_fixed("one-place") else at


class Plain:
    def __init__(self, i):
        self.id = i + 1000
        self.when = moment(i)
        self.note = None
        self.kind = kind(i)
        self.place = place(i)
        self.size = i % 3


class WithSlots:
    __slots__ = ("id", "when", "note", "kind", "place", "size")
    __init__ = Plain.__init__


Event = WithSlots if is_fixed("slots") else Plain
# All variants have all classes; they go by the same name.
Event.__name__ = Event.__qualname__ = "Event"

rows = load()
events = [Event(i) for i in range(COUNT)]
floats = [i * 1.25 for i in range(2 * COUNT)]
if is_fixed("array"):
    floats = array.array("d", floats)
blob = bytes(300)
blobs = [bytes([i % 3]) * 300 for i in range(COUNT // 10)]
if is_fixed("one-blob"):
    known = {}
    blobs = [known.setdefault(blob, blob) for blob in blobs]
lists = [[i, i + 1, i + 2] for i in range(COUNT)]
for items in lists:
    items.append(None)
if is_fixed("tight"):
    lists = [items[:] for items in lists]



class Packet:
    __slots__ = ("number", "head")

    def __init__(self, i):
        frame = bytes([i % 251, i // 251]) + bytes(range(200)) * 4
        head = memoryview(frame)[:20]
        self.number = i + 1000
        self.head = bytes(head) if is_fixed("heads") else head


class Node:
    __slots__ = ("value",) if is_fixed("no-links") else ("value", "left", "right")

    def __init__(self, i):
        self.value = i + 1000
        if not is_fixed("no-links"):
            self.left = self.right = None


packets = [Packet(i) for i in range(COUNT // 20)]
nodes = [Node(i) for i in range(COUNT)]
pages = [None if is_fixed("pages") else bytearray(4096) for _ in range(COUNT // 40)]

# What waits for a collection, and the interpreter's free lists, differ from run to run by more than some fixes save.
gc.collect()
