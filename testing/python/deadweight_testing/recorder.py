"""The recorder: inside the package, beside it in the checkout, or loaded already by `deadweight run`."""

import os
import sys

from . import check

_HERE = os.path.dirname(os.path.abspath(__file__))
_PACKED = os.path.join(_HERE, "recorder")
_CHECKOUT = os.path.join(_HERE, "..", "..", "..", "recorders", "python")


def take(parent, program):
    """A capture; gives its directory."""
    _load()
    import deadweight_recorder

    directory = os.path.join(parent, program)
    os.mkdir(directory, 0o700)
    return deadweight_recorder.capture(directory, program)


def _load():
    if not os.environ.get("DEADWEIGHT_PYTHON_LIBRARY"):
        done = check.call(["library", "python"])
        if done.returncode != 0:
            raise RuntimeError(f"deadweight has no library for Python: {done.stderr.strip()}")
        os.environ["DEADWEIGHT_PYTHON_LIBRARY"] = done.stdout.rstrip("\n")
    if "deadweight_recorder" not in sys.modules:
        folder = _PACKED if os.path.isdir(_PACKED) else _CHECKOUT
        # Without a trap: the signal belongs to `deadweight run`.
        when = os.environ.get("DEADWEIGHT_WHEN")
        os.environ["DEADWEIGHT_WHEN"] = "none"
        sys.path.insert(0, folder)
        try:
            import deadweight_recorder_capture
            import deadweight_recorder
        finally:
            sys.path.remove(folder)
            if when is None:
                del os.environ["DEADWEIGHT_WHEN"]
            else:
                os.environ["DEADWEIGHT_WHEN"] = when
