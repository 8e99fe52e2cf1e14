"""One measurement at a time, in a directory of its own."""

import contextlib
import shutil
import tempfile


class Busy(RuntimeError):
    """Another measurement is under way."""


_busy = False


@contextlib.contextmanager
def alone(what):
    """Two captures at a time would each see what the other one makes."""
    global _busy
    if _busy:
        raise Busy(f"{what}: another measurement is under way")
    _busy = True
    directory = tempfile.mkdtemp(prefix="deadweight-test-")  # 0700
    try:
        yield directory
    finally:
        _busy = False
        shutil.rmtree(directory, ignore_errors=True)
