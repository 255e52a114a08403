"""Counts the knowledge of two shape inferences about tensors, and the part that real runs refute."""
import math
import re
from dataclasses import dataclass, field
from fractions import Fraction

# Names of single dimensions, made up where nothing is known: ours and the onnx library's; ONNX Runtime's.
MADE_UP = re.compile(r"unk__\d+|\w+_\d+_o\d+__d\d+")


@dataclass
class Counts:
    ranks: int = 0
    static: int = 0   # dimensions that are numbers
    named: int = 0    # dimensions with a name
    derived: int = 0  # of these: in terms of the names that the model has

    def __add__(self, other):
        return Counts(*(getattr(self, f) + getattr(other, f) for f in self.__dataclass_fields__))

    def add(self, dims, skip=lambda axis: False):
        self.ranks += 1
        for axis, dim in enumerate(dims):
            if skip(axis):
                continue
            self.static += isinstance(dim, int)
            self.named += isinstance(dim, str)
            self.derived += is_derived(dim)


@dataclass
class Verdict:
    ours: Counts = field(default_factory=Counts)
    original: Counts = field(default_factory=Counts)
    below: list = field(default_factory=list)    # (tensor, ours, the original's): less is known
    untrue: list = field(default_factory=list)   # (tensor, ours, real): refuted
    refuted: int = 0                             # claims of the original


def is_derived(dim):
    return isinstance(dim, str) and not MADE_UP.search(dim)


class Formula:
    """A dimension's name as a function of the names of the inputs' dimensions."""

    def __init__(self, text, names):
        parts = [re.escape(name) for name in sorted(names, key=len, reverse=True)]
        token = re.compile("|".join([rf"(?<![\w.])(?P<name>{'|'.join(parts)})(?![\w.(])"] * bool(parts) + [r"(?<![\w.])(?P<number>\d+)(?!\w)"]))
        found = lambda m: f"F({m['number']})" if m["number"] else f"v[{m.group()!r}]"
        self.code = None
        try:
            self.code = compile(token.sub(found, text), "<name>", "eval")
        except (SyntaxError, ValueError):
            pass

    def value(self, sizes):
        if self.code is None:
            return None
        try:
            return eval(self.code, {"__builtins__": {}, "F": Fraction, "floor": math.floor, "ceiling": math.ceil, "Min": min, "Max": max,
                                    "Mod": lambda a, b: a % b, "Broadcast": lambda a, b: b if a == 1 else a, "v": sizes})
        except Exception:
            return None


class Run:
    """A real run: shapes, and with them the sizes of the dimensions that the inputs name."""

    def __init__(self, shapes, declared):
        self.shapes, self.sizes = shapes, {}
        for name, dims in declared.items():
            for dim, size in zip(dims or [], shapes.get(name, [])):
                if isinstance(dim, str) and self.sizes.setdefault(dim, Fraction(size)) != size:
                    self.sizes[dim] = None  # the feed contradicts the model
        self.sizes = {name: size for name, size in self.sizes.items() if size is not None}

    def refutes(self, dim, real, formulas):
        if isinstance(dim, int):
            return dim != real
        if not isinstance(dim, str):
            return False
        if dim not in formulas:
            formulas[dim] = Formula(dim, self.sizes)
        value = formulas[dim].value(self.sizes)
        return value is not None and value != real


class Names:
    """Equal names, equal sizes: within each run."""

    def __init__(self, count):
        self.sizes = [{} for _ in range(count)]

    def refute(self, run, dim, real):
        return isinstance(dim, str) and self.sizes[run].setdefault(dim, real) != real


def judge(ours, original, inputs, runs):
    """`ours`, `original`: shapes by tensor; `inputs`: names of the model's inputs; `runs`: real shapes by tensor."""
    verdict = Verdict()
    declared = {name: ours.get(name) or original.get(name) for name in inputs}
    runs = [Run(shapes, declared) for shapes in runs]
    formulas, names = {}, Names(len(runs))
    for tensor in {**ours, **original}:
        mine, other = ours.get(tensor), original.get(tensor)
        real = [(i, run, run.shapes[tensor]) for i, run in enumerate(runs) if tensor in run.shapes]
        if mine is not None:
            verdict.ours.add(mine)
            for i, run, shape in real:
                if len(shape) != len(mine) or any(run.refutes(d, r, formulas) or names.refute(i, d, r) for d, r in zip(mine, shape)):
                    verdict.untrue.append((tensor, mine, shape))
                    break
        if other is None:
            continue
        if any(len(shape) != len(other) for _, _, shape in real):
            verdict.refuted += 1 + len(other)
            continue
        is_refuted = [any(run.refutes(d, shape[axis], formulas) for _, run, shape in real) for axis, d in enumerate(other)]
        verdict.refuted += sum(is_refuted)
        verdict.original.add(other, lambda axis: is_refuted[axis])
        if mine is None or len(mine) != len(other) or any(
                rank_of(o) > rank_of(m) for m, o, refuted in zip(mine, other, is_refuted) if not refuted):
            verdict.below.append((tensor, mine, other))
    return verdict


def rank_of(dim):
    """A number says more than a name, that more than a made-up name, that more than nothing."""
    return 3 if isinstance(dim, int) else 2 if is_derived(dim) else 1 if dim else 0
