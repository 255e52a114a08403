"""Writes matches.txt: small random graphs and patterns, and the matches of the original's GraphPattern.

    python3 make_matches.py > matches.txt        # needs onnx_graphsurgeon and numpy

A line: graph, patterns, matches, separated by " ; ".
  graph     nodes `t,u=A(x,#k)`, then `|` and the outputs; `#` marks constants; nodes are n0, n1, …
  patterns  each `variables|constants|members|outputs`, a member being `name:t,u=A(x,k)`; `@0` in the
            place of an operator means the first pattern; the last is the one to match
  matches   as the mapping prints itself, each behind `inputs->outputs`; separated by spaces

The original misses matches, and members of matches: it takes no diamonds of tensors within the pattern,
and sees no node that hangs on the others by a further input alone; and it may use a node twice. So each case is also solved by trying
all assignments; where the original differs, the matches are `!` and the nodes from which there is one.
"""
import itertools
import random
import sys

import numpy as np
import onnx_graphsurgeon as gs
from onnx_graphsurgeon.logger import G_LOGGER

G_LOGGER.severity = G_LOGGER.CRITICAL
OPS = "AAB"
ARITY = {"A": 1, "B": 2, "C": 2}


def random_graph(rng):
    tensors, nodes = ["x", "y", "#k", "#l"], []
    for n in range(rng.randint(2, 7)):
        op = rng.choice(OPS + "C")
        recent = tensors[-3:] if rng.random() < 0.6 else tensors
        inputs = [rng.choice(recent) for _ in range(ARITY[op])]
        outputs = [f"t{n}"] if op != "C" else [f"t{n}", f"u{n}"]
        nodes.append((f"n{n}", op, inputs, outputs))
        tensors += outputs
    used = {i for _, _, inputs, _ in nodes for i in inputs}
    made = [t for t in tensors if t[0] in "tu"]
    outs = [t for t in made if t not in used and rng.random() < 0.9] or made[-1:]
    outs += [t for t in made if t in used and rng.random() < 0.1]
    if rng.random() < 0.3:
        rng.shuffle(nodes)
        nodes = [(f"n{i}", *rest) for i, (_, *rest) in enumerate(nodes)]
    return nodes, outs


def random_pattern(rng, subs):
    variables = ["x", "y"][: rng.choice([1, 1, 2])]
    constants = ["k"] if rng.random() < 0.25 else []
    members, tensors = [], variables + constants
    for m in range(rng.randint(1, 4)):
        sub = rng.randrange(len(subs)) if subs and (m == 0 or rng.random() < 0.4) else None
        op = rng.choice(OPS + "C") if sub is None else f"@{sub}"
        arity = ARITY[op] if sub is None else len(subs[sub][0])
        n_out = (2 if op == "C" else 1) if sub is None else len(subs[sub][3])
        inputs = [rng.choice(tensors[-3:]) for _ in range(arity)]
        if m == 0:
            inputs[0] = "x"
        outputs = [f"t{m}", f"u{m}"][:n_out]
        members.append((f"m{m}", op, inputs, outputs))
        tensors += outputs
    used = {i for _, _, inputs, _ in members for i in inputs}
    made = [t for t in tensors if t[0] in "tu"]
    outs = [t for t in made if t not in used or rng.random() < 0.15]
    return variables, constants, members, outs


def members_text(members, name):
    return " ".join((f"{n}:" if name else "") + f"{','.join(o)}={op}({','.join(i)})" for n, op, i, o in members)


def build_graph(nodes, outs):
    tensors = {}

    def tensor(name):
        if name not in tensors:
            constant = name.startswith("#")
            tensors[name] = gs.Constant(name, np.ones(1, np.float32)) if constant else gs.Variable(name, np.float32)
        return tensors[name]

    made = [gs.Node(op, n, inputs=[tensor(t) for t in i], outputs=[tensor(t) for t in o]) for n, op, i, o in nodes]
    return gs.Graph(made, [tensor("x"), tensor("y")], [tensor(t) for t in outs])


def build_pattern(pattern, subs):
    variables, constants, members, outs = pattern
    result = gs.GraphPattern()
    ids = {v: result.variable() for v in variables}
    ids |= {c: result.constant(c) for c in constants}
    for name, op, inputs, outputs in members:
        what = build_pattern(subs[int(op[1:])], subs) if op[0] == "@" else op
        made = result.add(name, what, inputs=[ids[i] for i in inputs], num_output_tensors=len(outputs))
        ids |= dict(zip(outputs, made if isinstance(made, tuple) else (made,)))
    result.set_output_tensors([ids[o] for o in outs])
    return result


def flatten(pattern, subs, variables, flat, prefix="m"):
    """Appends (op, inputs, outputs) to flat; returns the names of the outputs, and the constants."""
    names = dict(zip(pattern[0], variables)) | {c: prefix + c for c in pattern[1]}
    constants = {prefix + c for c in pattern[1]}
    for name, op, inputs, outputs in pattern[2]:
        inputs = [names[i] for i in inputs]
        if op[0] == "@":
            made, more = flatten(subs[int(op[1:])], subs, inputs, flat, f"{prefix}{name}.")
            constants |= more
        else:
            made = [f"{prefix}{name}.{o}" for o in outputs]
            flat.append((op, inputs, made))
        names |= dict(zip(outputs, made))
    return [names[o] for o in pattern[3]], constants


def entry(pattern, subs, variable=0):
    """Where matching starts: path of the first operator that consumes the variable."""
    for index, (_, op, inputs, _) in enumerate(pattern[2]):
        if pattern[0][variable] in inputs:
            if op[0] != "@":
                return [index]
            inner = entry(subs[int(op[1:])], subs, inputs.index(pattern[0][variable]))
            return inner and [index] + inner
    return None


def operators_before(pattern, subs, path):
    """Index in the flat list of the operator at the path."""
    def count(p):
        return sum(count(subs[int(m[1][1:])]) if m[1][0] == "@" else 1 for m in p[2])

    before = sum(count(subs[int(m[1][1:])]) if m[1][0] == "@" else 1 for m in pattern[2][: path[0]])
    op = pattern[2][path[0]][1]
    return before + (operators_before(subs[int(op[1:])], subs, path[1:]) if len(path) > 1 else 0)


def starts(nodes, outs, pattern, subs):
    """Names of the nodes from which some assignment is a match, by trying all of them."""
    flat = []
    boundary, constants = flatten(pattern, subs, ["?" + v for v in pattern[0]], flat)
    path = entry(pattern, subs)
    first = operators_before(pattern, subs, path)
    found = []
    for choice in itertools.permutations(nodes, len(flat)):
        bound = {}
        ok = all(f[0] == n[1] for f, n in zip(flat, choice)) and all(
            bound.setdefault(t, g) == g
            for f, n in zip(flat, choice) for t, g in zip(f[1] + f[2], n[2] + n[3]))
        if not ok or any(not bound[c].startswith("#") for c in constants if c in bound):
            continue
        for t, g in bound.items():
            if t.startswith("?") or t in constants or t in boundary:
                continue
            inside = {n[0] for f, n in zip(flat, choice) if t in f[1]}
            if g in outs or any(g in n[2] and n[0] not in inside for n in nodes):
                ok = False
        if ok:
            found.append(choice[first][0])
    return [n for n, *_ in nodes if n in found]


def connected(pattern, subs):
    flat = []
    flatten(pattern, subs, ["?" + v for v in pattern[0]], flat)
    known, rest = set(flat[0][1] + flat[0][2]), flat[1:]
    while True:
        near = [f for f in rest if known & set(f[1] + f[2])]
        if not near:
            return not rest
        for f in near:
            known |= set(f[1] + f[2])
            rest.remove(f)


def first_node(mapping):
    value = mapping.get(next(iter(mapping)))
    return value.name if isinstance(value, gs.Node) else first_node(value)


def nodes_of(mapping):
    values = [mapping.get(k) for k in mapping]
    return [n for v in values for n in ([v.name] if isinstance(v, gs.Node) else nodes_of(v))]


def main():
    rng = random.Random(20240613)
    same = different = 0
    while same < 300:
        nodes, outs = random_graph(rng)
        subs = [random_pattern(rng, [])] if rng.random() < 0.5 else []
        pattern = random_pattern(rng, subs)
        flat = []
        flatten(pattern, subs, pattern[0], flat)
        used = {t for m in pattern[2] for t in m[2]}
        if not used.issuperset(pattern[0]) or not entry(pattern, subs):
            continue
        if not connected(pattern, subs) or len(flat) > 5:
            continue
        try:
            matches = build_pattern(pattern, subs).match_all(build_graph(nodes, outs))
        except AssertionError:  # enters a pattern by a variable that it does not use
            continue
        expected = starts(nodes, outs, pattern, subs)
        if rng.random() > (1 if expected and len(flat) > 1 else 0.004):  # the dull ones: few of them
            continue
        patterns = " / ".join("|".join([",".join(v), ",".join(c), members_text(m, True), ",".join(o)])
                              for v, c, m, o in subs + [pattern])
        if [first_node(m) for m in matches] != expected or any(
                len(set(nodes_of(m))) != len(flat) for m in matches):
            different += 1
            texts = ["!"] + expected
        else:
            same += 1
            texts = ["%s->%s%s" % (",".join(t.name for t in m.inputs), ",".join(t.name for t in m.outputs),
                                   str(m).replace(" ", "")) for m in matches]
        print(f"{members_text(nodes, False)}|{','.join(outs)} ; {patterns} ; {' '.join(texts)}")
    print(f"{same} as the original, {different} not", file=sys.stderr)


if __name__ == "__main__":
    main()
