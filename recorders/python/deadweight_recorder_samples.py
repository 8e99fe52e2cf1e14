"""Objects with a block of their own, each made in another way: by these the library learns which calls make what."""

LIST, SET, DICT, BYTEARRAY, DEQUE = 2, 3, 4, 5, 6


def each():
    """Each with the number of its sort, handed over as soon as it is made."""
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
