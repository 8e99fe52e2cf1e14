"""A running service posts a weighing of itself, as `deadweight run --every ... --post` does from outside.

It keeps to what it may cost, and raises nothing because a server is away: what came of it is what it gives.
"""

import os
import time

from . import check, recorder
from ._alone import Busy, alone

# What a capture took where it was measured, in seconds a megabyte: what is expected of the first one.
_SECONDS_A_MEGABYTE = 0.005


class Posted:
    """What came of it. `why` is None where the weighing was posted, and else says why it was not."""

    __slots__ = ("bytes", "pause", "why")

    def __init__(self, size, pause=None, why=None):
        self.bytes = size
        self.pause = pause
        self.why = why

    def __bool__(self):
        return self.why is None

    def __repr__(self):
        if self.why is not None:
            return f"Posted(why={self.why!r})"
        return f"Posted(bytes={self.bytes}, pause={self.pause:.3f})"


class _Spent:
    """What posting has cost since this module was loaded, in seconds."""

    def __init__(self):
        self.began = time.monotonic()
        self.seconds = 0.0
        self.last = None

    def refuses(self, size, max_pause, max_cpu, max_bytes):
        """Why a capture of so many bytes would cost more than it may; None where it would not."""
        if size > max_bytes:
            return f"{size} bytes are resident, more than {max_bytes:.0f}"
        pause, weighing = self._expected(size)
        if pause > max_pause:
            return f"a capture of {size} bytes would stop the process for {pause:.3f} s, more than {max_pause} s"
        share = (self.seconds + pause + weighing) / max(time.monotonic() - self.began, 1e-3)
        if share > max_cpu:
            return f"captures would have taken {share * 100:.2f} % of a processor, more than {max_cpu * 100:g} %"
        return None

    def _expected(self, size):
        if self.last is None:
            pause = size / 1e6 * _SECONDS_A_MEGABYTE
            return pause, pause
        of, pause, weighing = self.last
        return pause * size / of, weighing * size / of

    def add(self, size, pause, weighing):
        self.seconds += pause + weighing
        self.last = (max(size, 1), pause, weighing)


_spent = _Spent()


def post(url, *, max_pause=1.0, max_cpu=0.01, max_bytes=500e6):
    """Captures this process, weighs it in another one and posts the weighing, without the program's texts, to `url`.

    It skips where a capture would stop the process for longer than `max_pause` seconds, where captures and weighings would
    have taken more than `max_cpu` of one processor since the start, or where more than `max_bytes` are resident.
    """
    if not isinstance(url, str) or not url:
        raise TypeError("post needs the address that takes weighings")
    for name, value in (("max_pause", max_pause), ("max_cpu", max_cpu), ("max_bytes", max_bytes)):
        if isinstance(value, bool) or not isinstance(value, (int, float)) or value <= 0:
            raise TypeError(f"{name} must be a number above 0; it is {value!r}")
    size = _resident()
    why = _spent.refuses(size, max_pause, max_cpu, max_bytes)
    if why is not None:
        return Posted(size, why=why)
    try:
        with alone("post") as directory:
            began = time.monotonic()
            capture = recorder.take(directory, "post")
            captured = time.monotonic()
            file = os.path.join(directory, "weighing.json")
            done = check.call(["--quiet", "weigh", capture, "--format", "json", "--output", file, "--post", url])
            _spent.add(size, captured - began, time.monotonic() - captured)
    except (Busy, OSError, RuntimeError) as error:
        return Posted(size, why=str(error))
    if done.returncode != 0:
        return Posted(size, why=(done.stderr or done.stdout).strip())
    return Posted(size, pause=captured - began)


def _resident():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
