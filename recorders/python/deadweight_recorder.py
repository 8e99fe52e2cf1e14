"""Loaded before the program. Arms the triggers; whatever goes wrong, the program goes on."""

import _signal
import os


def arm():
    # SIGUSR2 ends a process that does not know it. One that comes before the recorder is ready is taken when it is.
    early = []
    traps = (
        "SIGUSR2" in os.environ.get("DEADWEIGHT_WHEN", "exit,SIGUSR2")
        and _signal.getsignal(_signal.SIGUSR2) == _signal.SIG_DFL
    )
    if traps:
        _signal.signal(_signal.SIGUSR2, lambda *_: early.append(True))
    is_armed = False
    try:
        import deadweight_recorder_settings as settings

        found = settings.read()
        if found is not None:
            import deadweight_recorder_triggers as triggers

            triggers.arm(found, traps, early)
            is_armed = True
    finally:
        if traps and not is_armed:
            _signal.signal(_signal.SIGUSR2, _signal.SIG_DFL)


def capture(directory, program="python", run=None):
    """Takes a capture now and waits until it is whole: for helpers of test suites. Gives its directory."""
    import deadweight_recorder_settings as settings
    from deadweight_recorder_capture import Capture

    taken = Capture(settings.untriggered(directory, program, run)).take("threshold", "test", waits=True)
    if not os.path.isdir(taken):
        raise RuntimeError("no capture was written")
    return taken
