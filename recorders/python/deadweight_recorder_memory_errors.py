"""A program that ends for want of memory is captured as it was then: its functions, and what their variables hold, are still there
while the error is shown."""

import _thread
import ctypes
import sys

# Address space that is given back when there is no more memory, so that a capture can be begun: two arenas of the interpreter.
RESERVE = 2 << 20


class MemoryErrors:
    """`of_main` is called when such an error ends the program, `of_thread` when it ends a thread."""

    def __init__(self, of_main, of_thread):
        self.reserve = Reserve()
        self.catch_of_main(of_main)
        self.catch_of_thread(of_thread)

    def catch_of_main(self, take):
        show = sys.excepthook

        # The error is in no variable here: what variables of the recorder hold is not the program's.
        def excepthook(*error):
            if is_memory_error(error[0]):
                self.reserve.free()
                take()
            show(*error)

        sys.excepthook = excepthook

    def catch_of_thread(self, take):
        # `threading` takes the function from there when it is imported.
        threading = sys.modules.get("threading")
        module, name = (_thread, "_excepthook") if threading is None else (threading, "excepthook")
        show = getattr(module, name)

        def excepthook(args, /):
            if is_memory_error(args.exc_type):
                self.reserve.free()
                take()
            show(args)

        setattr(module, name, excepthook)


def is_memory_error(kind):
    return isinstance(kind, type) and issubclass(kind, MemoryError)


class Reserve:
    """Pages that nobody touches: they are in no count of what is resident or in use."""

    def __init__(self):
        self.library = ctypes.CDLL(None)
        call = self.library.mmap
        call.restype = ctypes.c_void_p
        call.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_size_t]
        self.library.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
        private, anonymous = 2, 32
        at = call(None, RESERVE, 0, private | anonymous, -1, 0)
        self.at = at if at not in (None, ctypes.c_void_p(-1).value) else None

    def free(self):
        at, self.at = self.at, None
        if at is not None:
            self.library.munmap(at, RESERVE)
