"""One capture: a copy of the process writes the dump, then the record, while the program goes on."""

import _signal
import gc
import os
import sys
import time

import deadweight_recorder_files as files
import deadweight_recorder_library as bindings
from deadweight_recorder_settings import fail, note

SCHEMA = "deadweight/capture/1"
OBJECTS = "objects.dwpython"
RECORD = "capture.json"


class Capture:
    """Takes captures of this process."""

    def __init__(self, settings):
        self.settings = settings
        self.library = bindings.load(settings.library)
        self.base = memory("VmRSS")
        self.started = time.monotonic()
        self.taken = 0
        self.clone = None
        self.directory = None
        self.churn = None

    def record_churn(self):
        """Begins to record what the program makes, where that, or the line of each object, is wanted."""
        if not self.settings.churn and not self.settings.sites:
            return
        import deadweight_recorder_churn

        churn = deadweight_recorder_churn.Churn(self.settings, self.library)
        churn.start()
        self.churn = churn

    def take(self, reason, trigger, waits=False):
        """Gives the capture's directory; the copy may still write into it."""
        began = time.monotonic()
        peak = memory("VmHWM")
        self.finish()
        self.taken += 1
        directory = files.make_directory(self.settings.directory, self.settings.program, self.taken)
        was_enabled = gc.isenabled()
        gc.disable()
        if self.churn is not None:
            self.churn.pause()
        try:
            self.clone = self.start(directory, began, peak, reason, trigger)
            self.directory = directory
        except BaseException:
            files.remove(directory)
            raise
        finally:
            if was_enabled:
                gc.enable()
            if self.churn is not None:
                self.churn.resume()
        note(self.settings.journal, f"writing {self.clone} {os.getpid()}")
        if waits:
            self.finish()
        return directory

    def start(self, directory, began, peak, reason, trigger):
        has_pools = bindings.allocator() == "pymalloc"
        header = files.json(self.header(reason))[:-1]
        record = files.json(self.record(reason, trigger, peak, self.made(directory)))[:-1]
        path = os.fsencode(directory)
        request = bindings.Request(
            dump_part=os.path.join(path, OBJECTS.encode() + b".part") if self.settings.snapshot else None,
            dump=os.path.join(path, OBJECTS.encode()) if self.settings.snapshot else None,
            record_part=os.path.join(path, RECORD.encode() + b".part"),
            record=os.path.join(path, RECORD.encode()),
            header=header.encode("utf-8", "backslashreplace"),
            record_front=record.encode("utf-8", "backslashreplace"),
            dump_name=OBJECTS.encode(),
            frame=id(sys._getframe()),
            thresholds=gc.get_threshold(),
            has_pools=has_pools,
            began=began,
            peak_before=peak,
            lines=self.lines(),
        )
        clone = self.library.deadweight_python_take(bindings.ctypes.byref(request))
        if clone == -1:
            raise RuntimeError("the lists of the garbage collector are not where they should be")
        if clone < 0:
            raise RuntimeError("the process cannot be copied")
        return clone

    def poll(self):
        """What the copy of the last capture ended with, 0 for success; None while it writes."""
        ended = self.library.deadweight_python_wait(self.clone, 0)
        return None if ended == -1 else ended

    def finish(self):
        """Waits for the copy of the last capture; says so when it wrote none."""
        if self.clone is None:
            return
        clone, self.clone = self.clone, None
        ended = self.library.deadweight_python_wait(clone, 1)
        if ended == 0 and os.path.exists(os.path.join(self.directory, RECORD)):
            return
        files.remove(self.directory)
        fail(f"no capture was written: {why_not(ended)}")

    def forget(self):
        """After a fork: captures and copies were the parent's."""
        self.clone = None
        self.taken = 0
        if self.churn is not None:
            self.churn.forget()
        self.base = memory("VmRSS")

    def held(self):
        """Bytes in use, and taken, of the allocators."""
        held = bindings.Held()
        self.library.deadweight_python_held(bindings.ctypes.byref(held), bindings.allocator() == "pymalloc")
        return held.pool_used + held.malloc_used, held.pool_taken + held.malloc_taken

    def header(self, reason):
        return {
            "python": list(sys.version_info[:3]),
            "moment": reason,
            "process": os.getpid(),
            "parent": os.getppid(),
            "program": self.settings.program,
            "unix_ms": int(time.time() * 1000),
            "blocks": sys.getallocatedblocks(),
            "standard_library": standard_library(),
            "site_packages": site_packages(),
        }

    def made(self, directory):
        """Writes what the program made until now; None where that is not recorded."""
        if self.churn is None or not self.settings.churn:
            return None
        try:
            return self.churn.write(directory)
        except Exception as error:  # the heap is captured all the same
            fail("what the program made was not written", error)
            return None

    def lines(self):
        """The line of each frame that made something; None where nobody asks for them."""
        if self.churn is None or not self.settings.sites:
            return None
        try:
            return self.churn.lines()
        except Exception as error:  # the heap is captured all the same
            fail("the lines that made objects are not in the capture", error)
            return None

    def record(self, reason, trigger, peak, churn=None):
        used, taken = self.held()
        now = time.time()
        process = {
            "pid": os.getpid(),
            "ppid": os.getppid(),
            "argv": self.settings.argv,
            "exec_path": sys.executable,
            "cwd": working_directory(),
            "uptime_seconds": time.monotonic() - self.started,
            "reason": reason,
            "trigger": trigger,
            "time": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(now)) + f".{int(now * 1000) % 1000:03d}Z",
            "heap_used": used,
            "heap_total": taken,
            "external": 0,
            "rss": memory("VmRSS"),
        }
        pages = sums_of_pages()
        if pages:
            process["smaps"] = pages
        if self.taken == 1:
            process["rss_base"] = self.base
            process["rss_peak"] = peak
        version = ".".join(map(str, sys.version_info[:3]))
        runtime = {
            "name": "python",
            "version": version,
            "engine": f"CPython {version}",
            "arch": os.uname().machine,
            "word_bytes": 8,
        }
        record = {"schema": SCHEMA, "run": self.settings.run, "runtime": runtime, "process": process, "churn": churn}
        return {name: value for name, value in record.items() if value is not None}


def why_not(ended):
    """Why a copy that ended so wrote nothing; the recorder ends it by SIGABRT when it gets no memory."""
    if ended == 256 + _signal.SIGABRT:
        return "its copy got no memory; a limit on it (`ulimit -v`) leaves none"
    if ended > 256:
        return f"its copy was ended by signal {ended - 256}"
    return "its copy could not write all of it"


def standard_library():
    """Folders of the standard library: that of `os`, and of modules of C."""
    own = os.path.dirname(os.path.abspath(os.__file__))
    return [own, os.path.join(own, "lib-dynload")]


def site_packages():
    return [path for path in sys.path if os.path.basename(path.rstrip("/")) in ("site-packages", "dist-packages")]


def working_directory():
    try:
        return os.getcwd()
    except OSError:
        return None


def memory(name):
    """A line of the process's status, in bytes; 0 where the system does not say."""
    try:
        with open("/proc/self/status") as file:
            for line in file:
                if line.startswith(name + ":"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0


def sums_of_pages():
    """The process's pages, in bytes; empty where the system does not say."""
    sums = {}
    try:
        with open("/proc/self/smaps_rollup") as file:
            for line in file:
                words = line.split()
                if len(words) == 3 and words[2] == "kB":
                    sums[words[0][:-1].lower()] = int(words[1]) * 1024
    except OSError:
        pass
    return sums
