"""Building a graph node by node with `layer()`, in C++ here and in Python there."""
import os
import subprocess
import sys

from measure import HERE, ROOT

ORIGINAL = """
import sys, time
import numpy as np, onnx_graphsurgeon as gs
count, start = int(sys.argv[1]), time.process_time()
graph = gs.Graph(opset=17)
x = gs.Variable("x", np.float32, (1, 64))
graph.inputs = [x]
for i in range(count):
    x = graph.layer(op="Add", inputs=[x, np.array(1, np.float32)], outputs=["sum"])[0]
graph.outputs = [x]
print((time.process_time() - start) * 1e9 / count)
"""


def run(bench):
    program = bench.path("build_graph")
    libraries = [os.path.join(ROOT, "build/release/lib", f"libpg_{name}.a") for name in ("ir", "wire", "arrays", "os", "base", "fmt")]
    subprocess.run(["g++", "-O2", "-std=c++20", "-I", os.path.join(ROOT, "include"), "-I", os.path.join(ROOT, "src"), os.path.join(HERE, "build_graph.cpp"), "-o", program,
                    *libraries, "-lpthread"], check=True)
    original = float(subprocess.run([sys.executable, "-c", ORIGINAL, "1000"], env=bench.env, check=True, capture_output=True).stdout)
    first = None
    for count in (100_000, 1_000_000):
        nanoseconds = sorted(float(subprocess.run([program, str(count)], check=True, capture_output=True).stdout) for _ in range(5))[2]
        first = first or nanoseconds
        met = nanoseconds <= 5000 if count == 100_000 else nanoseconds <= 2 * first
        bench.rows.append((f"layer(), {count} nodes", met))
        print(f"layer(), {count} nodes: {nanoseconds / 1e3:.2f} us of CPU a node; the original, 1000 nodes: {original / 1e3:.0f} us  "
              f"{'ok ' if met else 'NOT'} {'<= 5 us' if count == 100_000 else 'linear'}")
