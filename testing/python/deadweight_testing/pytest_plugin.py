"""For pytest: the mark `expect_held` on a test, and the fixture `expect_held`."""

import inspect

import pytest

from . import Broken, held
from . import expect_held as _expect_held


def pytest_configure(config):
    config.addinivalue_line(
        "markers",
        'expect_held(bytes, **limits): the test must leave no more than so much behind, such as expect_held("24 MB", findings=[])',
    )


@pytest.fixture
def expect_held():
    """Measures a call: `expect_held(load_round, bytes="2 MB")`."""
    return _expect_held


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    """Calls the test in place of pytest, between two captures."""
    mark = pyfuncitem.get_closest_marker("expect_held")
    if mark is None:
        return None
    if len(mark.args) > 1:
        raise ValueError("the mark expect_held takes one value without a name: the bytes")
    if inspect.iscoroutinefunction(pyfuncitem.obj):
        raise ValueError("the mark expect_held is for functions that are not async: use the fixture within")
    limits = dict(mark.kwargs)
    if mark.args:
        limits["bytes"] = mark.args[0]
    arguments = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
    measured = held(lambda: pyfuncitem.obj(**arguments), **limits)
    if measured.failure is not None:
        raise Broken(measured.failure)
    return True
