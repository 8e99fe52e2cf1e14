"""The library that writes dumps, through the standard library's ctypes."""

import ctypes
import os
import sys

MESSAGE = 200


class Samples(ctypes.Structure):
    """Objects on which the library checks that it knows where they have what: `verify.rs` has the same structure."""

    _fields_ = [
        ("texts", ctypes.c_size_t * 4),
        ("list", ctypes.c_size_t),
        ("tuple", ctypes.c_size_t),
        ("text_keys", ctypes.c_size_t),
        ("any_keys", ctypes.c_size_t),
        ("set", ctypes.c_size_t),
        ("int", ctypes.c_size_t),
        ("function", ctypes.c_size_t),
        ("code", ctypes.c_size_t),
        ("class_", ctypes.c_size_t),
        ("instance", ctypes.c_size_t),
        ("bytearray", ctypes.c_size_t),
    ]


class Request(ctypes.Structure):
    """What is asked for: `request.rs` has the same structure."""

    _fields_ = [
        ("dump_part", ctypes.c_char_p),
        ("dump", ctypes.c_char_p),
        ("record_part", ctypes.c_char_p),
        ("record", ctypes.c_char_p),
        ("header", ctypes.c_char_p),
        ("record_front", ctypes.c_char_p),
        ("dump_name", ctypes.c_char_p),
        ("frame", ctypes.c_size_t),
        ("thresholds", ctypes.c_uint32 * 3),
        ("has_pools", ctypes.c_uint32),
        ("began", ctypes.c_double),
        ("peak_before", ctypes.c_uint64),
        ("lines", ctypes.POINTER(ctypes.c_uint32)),
    ]


class Held(ctypes.Structure):
    """Bytes in use and taken, in pools and of the C library: `held.rs` has the same structure."""

    _fields_ = [(name, ctypes.c_uint64) for name in ("pool_used", "pool_taken", "malloc_used", "malloc_taken")]


class Sample:
    def __init__(self):
        self.first = 1
        self.second = 2


def refused():
    """Why this interpreter cannot be recorded; None when it can."""
    if sys.implementation.name != "cpython":
        return f"{sys.implementation.name} is no CPython"
    if not getattr(sys, "_is_gil_enabled", lambda: True)() or "t" in getattr(sys, "abiflags", ""):
        return "free-threaded builds are not recorded yet"
    if "d" in getattr(sys, "abiflags", ""):
        return "debug builds are not recorded"
    if allocator() not in ("pymalloc", "malloc"):
        return f"PYTHONMALLOC={allocator()} is not recorded: objects have other places in it"
    return None


def allocator():
    name = "" if sys.flags.ignore_environment else os.environ.get("PYTHONMALLOC", "")
    if sys.flags.dev_mode and not name:
        return "debug"
    return name if name not in ("", "default") else "pymalloc"


def load(path):
    """Loads the library and lets it check the interpreter; raises when it does not fit."""
    why = refused()
    if why is not None:
        raise RuntimeError(why)
    if not path:
        raise RuntimeError("DEADWEIGHT_PYTHON_LIBRARY names no library")
    library = ctypes.PyDLL(path)
    library.deadweight_python_check.argtypes = [ctypes.POINTER(Samples), ctypes.c_char_p]
    library.deadweight_python_take.argtypes = [ctypes.POINTER(Request)]
    library.deadweight_python_wait.argtypes = [ctypes.c_int, ctypes.c_int]
    library.deadweight_python_held.argtypes = [ctypes.POINTER(Held), ctypes.c_int]
    library.deadweight_python_held.restype = None
    check(library)
    return library


def check(library):
    def sample(first, second):
        return first, second

    letters = ["a", "b", "c"]
    objects = {
        "list": letters,
        "tuple": tuple(letters),
        "text_keys": {"a": 1, "b": 2},
        "any_keys": {1: "a"},
        "set": set("abcdef"),
        "int": -7 * 2**40,
        "function": sample,
        "code": sample.__code__,
        "class_": Sample,
        "instance": Sample(),
        "bytearray": bytearray(b"deadweight"),
    }
    texts = ["deadweight", "d\xe9", "d\u0416", "d\U0001f600"]
    samples = Samples(texts=(ctypes.c_size_t * 4)(*map(id, texts)), **{name: id(one) for name, one in objects.items()})
    message = ctypes.create_string_buffer(MESSAGE)
    if library.deadweight_python_check(ctypes.byref(samples), message) != 0:
        raise RuntimeError(message.value.decode())
