"""Runs command lines of public tools on small models. Prints what each prints, how it ends, and the
models that it writes.

TOOLS: their names, an environment variable.
"""

import contextlib
import hashlib
import importlib
import io
import os
import re
import sys

import onnx
import onnx.parser

MODELS = {
    "conv": """<ir_version: 8, opset_import: ["" : 17]>
        g (float[N, 3, 4, 4] x) => (float[N, 2] y)
        <float[2, 3, 1, 1] w = {1, 2, 3, 4, 5, 6}, float[2] b = {7, 8}> {
          [conv1] c = Conv (x, w, b)
          [relu1] r = Relu (c)
          [gap] p = GlobalAveragePool (r)
          [flat] y = Flatten (p)
        }""",
    "constants": """<ir_version: 8, opset_import: ["" : 17]>
        g (float[2, 4] x) => (float[2, 4] y)
        <float[4] k2 = {1, 2, 3, 4}, float[4] k3 = {1, 2, 3, 4}> {
          [made] k1 = Constant <value = float[4] {1, 2, 3, 4}> ()
          [add] t = Add (x, k1)
          [mul] u = Mul (t, k2)
          [div] y = Div (u, k3)
        }""",
    "branches": """<ir_version: 8, opset_import: ["" : 17]>
        g (float[2] x) => (float[2] y) <float one = {1}, float zero = {0}> {
          [sum] s = ReduceSum <keepdims = 0> (x)
          [greater] c = Greater (s, zero)
          [if] z = If (c) <
            then_branch = then () => (float[2] tb) { [add] tb = Add (x, one) },
            else_branch = else () => (float[2] eb) { [sub] eb = Sub (x, one) }>
          [neg] y = Neg (z)
        }""",
    "shapes": """<ir_version: 8, opset_import: ["" : 17]>
        g (float[b, 2, 3] x) => (float16[b, 6] z)
        <int64 i = {0}, int64[1] axes = {0}, int64[1] rest = {-1}> {
          [shape] s = Shape (x)
          [gather] d = Gather (s, i)
          [unsqueeze] d1 = Unsqueeze (d, axes)
          [concat] ns = Concat <axis = 0> (d1, rest)
          [reshape] y = Reshape (x, ns)
          [cast] z = Cast <to = 10> (y)
        }""",
    "own": """<ir_version: 8, opset_import: ["" : 17, "my.domain" : 1]>
        g (float[2, 2] x) => (float[2, 2] y) <float[2, 2] w = {1, 2, 3, 4}> {
          [relu] a = Relu (x)
          [mine] y = my.domain.Mine <alpha = 1.5, kind = "s"> (a, w)
        }""",
}
# A tensor inside of each, and one behind it.
INNER = {"conv": ("c", "r"), "constants": ("t", "u"), "branches": ("s", "z"), "shapes": ("s", "ns"),
         "own": ("a", "y")}  # fmt: skip


def flows():
    """Command lines, without the name of the file that each writes."""
    for name, (first, second) in INNER.items():
        model = f"{name}.onnx"
        graph = onnx.load(model).graph
        x, y = graph.input[0], graph.output[0].name
        dims = [dim.dim_value or 1 for dim in x.type.tensor_type.shape.dim]
        read = ("-if", model)
        for ends in ((first, second), (x.name, second), ("nothing", second)):
            yield "sne4onnx", *read, "-ion", ends[0], "-oon", ends[1]
        for mode in ("full", "inputs", "outputs"):
            for search in ("exact_match", "partial_match"):
                yield "sor4onnx", *read, "-on", second, "renamed", "-m", mode, "-sm", search
        yield "scs4onnx", model, ""
        yield "scs4onnx", model, "", "-m", "npy"
        for tensor in (second, "nothing"):
            yield "soa4onnx", *read, "-on", tensor
        yield "sod4onnx", *read, "-on", y
        yield "ssc4onnx", *read
        yield "ssi4onnx", *read
        yield "svs4onnx", *read, "-fovn", first, "-tivn", second
        yield "sbi4onnx", *read, "-ics", "batch"
        for node in graph.node:
            yield "snd4onnx", *read, "-rn", node.name
        order = list(range(len(dims)))[::-1]
        yield "scc4onnx", *read, "-ioo", x.name, str(order).replace(" ", "")
        shape = str(dims).replace(" ", "")
        yield ("sna4onnx", *read, "-aot", "Relu", "-aon", "added",
               "-aoiv", "added_in", "float32", shape, "-aoov", "added_out", "float32", shape,
               "-csoon", "src", x.name, "added", "added_in",
               "-cdoin", "added", "added_out", graph.node[0].name, x.name)  # fmt: skip
        for other in INNER:
            if other != name:
                yield ("snc4onnx", "-if", model, f"{other}.onnx", "-sd", y, "x",
                       "-opam", "a", "b", "-dos")  # fmt: skip
    for opset in ("11", "17"):
        yield ("sog4onnx", "-ot", "Gemm", "-os", opset, "-on", "made", "-iv", "a", "float32", "[1,2]",
               "-iv", "b", "float32", "[2,3]", "-ov", "c", "float32", "[1,3]",
               "-a", "alpha", "float32", "1.5", "-a", "transB", "int64", "0")  # fmt: skip
        yield ("sog4onnx", "-ot", "ConstantOfShape", "-os", opset, "-on", "made", "-iv", "s", "int64",
               "[2]", "-ov", "c", "float32", "[1,3]", "-a", "value", "float32", "[1.5]")  # fmt: skip


def run(tool, *arguments):
    """The status of a command line, and what it prints."""
    status, printed = 0, io.StringIO()
    sys.argv = [tool, *arguments]
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        try:
            importlib.import_module(tool).main()
        except SystemExit as end:
            status = end.code
        except Exception as error:
            status = f"{type(error).__name__}: {error}"
    return status, printed.getvalue()


def main():
    for name, text in MODELS.items():
        onnx.save(onnx.parser.parse_model(text), f"{name}.onnx")
    kept = set(os.listdir())
    for tool, *arguments in flows():
        if tool not in os.environ["TOOLS"].split():
            continue
        if tool == "scs4onnx":
            arguments[1] = "made.onnx"
        elif tool != "ssc4onnx":
            arguments += ["-of", "made.onnx"]
        status, printed = run(tool, *arguments)
        print("FLOW", tool, *arguments, "->", status)
        print(re.sub(r"\x1b\[\d+m", "", printed))
        for path in sorted(set(os.listdir()) - kept):
            with open(path, "rb") as file:
                data = file.read()
            if path.endswith(".onnx"):
                data = onnx.load_from_string(data).SerializeToString(deterministic=True)
            print(path, hashlib.sha256(data).hexdigest())
            os.remove(path)


main()
