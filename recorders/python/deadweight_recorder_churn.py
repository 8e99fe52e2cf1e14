"""What the program makes: a library hears of each block that is asked for, and this names the lines."""

import ctypes
import os
import sys

import deadweight_recorder_calls as calls
import deadweight_recorder_files as files
import deadweight_recorder_library as bindings
import deadweight_recorder_samples as samples

FILE = "made.churn"
OWN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "")

REFUSED = {
    1: "this interpreter lacks what is needed",
    2: "its frames are not where they should be",
    3: "it is recorded already",
}


class Wanted(ctypes.Structure):
    """What is asked for: `calls.rs` has the same structure."""

    _fields_ = [
        ("frame", ctypes.c_size_t),
        ("code", ctypes.c_size_t),
        ("instruction", ctypes.c_int32),
        ("has_pools", ctypes.c_uint32),
        ("every", ctypes.c_uint64),
    ]


class FrameAt(ctypes.Structure):
    """A line: `stacks.rs` has the same structure."""

    _fields_ = [("code", ctypes.c_size_t), ("instruction", ctypes.c_int32), ("is_innermost", ctypes.c_uint32)]


class Churn:
    """The record of this process."""

    def __init__(self, settings, library):
        self.settings = settings
        self.library = library
        declare(library)

    def start(self):
        """Begins, as the last thing the recorder does before the program."""
        refused = self.begin()
        if refused:
            raise RuntimeError(REFUSED[refused])
        for made, number in samples.each():
            self.library.deadweight_churn_learn(id(made), number)
        if not self.library.deadweight_churn_learned():
            self.library.deadweight_churn_end()
            raise RuntimeError("its allocators cannot be heard")
        if self.settings.sites:
            self.library.deadweight_churn_hear_objects()
        self.resume()

    def begin(self):
        def called():
            here = sys._getframe()
            caller = here.f_back
            wanted = Wanted(
                frame=id(here),
                code=id(caller.f_code),
                instruction=caller.f_lasti,
                has_pools=bindings.allocator() == "pymalloc",
                every=self.settings.every,
            )
            return self.library.deadweight_churn_begin(ctypes.byref(wanted))

        return called()

    def pause(self):
        self.library.deadweight_churn_pause(1)

    def resume(self):
        self.library.deadweight_churn_pause(0)

    def forget(self):
        self.library.deadweight_churn_forget()

    def end(self):
        self.library.deadweight_churn_end()

    def write(self, directory):
        """Writes what was made until now, paused; gives what the capture's record says of it."""
        self.check()
        head = files.json(self.head()).encode("utf-8", "backslashreplace")
        frames = "\n".join(self.frames()).encode("utf-8", "backslashreplace")
        made = []

        def fill(file):
            made.append(self.library.deadweight_churn_write(file, head, frames, self.settings.operations))
            if made[0] < 0:
                raise OSError("the file could not be written")

        files.fill(directory, FILE, fill)
        said = {"file": FILE, "operations": self.settings.operations, "objects": made[0]}
        if self.settings.every:
            said["every_bytes"] = self.settings.every
        return said

    def check(self):
        """Raises where not all was heard."""
        hears = self.library.deadweight_churn_hears()
        if hears < 0:
            raise RuntimeError("it failed while the program ran")
        if hears == 0:
            raise RuntimeError("the program put other allocators in place, as `tracemalloc.stop` does")

    def head(self):
        head = {"deadweight": "churn", "version": 1}
        version = ".".join(map(str, sys.version_info[:3]))
        head["runtime"] = {"name": "python", "version": version, "word_bytes": 8, "allocator": bindings.allocator()}
        if self.settings.every:
            head["sampling"] = {"every_bytes": self.settings.every}
        try:
            head["root"] = os.getcwd()
        except OSError:
            head["root"] = ""
        return head

    def frames(self):
        """A line for each frame: what is written of it, and the name of what it calls."""
        for frame, code, found in self.found():
            if found is None:
                yield ""
                continue
            function = getattr(code, "co_qualname", code.co_name)
            text = files.json(
                {
                    "function": "" if function == "<module>" else function,
                    "file": code.co_filename,
                    "line": found.line(frame.instruction),
                }
            )
            call = found.call(frame.instruction) if frame.is_innermost else None
            yield text + "\t" + (files.quote(call) if call else "")

    def lines(self):
        """The line of each frame, 0 for the recorder's own, as the library takes them. Paused."""
        self.check()
        lines = [0 if found is None else max(found.line(frame.instruction), 0) for frame, _, found in self.found()]
        return (ctypes.c_uint32 * max(len(lines), 1))(*lines)

    def found(self):
        """Each frame with its code object, and what is known of that; None for the recorder's own."""
        count = ctypes.c_uint64()
        first = self.library.deadweight_churn_frames(ctypes.byref(count))
        known = {}
        for number in range(count.value):
            frame = first[number]
            code = ctypes.cast(frame.code, ctypes.py_object).value
            if code.co_filename.startswith(OWN):
                yield frame, code, None
                continue
            if frame.code not in known:
                known[frame.code] = calls.Code(code)
            yield frame, code, known[frame.code]


def declare(library):
    library.deadweight_churn_begin.argtypes = [ctypes.POINTER(Wanted)]
    library.deadweight_churn_learn.argtypes = [ctypes.c_size_t, ctypes.c_uint32]
    library.deadweight_churn_learn.restype = None
    library.deadweight_churn_pause.argtypes = [ctypes.c_int]
    for name in ("pause", "forget", "end"):
        getattr(library, "deadweight_churn_" + name).restype = None
    library.deadweight_churn_frames.argtypes = [ctypes.POINTER(ctypes.c_uint64)]
    library.deadweight_churn_frames.restype = ctypes.POINTER(FrameAt)
    library.deadweight_churn_write.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_uint64]
    library.deadweight_churn_write.restype = ctypes.c_int64
