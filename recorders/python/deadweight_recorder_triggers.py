"""When a capture is taken. Nothing runs between the start and the first trigger, but for the poll of a threshold."""

import _signal
import atexit
import os
import sys

import deadweight_recorder_files as files
import deadweight_recorder_highest as highest
from deadweight_recorder_capture import Capture, memory
from deadweight_recorder_settings import fail, note


def arm(settings, traps, early):
    """`traps` says that SIGUSR2 is the recorder's; `early` has an item for each that came until now."""
    Triggers(settings).arm(traps, early)


class Triggers:
    def __init__(self, settings):
        self.settings = settings
        self.capture = Capture(settings)
        self.busy = False
        self.last = None
        self.watch = None
        self.exits = settings.exit and settings.highest != "measure"
        self.has_ended = False
        self.has_run_out = False

    def arm(self, traps, early):
        # The first to be registered is the last to run: what the program does at its end is done.
        atexit.register(self.at_exit)
        self.catch_hard_exit()
        if self.exits:
            self.catch_memory_errors()
        os.register_at_fork(after_in_child=self.after_fork)
        if traps:
            _signal.signal(_signal.SIGUSR2, lambda *_: self.take("signal", "SIGUSR2"))
            if early:
                self.take("signal", "SIGUSR2")
        self.poll()
        try:
            self.capture.record_churn()
        except Exception as error:  # the heap is captured all the same
            fail("what the program makes is not recorded", error)

    def poll(self):
        if self.settings.thresholds or self.settings.highest:
            self.watch = highest.Watch(self)
            self.watch.start()

    def take(self, reason, trigger, waits=False):
        if self.busy:
            return None
        self.busy = True
        try:
            return self.capture.take(reason, trigger, waits)
        except BaseException as error:  # the program goes on
            fail("no capture was written", error)
            return None
        finally:
            self.busy = False

    def take_highest(self):
        """On the way up the last one is the highest."""
        before, taken = self.last, self.take("peak", "peak", waits=True)
        if taken is None:
            return
        self.last = taken
        if before is not None:
            files.remove(before)

    def catch_memory_errors(self):
        def of_main():
            if self.last is None and self.take("exit", "MemoryError") is not None:
                # What is left at the end is less.
                self.exits = False

        def of_thread():
            # The program goes on. One that catches no such error may meet many.
            if self.last is None and not self.has_run_out:
                self.has_run_out = True
                self.take("threshold", "MemoryError")

        import deadweight_recorder_memory_errors

        deadweight_recorder_memory_errors.MemoryErrors(of_main, of_thread)

    def catch_hard_exit(self):
        """A program that ends by `os._exit` runs nothing that was registered for the exit."""
        end = os._exit

        def _exit(status):
            self.at_exit()
            end(status)

        _exit.__doc__ = end.__doc__
        os._exit = _exit

    def at_exit(self):
        if self.has_ended:
            return
        self.has_ended = True
        try:
            if self.watch is not None:
                self.watch.finish()
            note(self.settings.journal, f"peak {memory('VmHWM')}")
            if self.exits and self.last is None:
                self.take("exit", "exit")
            if self.capture.churn is not None:
                self.capture.churn.end()
            self.capture.finish()
        except BaseException as error:
            fail("no capture was written", error)

    def after_fork(self):
        try:
            self.busy = False
            self.has_ended = self.has_run_out = False
            self.last = None
            self.capture.forget()
            self.poll()
            self.at_end_of_worker()
        except BaseException as error:
            fail("a process that was forked is not recorded", error)

    def at_end_of_worker(self):
        """Processes of multiprocessing end without what was registered for the exit."""
        for name in ("multiprocessing.util", "billiard.util"):
            util = sys.modules.get(name)
            if util is not None:
                # What was noted here is run when the worker begins, after it forgot its parent's finalizers.
                util.register_after_fork(self, lambda this, util=util: util.Finalize(None, this.at_exit, exitpriority=-1000))
