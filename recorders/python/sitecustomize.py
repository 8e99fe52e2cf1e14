"""Found before the program's own by PYTHONPATH: loads the recorder, then the module of this name that comes next."""


def _load():
    try:
        import deadweight_recorder

        deadweight_recorder.arm()
    except BaseException as error:  # whatever goes wrong, the program goes on
        import sys

        try:
            sys.stderr.write(f"deadweight: the recorder is not loaded: {type(error).__name__}: {error}\n")
        except BaseException:
            pass


def _load_next():  # the library knows this module by this name
    import os
    import sys
    from importlib.machinery import PathFinder
    from importlib.util import module_from_spec

    own = os.path.dirname(os.path.abspath(__file__))
    others = [path for path in sys.path if os.path.abspath(path or ".") != own]
    spec = PathFinder.find_spec("sitecustomize", others)
    if spec is None or spec.loader is None:
        return
    module = module_from_spec(spec)
    sys.modules["sitecustomize"] = module
    spec.loader.exec_module(module)


_load()
_load_next()
