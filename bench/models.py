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
    """Asks the kernel to forget the files of a folder: what a first run after boot finds."""
    os.sync()
    for name in os.listdir(folder):
        fd = os.open(os.path.join(folder, name), os.O_RDONLY)
        os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(fd)


def _python(code, env, *arguments):
    subprocess.run([sys.executable, "-c", code, *arguments], env=env, check=True)


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
