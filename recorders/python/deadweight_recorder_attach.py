"""A capture of a program that runs already: called by a script that the interpreter is handed from outside."""

import _thread
import os
import sys
import time

import deadweight_recorder_files as files
import deadweight_recorder_settings as settings


def take(given, known):
    """Takes a capture and leaves where it is in a file. Modules that are not `known` are gone afterwards."""
    began = time.monotonic()
    try:
        if os.getpid() != given["pid"]:
            raise RuntimeError(f"it was process {os.getpid()} that answered")
        capture, directory = start(given)
    except BaseException as error:  # the program goes on
        answer(given, {"error": f"{type(error).__name__}: {error}"})
        forget(known)
        return
    answer(given, {"directory": directory, "pause": time.monotonic() - began})
    # The program does not wait for its copy, but somebody must.
    _thread.start_new_thread(finish, (capture, known))


def start(given):
    from deadweight_recorder_capture import Capture

    words = settings.command_line()
    found = settings.untriggered(given["directory"], settings.name_of(words), None)
    found.library = given["library"]
    capture = Capture(found)
    return capture, capture.take("attached", "attach")


def finish(capture, known):
    try:
        while (ended := capture.poll()) is None:
            time.sleep(0.02)
        # Who asked may have taken the capture away by now, and sees when there is none.
        if ended != 0:
            from deadweight_recorder_capture import why_not

            files.remove(capture.directory)
            settings.fail(f"no capture was written: {why_not(ended)}")
    except BaseException as error:
        settings.fail("no capture was written", error)
    finally:
        forget(known)


def answer(given, text):
    directory, name = os.path.split(given["answer"])
    try:
        files.write(directory, name, files.json(text))
    except OSError:  # whoever asked has gone
        pass


def forget(known):
    for name in list(sys.modules):
        if name.startswith("deadweight_recorder") and name not in known:
            del sys.modules[name]
