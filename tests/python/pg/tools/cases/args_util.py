"""polygraphy.tools.args.util."""

import argparse
import itertools
import os

from argument_groups import attempt
from polygraphy import constants
from polygraphy.tools.args.util import (
    cast,
    get,
    get_outputs,
    get_outputs_for_script,
    parse_arg_to_tuple,
    parse_arglist_to_dict,
    parse_arglist_to_tuple_list,
    parse_meta,
    parse_num_bytes,
    parse_path,
    parse_script_and_func_name,
)
from polygraphy.tools.args.util.util import datatype_from_str
from polygraphy.tools.script import Script


def show(function, *args, **kwargs):
    result = attempt(function, *args, **kwargs)
    print(function.__name__, args[:1], kwargs, repr(result), type(result).__name__)


TEXTS = ["1", "1.0", " 5 ", "[1,2]", "[a, b]", "[[1,2],[3]]", "[]", "[", "1,2", "'53'", '"x"']
TEXTS += ["'a", "nan", "-inf", "1e-5", "1_000", "", "[1,,2]", " [1, 2.5,x ] ", "0x10", "True", "-1"]
TEXTS += ["['a','b']", "a'b'", "1]", "[ [ 1", "''a''", "[a]b", "+5", "1e400", "'[1,2]'", " x y "]
for value in TEXTS:
    show(cast, value)

namespace = argparse.Namespace(
    a=1, none=None, all=["mark", "all"], star=["*"], empty=[], mark=["mark"], more=["*", "x"]
)
for name in (*vars(namespace), "missing"):
    print(name, get(namespace, name), get(namespace, name, 5), get(namespace, name, default=6))
    if name != "a":
        print(get_outputs(namespace, name))
for outputs in (constants.MARK_ALL, ["a"], None, []):
    script = Script()
    print(repr(get_outputs_for_script(script, outputs)), script.imports)

LISTS = [["a:1", "b:2"], ["1"], ["a:b:2"], ["", ":5", "a:"], ["a:[1,2]"], ["a:x", "a:y"], [], None]
LISTS += [["C:\\x:5"], [":"], ["a=b:c"], ["=x"]]
OPTIONS = [{}, {"sep": "="}, {"cast_to": str}, {"treat_unspecified_as_none": True}]
for texts, options, missing, empty in itertools.product(LISTS, OPTIONS, [0, 1], [0, 1]):
    options = {**options, "treat_missing_sep_as_val": missing, "allow_empty_key": empty}
    show(parse_arglist_to_dict, texts, **options)
    show(parse_arglist_to_tuple_list, texts, **options)
    show(parse_arg_to_tuple, texts[-1] if texts else None, **options)
show(parse_arglist_to_dict, ["a:1", "2"], cast_to=float)

for value in ["a.py", "a.py:f", "C:\\a.py:f", "a:b:c", "a.py:", None]:
    show(parse_script_and_func_name, value)
    show(parse_script_and_func_name, value, default_func_name="main")
NUMBERS = ["16777216", "16e6", "1.5G", "16M", "4K", "4k", "1g", "1.5", "abc", "", None, "-1", "K"]
for value in [*NUMBERS, "1T", "1KB", "0", " 5 ", "5 K", "nan", "inf"]:
    show(parse_num_bytes, value)

open("there.txt", "w").close()
for path in ["there.txt", "./there.txt", "missing", ".", None, os.path.abspath("there.txt")]:
    show(parse_path, path, "Model")
for name in ("float32", "FLOAT16", "Int8", "bool", "float8e8m0", "bfloat16"):
    show(datatype_from_str, name)

for texts, dtype in [
    (["x:[1,3]:float32"], True),
    (["a:b:[1,2]:int8", "y:[batch,-1,?]:BOOL"], True),
    (["x:[]:int32"], True),
    (["x:[1,3]", "y:[2]", "x:[5]"], False),
    (["x:['b',2]"], False),
    ([], True),
]:
    show(parse_meta, texts, includes_dtype=dtype)
for texts, options in [
    (["x:auto:auto", "y:AUTO:float16"], {}),
    (["x:auto"], {"includes_dtype": False}),
    (["x:float32", "a:b:auto"], {"includes_shape": False}),
]:
    print(attempt(parse_meta, texts, **options))
