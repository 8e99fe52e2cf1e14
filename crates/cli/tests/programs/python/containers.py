"""Sessions that have every collection they may ever need; each word of the command line makes one of them when it is needed."""

import collections
import contextlib
import gc
import queue
import sys
import weakref

FIXES = set(sys.argv[2:])
COUNT = int(sys.argv[1])

MAKERS = {
    "default": lambda: collections.defaultdict(list),
    "made": lambda: collections.defaultdict(lambda: 0),
    "weak_set": weakref.WeakSet,
    "weak_values": weakref.WeakValueDictionary,
    "weak_keys": weakref.WeakKeyDictionary,
    "chain": collections.ChainMap,
    "inbox": queue.Queue,
    "stack": contextlib.ExitStack,
    "user_dict": collections.UserDict,
}


class Session:
    __slots__ = tuple(MAKERS)

    def __init__(self):
        for name, make in MAKERS.items():
            setattr(self, name, None if name in FIXES else make())


sessions = [Session() for _ in range(COUNT)]
gc.collect()
