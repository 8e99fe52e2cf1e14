"""A thread that looks at thresholds, and for the moment at which the process holds most."""

import _thread
import math
import os
import time

from deadweight_recorder_capture import memory
from deadweight_recorder_settings import fail, note

# A look for the highest moment is taken when so much more is there.
FIRST = 8_000_000
MORE = 1.03
CLIMB = 1.5
# Near the highest moment a better capture takes the place of the one before, so many times at most.
BETTER = 1.03
MOST_TAKEN = 2
LOOK_SECONDS = 0.02
# Looks take no more than this share of a core.
SHARE = 0.05


class Watch:
    def __init__(self, triggers):
        self.triggers = triggers
        self.settings = triggers.settings
        self.pid = os.getpid()
        self.waiting = list(self.settings.thresholds)
        self.seen = {}
        seeks = self.settings.highest
        self.target = int(seeks) if seeks and seeks.isdigit() else 0
        self.next = self.target or FIRST
        self.most = 0
        self.taken = 0
        # What the last look took of a core: neither waiting for the program nor a capture counts.
        self.spent = 0.0
        self.ended = False

    def start(self):
        _thread.start_new_thread(self.run, ())

    def run(self):
        pause = LOOK_SECONDS if self.settings.highest else self.settings.poll
        try:
            while not self.ended and self.pid == os.getpid():
                time.sleep(max(pause, self.spent / SHARE))
                self.look()
        except BaseException as error:  # the program goes on
            if not self.ended:
                fail("what is held is no longer watched", error)

    def finish(self):
        """The program has ended: one more look."""
        if self.settings.highest == "climb":
            self.next /= CLIMB
        try:
            self.look()
        finally:
            self.ended = True

    def look(self):
        if self.ended:
            return
        if self.waiting:
            self.look_at_thresholds()
        if self.settings.highest:
            self.look_for_highest()

    def held(self):
        began = time.thread_time()
        held = self.triggers.capture.held()[0]
        self.spent = time.thread_time() - began
        return held

    def look_at_thresholds(self):
        for measure, _ in self.waiting:
            now = memory("VmRSS") if measure == "rss" else self.held()
            if now > self.seen.get(measure, 0):
                self.seen[measure] = now
                note(self.settings.journal, f"{measure} {now}")
        due = [one for one in self.waiting if self.seen.get(one[0], 0) > int(one[1])]
        if due:
            self.waiting = [one for one in self.waiting if one not in due]
            self.triggers.take("threshold", ",".join(f"{measure}>{limit}" for measure, limit in due))

    def look_for_highest(self):
        held = self.held()
        if self.settings.highest == "measure":
            if held > self.most:
                self.most = held
                if held >= self.next:
                    self.next = max(FIRST, held * MORE)
                    note(self.settings.journal, f"highest {self.pid} {held}")
            return
        if held >= self.next:
            climbs = not self.target
            self.taken += 1
            self.next = math.inf if not climbs and self.taken == MOST_TAKEN else held * (CLIMB if climbs else BETTER)
            self.triggers.take_highest()
