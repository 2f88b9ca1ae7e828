"""python3 -m tilework [--report] [--min N] program.py | -m MODULE | -c TEXT: a program with numpy.linalg's and scipy.linalg's functions patched."""

import os
import runpy
import sys
import types

USAGE = "usage: python3 -m tilework [--report] [--min N] PROGRAM.py | -m MODULE | -c TEXT  [arguments]"


def main():
    words, report, least = sys.argv[1:], False, None
    while words and words[0].startswith("--"):
        word = words.pop(0)
        if word == "--report":
            report = True
        elif word == "--min" and words and words[0].isdigit():
            least = int(words.pop(0))
        elif word == "--help":
            print(USAGE)
            return
        else:
            sys.exit(f"tilework: {word}?\n{USAGE}")
    if not words or (words[0] in ("-m", "-c") and len(words) < 2):
        sys.exit(USAGE)
    import tilework
    from tilework import _library

    # OpenBLAS reads this when it is loaded.
    advice = _library.library().tw_blas_advice()
    if advice and "OPENBLAS_CORETYPE" not in os.environ:
        os.environ["OPENBLAS_CORETYPE"] = advice.decode()
        os.execv(sys.executable, sys.orig_argv)
    tilework.patch(least)
    try:
        if words[0] == "-c":
            sys.argv = ["-c", *words[2:]]
            program = sys.modules["__main__"] = types.ModuleType("__main__")  # where pickle looks for what TEXT defines
            exec(compile(words[1], "<string>", "exec"), program.__dict__)
        elif words[0] == "-m":
            sys.argv = words[1:]
            sys.path.insert(0, "")
            runpy.run_module(words[1], run_name="__main__", alter_sys=True)
        else:
            sys.argv = words
            sys.path.insert(0, os.path.dirname(os.path.abspath(words[0])))
            runpy.run_path(words[0], run_name="__main__")
    finally:
        if report:
            for name, (calls, taken, seconds) in sorted(tilework.report().items()):
                print(f"tilework: {name}: {calls} calls, {taken} taken, {seconds:.3f} s", file=sys.stderr)


main()
