"""python3 -m tilework [--report] [--min N] program.py | -m MODULE | -c TEXT: a program with numpy.linalg's and scipy.linalg's functions patched."""

import atexit
import importlib.machinery
import importlib.util
import os
import runpy
import sys
import types
import zipfile

USAGE = "usage: python3 -m tilework [--report] [--min N] [--] PROGRAM.py | - | -m MODULE | -c TEXT  [arguments]"

HELP = """
Runs a program with functions of numpy.linalg and scipy.linalg, and SciPy's transforms, replaced by Tilework's
where arrays are large; all other calls go to the originals.
  --report  on standard error when the program ends: calls, taken ones, seconds, and why others were not taken
  --min N   take every problem of order N and more (1000), transforms from N^3 points on
Flags of Python's own stand before -m tilework. In a notebook: import tilework; tilework.patch().
More: docs/python.md; for programs in other languages: tilework run."""


def refuse(why):
    print(f"tilework: {why}\n{USAGE}", file=sys.stderr)
    sys.exit(2)


def order(text):
    """As `tilework run` reads it: 500, or 1e3."""
    try:
        value = float(text)
    except ValueError:
        value = -1
    if not 0 <= value <= 1000000 or value != int(value):
        refuse(f"--min {text}: expected an order, 0 to 1000000")
    return int(value)


def say_report():
    patch = sys.modules.get("tilework._patch")
    lines = list(patch.lines()) if patch else []
    for line in lines:
        print(f"tilework: {line}", file=sys.stderr)
    if not lines:
        print("tilework: 0 calls of functions that are patched", file=sys.stderr)


def flags(words):
    """Takes the flags away: whether there is to be a report, and the least order."""
    report, least = False, None
    while words and words[0].startswith("-") and words[0] not in ("-", "-m", "-c"):
        word, given, value = words.pop(0).partition("=")
        if word == "--" and not given:
            break
        if word == "--report" and not given:
            report = True
        elif word == "--report":
            refuse("--report=FILE: reports go to standard error; files are `tilework run`'s")
        elif word == "--min" and (given or words):
            least = order(value if given else words.pop(0))
        elif word == "--min":
            refuse("--min: expected an order")
        elif word in ("--help", "-h") and not given:
            print(USAGE + "\n" + HELP)
            sys.exit(0)
        else:
            refuse(f"{word}: there is no such flag; Python's own stand before -m tilework")
    return report, least


def check(words):
    if not words or (words[0] in ("-m", "-c") and len(words) < 2):
        refuse("which program?")
    if words[0] in ("-", "-m", "-c"):
        return
    if not os.path.exists(words[0]):
        refuse(f"{words[0]}: there is no such file")
    if os.path.isfile(words[0]):
        try:
            with open(words[0], "rb") as file:
                begin = file.read(4)
        except OSError as error:
            refuse(f"{words[0]}: cannot be read: {error.strerror}")
        if begin == b"\x7fELF":
            refuse(f"{words[0]} is not a program in Python: tilework run -- {words[0]}")


def start(words):
    if sys.path and sys.path[0] == os.getcwd():  # python3 -m put it there; a program's folder takes its place
        del sys.path[0]
    if words[0] in ("-", "-c"):
        sys.path.insert(0, "")
        sys.argv = [words[0], *words[1 if words[0] == "-" else 2 :]]
        program = sys.modules["__main__"] = types.ModuleType("__main__")  # where pickle looks for what TEXT defines
        text, name = (sys.stdin.read(), "<stdin>") if words[0] == "-" else (words[1], "<string>")
        exec(compile(text, name, "exec"), program.__dict__)
    elif words[0] == "-m":
        sys.argv = words[1:]
        sys.path.insert(0, "")
        runpy.run_module(words[1], run_name="__main__", alter_sys=True)
    else:
        path = os.path.abspath(words[0])  # as Python has __file__, wherever the program goes
        sys.path.insert(0, os.path.dirname(os.path.realpath(path)))
        sys.argv = words
        if os.path.isdir(path) or path.endswith(".pyc") or zipfile.is_zipfile(path):
            return runpy.run_path(path, run_name="__main__")
        program = sys.modules["__main__"] = types.ModuleType("__main__")  # by runpy sys.argv[0] would be the path
        program.__file__, program.__loader__ = path, importlib.machinery.SourceFileLoader("__main__", path)
        with open(path, "rb") as file:
            text = file.read()
        exec(compile(text, path, "exec"), program.__dict__)


def say_error(kind, value, trace):
    """As Python does it, without the frames that are ours."""
    own = main.__code__.co_filename, runpy.run_module.__code__.co_filename
    while trace and trace.tb_frame.f_code.co_filename in own:
        trace = trace.tb_next
    sys.__excepthook__(kind, value.with_traceback(trace), trace)


def main():
    words = sys.argv[1:]
    report, least = flags(words)
    check(words)
    sys.excepthook = say_error
    if report:
        atexit.register(say_report)  # behind threads' ends, and behind what the program registers
    if importlib.util.find_spec("numpy") is None:
        print("tilework: no NumPy here: nothing is patched", file=sys.stderr)
        return start(words)
    import tilework
    from tilework import _library

    # OpenBLAS reads this when it is loaded.
    advice = _library.library().tw_blas_advice()
    if advice and "OPENBLAS_CORETYPE" not in os.environ:
        os.environ["OPENBLAS_CORETYPE"] = advice.decode()
        os.execv(sys.executable, sys.orig_argv)
    tilework.patch(least)
    start(words)


main()
