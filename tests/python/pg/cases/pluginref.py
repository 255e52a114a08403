"""Reference implementations of operators, and the runner that calls them."""

import warnings

import numpy as np, onnx_graphsurgeon as gs
from polygraphy.backend.pluginref import references as R, PluginRefRunner
from polygraphy.logger import G_LOGGER

warnings.simplefilter("ignore")
x=gs.Variable("x",np.float32,[1,2,2,2]); y=gs.Variable("y",np.float32,[1,2,2,2])
n=gs.Node("Identity",inputs=[x],outputs=[y])
a=np.arange(8,dtype=np.float32).reshape(1,2,2,2)
print(list(R.OP_REGISTRY)); print(R.run_identity(n,{"x":a}))
def show(f):
    try: print(repr(f()))
    except BaseException as e: print(type(e).__name__, e)
@R.register("Foo")
def foo(attrs,a,b=None): print("foo",attrs,type(a),b); return [a]
n2=gs.Node("Foo",attrs={"k":1},inputs=[x,gs.Variable.empty()],outputs=[y]); show(lambda: R.OP_REGISTRY["Foo"](n2,{"x":a}))
@R.register("Two")
def two(attrs,a): return [a,a]
show(lambda: R.OP_REGISTRY["Two"](gs.Node("Two",inputs=[x],outputs=[y]),{"x":a}))
c=gs.Constant("c",np.ones(2,np.float32)); 
g=gs.Graph(nodes=[n],inputs=[x],outputs=[y])
with PluginRefRunner(g) as r:
    print(r.name[:20], r.get_input_metadata(), r.infer({"x":a}), r.last_inference_time() is not None)
    show(lambda: r.infer({}))
g=gs.Graph(nodes=[gs.Node("Nope",inputs=[x],outputs=[y])],inputs=[x],outputs=[y])
with PluginRefRunner(lambda: g) as r: show(lambda: r.infer({"x":a}))
for at in ({},{"axes":[0,1]},{"axes":[2,3]}): 
    g=gs.Graph(nodes=[gs.Node("MeanVarianceNormalization",attrs=at,inputs=[x],outputs=[y])],inputs=[x],outputs=[y])
    with PluginRefRunner(g) as r: show(lambda: r.infer({"x":a}))
s=gs.Constant("s",np.array([1,2],np.float32)); b=gs.Constant("b",np.array([0,1],np.float32))
for at in ({},{"epsilon":0.1}):
    g=gs.Graph(nodes=[gs.Node("InstanceNormalization",attrs=at,inputs=[x,s,b],outputs=[y])],inputs=[x],outputs=[y])
    with PluginRefRunner(g) as r: show(lambda: r.infer({"x":a}))
# constant as output of graph; output dtype
g=gs.Graph(nodes=[gs.Node("Identity",inputs=[c],outputs=[y])],inputs=[],outputs=[y])
with PluginRefRunner(g) as r: show(lambda: r.infer({}))
