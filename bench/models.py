"""Models and result files for the benchmark, made with the generators' own parameters, so that figures can be compared."""
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def make(generator, output, *arguments, env):
    if not os.path.exists(output):
        subprocess.run([sys.executable, os.path.join(HERE, "generators", generator), *arguments, "-o", output], env=env, check=True,
                       stdout=subprocess.DEVNULL)
    return output


def remove(model):
    folder, name = os.path.split(model)
    for other in os.listdir(folder):
        if other.startswith(name):
            os.remove(os.path.join(folder, other))


def drop_from_cache(folder):
    """Asks the kernel to forget the files of a folder, as before a first run after boot."""
    os.sync()
    for name in os.listdir(folder):
        fd = os.open(os.path.join(folder, name), os.O_RDONLY)
        os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(fd)


def _python(code, env, *arguments):
    subprocess.run([sys.executable, "-c", code, *arguments], env=env, check=True)


def _print(code, env, *arguments):
    return subprocess.run([sys.executable, "-c", code, *arguments], env=env, check=True, capture_output=True, text=True).stdout.strip()


def small(output, env):
    _python("""
import sys, numpy as np, onnx
from onnx import helper, numpy_helper, TensorProto as T
w = numpy_helper.from_array(np.random.default_rng(0).random((8, 3, 3, 3), dtype=np.float32), "w")
g = helper.make_graph([helper.make_node("Conv", ["x", "w"], ["c"]), helper.make_node("Relu", ["c"], ["y"])], "small",
    [helper.make_tensor_value_info("x", T.FLOAT, (1, 3, 8, 8))], [helper.make_tensor_value_info("y", T.FLOAT, (1, 8, 6, 6))], [w])
onnx.save(helper.make_model(g, ir_version=10, opset_imports=[helper.make_opsetid("", 18)]), sys.argv[1])
""", env, output)
    return output


def identity(output, mib, env):
    _python("""
import sys, onnx
from onnx import helper, TensorProto as T
n = int(sys.argv[2]) * 2**20 // 4
g = helper.make_graph([helper.make_node("Expand", ["x", "s"], ["y"])], "wide", [helper.make_tensor_value_info("x", T.FLOAT, (1,))],
    [helper.make_tensor_value_info("y", T.FLOAT, (n,))], [helper.make_tensor("s", T.INT64, [1], [n])])
onnx.save(helper.make_model(g, ir_version=10, opset_imports=[helper.make_opsetid("", 18)]), sys.argv[1])
""", env, output, str(mib))
    return output


def two_results(folder, mib, env):
    """Two files of saved outputs with `mib` MiB of float32 each, off by about one part in a million."""
    _python("""
import sys, numpy as np
from polygraphy.comparator.struct import IterationResult, RunResults
rng = np.random.default_rng(0)
a = rng.random(int(sys.argv[2]) * 2**20 // 4, dtype=np.float32).reshape(1024, -1)
for name, values in (("a", a), ("b", a * np.float32(1.000001))):
    results = RunResults()
    results.append((name, [IterationResult({"y": values}, 0.1, name)]))
    results.save(f"{sys.argv[1]}/{name}.json")
""", env, folder, str(mib))
    return os.path.join(folder, "a.json"), os.path.join(folder, "b.json")


def planted_chain(output, nodes, position, env):
    """A chain of Neg nodes with one Softsign in it."""
    _python("""
import sys, onnx
from onnx import helper, TensorProto as T
count, position = int(sys.argv[2]), int(sys.argv[3])
nodes = [helper.make_node("Softsign" if i == position else "Neg", [f"x{i}"], [f"x{i + 1}"]) for i in range(count)]
g = helper.make_graph(nodes, "chain", [helper.make_tensor_value_info("x0", T.FLOAT, (2,))],
    [helper.make_tensor_value_info(f"x{count}", T.FLOAT, (2,))])
onnx.save(helper.make_model(g, ir_version=8, opset_imports=[helper.make_opsetid("", 17)]), sys.argv[1])
""", env, output, str(nodes), str(position))
    return output


def planted_transformer(output, source, places, env):
    """The source with Softsign and Sinh in the place of simple nodes: at these parts of the way."""
    _python("""
import sys, onnx
m = onnx.load(sys.argv[1])
simple = [n for n in m.graph.node if n.op_type in ("Erf", "Sqrt", "Relu", "Tanh")]
for place, op in zip(sys.argv[3:], ("Softsign", "Sinh")):
    simple[int(float(place) * (len(simple) - 1))].op_type = op
onnx.save(m, sys.argv[2])
""", env, source, output, *map(str, places))
    return output


def node_count(model, env):
    """Nodes, those of subgraphs included."""
    return int(_print("""
import sys, onnx
def count(graph):
    graphs = [a.g for n in graph.node for a in n.attribute if a.type == a.GRAPH] + [g for n in graph.node for a in n.attribute for g in a.graphs]
    return len(graph.node) + sum(map(count, graphs))
print(count(onnx.load(sys.argv[1], load_external_data=False).graph))
""", env, model))


def light(name, env):
    return _print("""
import os, sys, onnx
print(os.path.join(os.path.dirname(onnx.__file__), "backend/test/data/light", sys.argv[1] + ".onnx"))
""", env, name)


def fat_layer(model, env):
    """Input and output of the node in the middle of fat.py's stack that has a weight."""
    return _print("""
import sys, onnx
graph = onnx.load(sys.argv[1], load_external_data=False).graph
weights = {w.name for w in graph.initializer}
nodes = [n for n in graph.node if any(i in weights for i in n.input)]
node = nodes[len(nodes) // 2]
print(node.input[0], node.output[0])
""", env, model).split()


def fat_external(output, gib, sparse, env):
    """fat.py with external data; sparse: of a data file that is one hole."""
    if not sparse:
        return make("fat.py", output, "--gib", str(gib), "--external", env=env)
    _python("""
import sys, onnx
from onnx import TensorProto as T, helper
width, layers = 4096, int(float(sys.argv[2]) * 2**30) // (4096 * 4096 * 4)
location, names, nodes, weights = sys.argv[1].rsplit("/", 1)[1] + ".data", ["x"], [], []
for i in range(layers):
    w = T(name=f"w{i}", data_type=T.FLOAT, dims=(width, width), data_location=T.EXTERNAL)
    for key, value in (("location", location), ("offset", i * width * width * 4), ("length", width * width * 4)):
        w.external_data.add(key=key, value=str(value))
    weights.append(w)
    nodes.append(helper.make_node("MatMul", [names[-1], w.name], [f"h{i}"], name=f"mul{i}"))
    names.append(f"h{i}")
graph = helper.make_graph(nodes, "fat", [helper.make_tensor_value_info("x", T.FLOAT, (1, width))],
    [helper.make_tensor_value_info(names[-1], T.FLOAT, (1, width))], weights)
open(sys.argv[1], "wb").write(helper.make_model(graph, ir_version=10, opset_imports=[helper.make_opsetid("", 18)]).SerializeToString())
open(sys.argv[1] + ".data", "wb").truncate(layers * width * width * 4)
""", env, output, str(gib))
    return output


def assert_same_outputs(a, b, env):
    """On ONNX Runtime, on seeded inputs; dynamic dimensions are 1."""
    _python("""
import sys, numpy as np, onnxruntime as ort
results = []
for path in sys.argv[1:]:
    session = ort.InferenceSession(path, providers=["CPUExecutionProvider"])
    rng = np.random.default_rng(0)
    types = {"tensor(float)": np.float32, "tensor(int64)": np.int64, "tensor(double)": np.float64, "tensor(bool)": bool}
    feeds = {i.name: rng.random([d if isinstance(d, int) else 1 for d in i.shape]).astype(types[i.type]) for i in session.get_inputs()}
    results.append(session.run(None, feeds))
for x, y in zip(*results, strict=True):
    np.testing.assert_allclose(x, y, rtol=1e-5, atol=1e-5)
""", env, a, b)


def layers(output, count, mib, env):
    """A chain of `count` tensors of `mib` MiB each, from an input of one row."""
    _python("""
import sys, numpy as np, onnx
from onnx import helper, numpy_helper, TensorProto as T
count, rows = int(sys.argv[2]), int(sys.argv[3]) * 256
nodes = [helper.make_node("Expand", ["x", "s"], ["t0"])]
for i in range(1, count):
    nodes.append(helper.make_node("Add", [f"t{i - 1}", "c"], [f"t{i}"]))
g = helper.make_graph(nodes, "layers", [helper.make_tensor_value_info("x", T.FLOAT, (1, 1024))],
    [helper.make_tensor_value_info(f"t{count - 1}", T.FLOAT, (rows, 1024))],
    [numpy_helper.from_array(np.array([rows, 1024]), "s"), numpy_helper.from_array(np.float32(0.5), "c")])
onnx.save(helper.make_model(g, ir_version=10, opset_imports=[helper.make_opsetid("", 18)]), sys.argv[1])
""", env, output, str(count), str(mib))
    return output


def planted_light_resnet(output, env):
    """light_resnet50 of the onnx test data, with one Softsign in the middle."""
    source = os.path.join(HERE, "..", ".deps", "onnx-testdata", "light", "light_resnet50.onnx")
    _python("""
import sys, onnx
m = onnx.load(sys.argv[1])
relus = [n for n in m.graph.node if n.op_type == "Relu"]
relus[len(relus) // 2].op_type = "Softsign"
onnx.save(m, sys.argv[2])
""", env, source, output)
    return output


def node_count(model, env):
    return int(_print("import sys, onnx; print(len(onnx.load(sys.argv[1]).graph.node))", env, model))
