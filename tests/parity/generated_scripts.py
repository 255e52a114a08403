"""Generated scripts for runtimes that are missing here: they make the same objects as the original's scripts.

Both are executed where every loader, runner and enumerator is a record of how it was made.
"""
import builtins
import re

from harness import run_original, run_ours

# Modules that are recorded instead of imported.
RECORDED = ("polygraphy.backend", "polygraphy.comparator", "polygraphy.tools")


class Record:
    """A name, or a call, with everything that it was given."""

    def __init__(self, text):
        self.text = text

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Record(f"{self.text}.{name}")

    def __call__(self, *args, **kwargs):
        given = [repr(a) for a in args] + [f"{k}={v!r}" for k, v in sorted(kwargs.items())]
        return Record(f"{self.text}({', '.join(given)})")

    def __repr__(self):
        return self.text

    def __hash__(self):
        return hash(self.text)

    def __eq__(self, other):
        return repr(self) == repr(other)

    def __bool__(self):
        return True


class Mod:
    @staticmethod
    def lazy_import(name, **_):
        return Record({"tensorrt": "trt", "onnxruntime": "onnxrt"}[re.match(r"\w+", name).group()])

    @staticmethod
    def import_from_script(path, name):
        return Record(f"import_from_script({path!r}, {name!r})")


class Func:
    def __init__(self):
        self.extended = {}

    def extend(self, loader):
        def note(function):
            self.extended[function.__name__] = (repr(loader), function.__code__.co_varnames)
            return function
        return note


def executed(script):
    """The runners and extended functions that a script makes."""
    func = Func()

    def recording_import(name, globals=None, locals=None, names=(), level=0):
        if name == "polygraphy":
            return type("polygraphy", (), {"mod": Mod, "func": func, "constants": Record("constants")})
        if name.startswith(RECORDED) or name.startswith("polygraphy."):
            return type("module", (), {n: Record(n) for n in names})
        if re.match("tensorrt", name):
            return Record("trt")
        return builtins.__import__(name, globals, locals, names, level)

    space = {"__builtins__": {**vars(builtins), "__import__": recording_import}}
    # Up to where runners are run.
    exec(script.split("\n# Runner Execution")[0].split("\nCOMMAND_LINE")[0], space)
    return [repr(r) for r in space.get("runners", [])], func.extended


RUNS = (run_ours, run_original)


def compare(args, folder, option):
    made = []
    for run, name in zip(RUNS, ("ours.py", "theirs.py")):
        result = run([*args, option, name], str(folder))
        assert result.code == 0, result.stdout + result.stderr
        made.append(executed((folder / name).read_text()))
    assert made[0] == made[1]
    return made[0]
