"""Script, and code of calls."""

import itertools
import os
import re
import sys
from collections import OrderedDict

import numpy as np
from argument_groups import attempt
from polygraphy import constants
from polygraphy.common import TensorMetadata
from polygraphy.tools.args.util import run_script
from polygraphy.tools.script import (
    Script,
    ensure_safe,
    inline,
    inline_identifier,
    make_invocable,
    make_invocable_if_nondefault,
    make_invocable_if_nondefault_kwargs,
    make_invocable_impl,
    safe,
)


def show(function, *args, **kwargs):
    result = attempt(function, *args, **kwargs)
    flags = getattr(result, "safe", None), getattr(result, "inline", None)
    print(repr(result), str(result), type(result).__name__, flags)


CODE = inline(safe("code"))
VALUES = [
    1,
    -0.5,
    "x",
    'it\'s "q"\n',
    None,
    True,
    b"x",
    (),
    (1,),
    [1, "a", CODE],
    {"a": 1, "b": CODE},
    {1, 2},
    OrderedDict(a=1),
    safe("y"),
    CODE,
    Script.String("unsafe"),
    constants.MARK_ALL,
    np.float32(1.5),
    TensorMetadata().add("a", np.float32, (1, "b")),
    "a\\b",
    1e300,
]
for value in VALUES:
    show(make_invocable, "F", value, x=value)
    show(safe, "f({:}, {a})", value, a=value)
special = [float("nan"), [float("inf")], (float("-inf"),), {"": float("nan")}]
for value in special:
    show(make_invocable, "F", value)

for function in (
    make_invocable,
    make_invocable_impl,
    make_invocable_if_nondefault,
    make_invocable_if_nondefault_kwargs,
):
    for args, kwargs in itertools.product(
        [(), (None,), (None, None), (1,), (1, None), (None, 1)],
        [{}, {"x": None}, {"x": 1}, {"x": None, "y": 2}],
    ):
        show(function, "F", *args, **kwargs)

for base in ("abc", "{:}", "{a}{", "{}{}", "{", "{0}-{0}", "{:>5}"):
    show(safe, base, 1, a=2)
for value in (safe("x"), CODE, Script.String("x")):
    show(inline, value)
    show(ensure_safe, safe("x"))
for name in ("a.b", "ab", "1b", "a b", "_", ""):
    show(inline_identifier, name)

strings = [Script.String(*args) for args in itertools.product("xy", (0, 1), (0, 1))]
print([a == b for a in strings for b in strings], strings[0] == "x", len(set(strings)))
for left, right in itertools.product(["x"], ["y"]):
    both = safe(left)
    same = both
    both += inline(safe(right))
    print(repr(both), both is same, both.unwrap(), f"{both}", bool(safe("")))


def body(script) -> str:
    """All but the time."""
    return re.sub(r" on \S+ at \S+", "", str(script)).replace(sys.argv[0], "SCRIPT")


for summary, always, *parts, suffixes in itertools.product(
    [None, "a\nb"], *[[0, 1]] * 6, [0, 1, 2]
):
    preimport, imports, data_loader, loader, runner = parts
    script = Script(summary, always)
    if preimport:
        script.append_preimport(safe("P"))
        script.append_preimport(safe("Q"))
    if imports:
        script.add_import(["I"], frm="m")
    if data_loader:
        script.set_data_loader(safe("D"))
    if loader:
        script.add_loader(safe("L"), "l")
        script.add_var(safe("V"), "l", "Category")
    if runner:
        script.add_runner(safe("R"))
    for _ in range(suffixes):
        script.append_suffix(safe("S"))
    print(repr(body(script)))

script = Script("Summary", False)
print(script.add_import("a"), script.add_import(["b", "c"], frm="m"))
script.add_import(["d"], frm="m", imp_as="A")
script.add_import("tensorrt", imp_as="trt")
script.add_import("tensorrt", imp_as="trt2")
script.add_import("onnx_graphsurgeon", imp_as="gs")
script.add_import("polygraphy.x", imp_as="x")
script.add_import("polygraphy")
script.add_import(["q", "constants"], frm="polygraphy")
script.add_import(("B", "A"), frm="polygraphy.backend.onnx")
script.add_import("polygraphy_extension_x")
print(script.set_data_loader(make_invocable("D", 1)), script.set_data_loader(None))
for code, name in [("F(1)", "load"), ("F(1)", "load"), ("F(2)", "load"), ("F(1)", "other")]:
    show(script.add_loader, safe(code), name)
show(script.add_var, safe("[1]"), "v")
show(script.add_var, safe("F(1)"), "w", "Category")
show(script.add_var, safe("5"), safe("w"), "Category")
show(script.add_runner, make_invocable("R", 1))
show(script.get_runners)
show(lambda: Script.DATA_LOADER_NAME)
print(script.vars, dict(script.var_count), script.runners, script.preimport, script.suffix)
print(script.data_loader, script.summary, script.always_create_runners)
print(body(script))
with open("saved.py", "w") as file:
    script.save(file)
print(oct(os.stat("saved.py").st_mode), open("saved.py").read() == str(script))


def list_of(script, *args):
    script.add_import("os")
    return script.add_var(safe("[1, {:}]", *args), "v")


def with_functions(script):
    script.append_suffix(safe("def g():\n    return Q\nQ = 5\nx = g()"))
    return safe("x")


print(run_script(list_of, 5), run_script(with_functions), run_script(lambda script: None))
print(run_script(lambda script: script.get_runners()), run_script(lambda script: safe("y")))
attempt(run_script, lambda script: script.add_var(safe("missing"), "v"))
attempt(run_script, lambda script: script.add_var(safe("1 +"), "v"))
