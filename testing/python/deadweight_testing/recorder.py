"""The recorder: inside the package, beside it in the checkout, or loaded already by `deadweight run`."""

import os
import sys

from . import check

_HERE = os.path.dirname(os.path.abspath(__file__))
_PACKED = os.path.join(_HERE, "recorder")
_CHECKOUT = os.path.join(_HERE, "..", "..", "..", "recorders", "python")


def take(parent, program):
    """A capture; gives its directory."""
    directory = os.path.join(parent, program)
    os.mkdir(directory, 0o700)
    return _load().capture(directory, program)


def _load():
    if not os.environ.get("DEADWEIGHT_PYTHON_LIBRARY"):
        done = check.call(["library", "python"])
        if done.returncode != 0:
            raise RuntimeError(f"deadweight has no library for Python: {done.stderr.strip()}")
        os.environ["DEADWEIGHT_PYTHON_LIBRARY"] = done.stdout.rstrip("\n")
    folder = _PACKED if os.path.isdir(_PACKED) else _CHECKOUT
    if "deadweight_recorder" not in sys.modules:
        # Its other modules are found there as well.
        sys.path.append(folder)
    import deadweight_recorder

    return deadweight_recorder
