"""`debug reduce` on random models with a planted fault: the reduced model, and leftovers of killed runs.

The check requires operators, so the least result is known. More models: FIRST_REDUCTION=12 REDUCTIONS=250."""
import os
import random
import signal
import subprocess
import time

import onnx
import onnx.parser
import pytest
from harness import OURS

FIRST = int(os.environ.get("FIRST_REDUCTION", "0"))
COUNT = int(os.environ.get("REDUCTIONS", "12"))
CHECK = """#!/bin/sh
model=$1; shift
for op in "$@"; do grep -q "$op" "$model" || exit 0; done
echo "Error: it has $*" >&2
exit 1
"""
UNARY = ["Relu", "Abs", "Neg", "Sigmoid", "Tanh", "Identity", "Floor", "Exp"]
BINARY = ["Add", "Sub", "Mul", "Max", "Mean"]
FAULTS = ["Softsign", "Atan", "Erf"]  # of which no other name is a part


class RandomModel:
    """Of float vectors of two: lanes that part and meet, bodies and functions, constants, open dimensions."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.count = self.random.choice([1, 2, 5, 12, 30, 60])
        self.faults = self.random.sample(FAULTS, self.random.choice([1, 1, 1, 2]) if self.count > 1 else 1)
        self.type = f"float[{self.random.choice(['2', '2', 'N'])}]"
        self.functions, self.names = [], 0
        self.text = self.make()

    def name(self):
        self.names += 1
        return f"t{self.names}"

    def pick(self, values):
        return self.random.choice(values[-4:])

    def node(self, values, fault=None, depth=0):
        """The text of one more node, whose output is appended to the values."""
        kind = self.random.random()
        out = self.name()
        inside = fault if self.random.random() < 0.5 else None
        if depth < 2 and kind < 0.12 and (fault is None or inside):
            text = self.container(values, out, inside, depth)
        elif fault:
            text = f"{out} = {fault}({self.pick(values)})"
        elif kind < 0.7:
            text = f"{out} = {self.random.choice(UNARY)}({self.pick(values)})"
        else:
            text = f"{out} = {self.random.choice(BINARY)}({self.pick(values)}, {self.pick(values)})"
        values.append(out)
        return text + " "

    def chain(self, start, fault, depth):
        values, length = [start], self.random.randint(1, 6)
        at = self.random.randrange(length)
        return "".join(self.node(values, fault if i == at else None, depth + 1) for i in range(length)), values[-1]

    def container(self, values, out, fault, depth):
        read = self.pick(values)
        kind = self.random.choice(["If", "Loop", "function"] if depth == 0 else ["If", "Loop"])
        if kind == "If":
            yes, yes_out = self.chain(read, fault, depth)
            no, no_out = self.chain(read, None, depth)
            graphs = [f"g{out}a () => ({self.type} {yes_out}) {{ {yes} }}", f"g{out}b () => ({self.type} {no_out}) {{ {no} }}"]
            first, second = graphs if self.random.random() < 0.5 else graphs[::-1]
            return f"{out} = If(c) <then_branch = {first}, else_branch = {second}>"
        if kind == "Loop":
            v, go, body = self.name(), self.name(), None
            body, last = self.chain(v, fault, depth)
            return (f"{out} = Loop(n, c, {read}) <body = g{out} (int64 i{out}, bool d{out}, {self.type} {v}) => (bool {go}, {self.type} {last}) "
                    f"{{ {go} = Identity(d{out}) {body} }}>")
        body, last = self.chain("a", fault, 1)
        self.functions.append(f'<domain: "local", opset_import: ["": 17]> F{out} (a) => ({last}) {{ {body} }}')
        return f"{out} = local.F{out}({read})"

    def make(self):
        values = ["x", "x2"]
        at = dict(zip(self.random.sample(range(self.count), len(self.faults)), self.faults))
        body = "".join(self.node(values, at.get(i)) for i in range(self.count))
        last = values[-1]
        if self.random.random() < 0.5:
            body += f"z = Sum({', '.join(values[-5:])}) "
            last = "z"
        header = '<ir_version: 8, opset_import: ["": 17, "local": 1]> '
        return (f"{header}g ({self.type} x, {self.type} x2, bool c, int64 n) => ({self.type} {last}) {{ {body} }} " + " ".join(self.functions))


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "check.sh").write_text(CHECK)
    (tmp_path / "check.sh").chmod(0o755)
    (tmp_path / "tmp").mkdir()
    return tmp_path


def start(folder, options, faults):
    return subprocess.Popen([OURS, "debug", "reduce", "m.onnx", "-o", "red.onnx", "--reproduction", "", *options, "--check", "./check.sh", "{model}", *faults],
                            cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env={**os.environ, "TMPDIR": str(folder / "tmp")})


def finish(process):
    text = process.communicate(timeout=120)[0]
    assert process.returncode == 0, text
    return text


def kill(process, seconds):
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
    process.communicate()


def left_over(folder):
    return sorted(p.name for p in folder.glob("polygraphy_debug*.onnx*"))


def operators(graph):
    for node in graph.node:
        yield node.op_type
        for attribute in node.attribute:
            if attribute.type == onnx.AttributeProto.GRAPH:
                yield from operators(attribute.g)


@pytest.mark.parametrize("seed", range(FIRST, FIRST + COUNT))
def test_reductions_of_random_models(folder, seed):
    model = RandomModel(seed)
    onnx.save(onnx.parser.parse_model(model.text), folder / "m.onnx")
    mode = model.random.choice(["auto", "auto", "bisect", "linear"])
    began = time.monotonic()
    finish(start(folder, ["--mode", mode], model.faults))
    took = time.monotonic() - began
    whole = (folder / "red.onnx").read_bytes()
    result = onnx.load(folder / "red.onnx")
    onnx.checker.check_model(result)
    if mode == "auto":
        assert sorted(operators(result.graph)) == sorted(model.faults)
    assert not left_over(folder)

    (folder / "red.onnx").unlink()
    finish(start(folder, ["--mode", mode, "-j", "2"], model.faults))
    assert (folder / "red.onnx").read_bytes() == whole

    (folder / "red.onnx").unlink()
    for _ in range(2):
        jobs = model.random.choice(["1", "2"])
        kill(start(folder, ["--mode", mode, "-j", jobs, "--journal", "j", "--resume"], model.faults), model.random.uniform(0, 1.2 * took))
    finish(start(folder, ["--mode", mode, "-j", model.random.choice(["1", "2"]), "--journal", "j", "--resume"], model.faults))
    assert (folder / "red.onnx").read_bytes() == whole
    assert not left_over(folder)
