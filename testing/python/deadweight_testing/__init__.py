"""Limits on memory in tests. `pytest_plugin` makes a mark and a fixture of them, `notebook` a magic."""

from . import check, limits, recorder
from ._alone import alone
from .posting import Posted, post

__all__ = ["Broken", "Measured", "Posted", "expect_held", "held", "post"]


class Broken(AssertionError):
    """A limit is broken."""


class Measured:
    """What was measured: what the call gave, and the figures in bytes. `failure` is None when all limits held."""

    __slots__ = ("value", "bytes", "external", "dead", "failure")

    def __init__(self, value, figures, failure):
        self.value = value
        self.bytes = figures.get("held")
        self.external = figures.get("external")
        self.dead = figures.get("dead")
        self.failure = failure


def held(work, **given):
    """Measures what `work()` holds: what came between a capture before it and one after it, with what it gives kept alive."""
    budget = limits.held(given)
    with alone("held") as directory:
        before = recorder.take(directory, "before")
        value = work()
        after = recorder.take(directory, "after")
        checked = check.run(directory, budget, ["--since", before, after])
    return Measured(value, checked["figures"], check.failure("what the call holds", checked))


def expect_held(work, **given):
    """The same, and raises `Broken` when a limit does not hold."""
    measured = held(work, **given)
    if measured.failure is not None:
        raise Broken(measured.failure)
    return measured
