"""Settings from DEADWEIGHT_* environment variables; README.md lists them."""

import os
import re
import sys

# These run programs as children, or are no program at all: their own heap is not what anyone wants weighed.
LAUNCHERS = ("pip", "pip3", "pipx", "poetry", "pipenv", "pdm", "hatch", "tox", "nox", "virtualenv", "conda", "uv", "ensurepip")

THRESHOLD = re.compile(r"(rss|heap)>(\d+)")


class Settings:
    """What is captured, when, and where it goes."""

    __slots__ = (
        "directory", "program", "argv", "run", "exit", "thresholds", "snapshot", "poll", "journal", "highest", "library",
        "churn", "sites", "every", "operations",
    )


def read():
    """The settings, or None when this process is not one to capture."""
    env = os.environ
    words = command_line()
    program = name_of(words)
    if program in LAUNCHERS and env.get("DEADWEIGHT_LAUNCHERS") != "1":
        note(env.get("DEADWEIGHT_JOURNAL"), f"launcher {os.getpid()}")
        return None
    if stays_out(env):
        return None
    items = [item.strip() for item in env.get("DEADWEIGHT_WHEN", "exit,SIGUSR2").split(",")]
    found = Settings()
    found.directory = os.path.abspath(env.get("DEADWEIGHT_DIR", "."))
    found.program = program
    found.argv = words
    found.run = env.get("DEADWEIGHT_RUN")
    found.exit = "exit" in items
    found.thresholds = [match.groups() for match in map(THRESHOLD.fullmatch, items) if match]
    found.snapshot = env.get("DEADWEIGHT_SNAPSHOT") != "0"
    found.poll = max(int(env.get("DEADWEIGHT_POLL_MS", "250")), 10) / 1000
    found.journal = env.get("DEADWEIGHT_JOURNAL")
    found.highest = env.get("DEADWEIGHT_HIGHEST") or None
    found.library = env.get("DEADWEIGHT_PYTHON_LIBRARY")
    found.churn = number(env, "DEADWEIGHT_CHURN_BYTES") > 0
    found.sites = env.get("DEADWEIGHT_SITES") == "1" and found.snapshot
    # With a share of the time given samples are wanted; here they are taken by bytes.
    found.every = number(env, "DEADWEIGHT_CHURN_BYTES") if number(env, "DEADWEIGHT_CHURN_SHARE") > 0 else 0
    if found.sites:
        found.every = 0  # the line of each object is in the record of all
    found.operations = number(env, "DEADWEIGHT_OPERATIONS")
    return found


def number(env, name):
    text = env.get(name, "")
    return int(text) if text.isdigit() else 0


def untriggered(directory, program, run):
    """For who asks for each capture itself: nothing triggers one."""
    found = Settings()
    found.directory = os.path.abspath(directory)
    found.program = clean(program)
    found.argv = command_line()
    found.run = run
    found.exit = False
    found.thresholds = []
    found.snapshot = True
    found.poll = 1
    found.journal = found.highest = None
    found.library = os.environ.get("DEADWEIGHT_PYTHON_LIBRARY")
    found.churn = found.sites = False
    found.every = found.operations = 0
    return found


def stays_out(env):
    if env.get("DEADWEIGHT_CHILDREN") != "0":
        return False
    if env.get("DEADWEIGHT_ANCESTOR"):
        return True
    os.environ["DEADWEIGHT_ANCESTOR"] = str(os.getpid())  # the children inherit it, and stay out
    return False


def command_line():
    """The words by which the process was started: this module is loaded before sys.argv is as the program sees it."""
    try:
        with open("/proc/self/cmdline", "rb") as file:
            return [os.fsdecode(word) for word in file.read().split(b"\0")[:-1]]
    except OSError:
        return list(getattr(sys, "orig_argv", None) or [sys.executable])


# Options of the interpreter with a word of their own behind them.
WITH_WORD = ("-X", "-W", "--check-hash-based-pycs")


def name_of(words):
    """The script or module that runs; `python` for a session or a line of code."""
    rest = iter(words[1:])
    for word in rest:
        if word in WITH_WORD:
            next(rest, None)
        elif word == "-m":
            return clean(next(rest, "python"))
        elif word.startswith("-m"):
            return clean(word[2:])
        elif word == "-" or word.startswith("-c"):
            break
        elif not word.startswith("-"):
            name = os.path.basename(os.path.abspath(word))
            return clean(name[:-3] if name.endswith(".py") else name)
    return "python"


def clean(name):
    cleaned = re.sub(r"[^A-Za-z0-9._-]+", "_", name).lstrip(".")[:80]
    return cleaned or "python"


def note(journal, line):
    """A line for who started the program, if anyone listens."""
    if not journal:
        return
    try:
        with open(journal, "a") as file:
            file.write(line + "\n")
    except OSError:
        pass


def fail(what, error=None):
    why = f": {type(error).__name__}: {error}" if error is not None else ""
    try:
        sys.stderr.write(f"deadweight: {what}{why}\n")
    except BaseException:  # nobody may listen
        pass
