"""Makes other forms of models of TensorFlow, with the user's own `tensorflow` and `tf2onnx`."""
import contextlib
import os
import re
import sys
import tempfile

# Parts of the names of operators, and of nodes, that make no results.
NO_OUTPUT_OPS = """NoOp Assert Assign Const Enter Exit FusedBatchNorm LoopCond NextIteration Print ReadVariableOp Switch
VarIsInitializedOp""".split()
NO_OUTPUT_NAMES = ["while", "Assert"]
INPUT_OPS = ["Placeholder", "FIFOQueue"]


@contextlib.contextmanager
def captured(texts):
    """What is printed meanwhile, also by native libraries, goes to `texts`."""
    with tempfile.TemporaryFile() as file:
        sys.stdout.flush()
        sys.stderr.flush()
        kept = [os.dup(1), os.dup(2)]
        try:
            os.dup2(file.fileno(), 1)
            os.dup2(file.fileno(), 2)
            yield
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            for target, old in enumerate(kept, 1):
                os.dup2(old, target)
                os.close(old)
            file.seek(0)
            texts.append(file.read().decode(errors="replace"))


class Converter:
    def __init__(self, request):
        self.request = request

    def module(self, name):
        __import__(name)
        return sys.modules[name]

    def run(self):
        self.tf = self.module("tensorflow")
        self.tf1 = self.tf.compat.v1
        getattr(self, "make_" + self.request["wanted"])()

    # ---- Graphs of TensorFlow 1

    def consumers(self, graphdef):
        return {name.lstrip("^").split(":")[0] for node in graphdef.node for name in node.input}

    def outputs_of(self, graphdef):
        """What no node uses: the rule of the back end's plugin."""
        used = self.consumers(graphdef)
        return [node.name + ":0" for node in graphdef.node
                if node.name not in used and node.input and not any(op in node.op for op in NO_OUTPUT_OPS)
                and not any(part in node.name for part in NO_OUTPUT_NAMES)]

    def frozen(self):
        """(GraphDef, names of its outputs)."""
        graphdef = self.tf1.GraphDef()
        if self.request["format"] == "frozen":
            with open(self.request["path"], "rb") as file:
                try:
                    graphdef.ParseFromString(file.read())
                except Exception as error:  # of protobuf
                    raise ValueError("it is no GraphDef: %s" % error)
            outputs = self.outputs_of(graphdef)
        else:
            graphdef, outputs = self.of_checkpoint()
        wanted = [name if ":" in name else name + ":0" for name in self.request["outputs"]]
        if wanted in (["*:0"], ["mark:0", "all:0"]):
            with self.tf.Graph().as_default() as graph:
                self.tf1.import_graph_def(graphdef, name="")
                wanted = [op.outputs[0].name for op in graph.get_operations() if op.outputs]
        return graphdef, wanted or outputs

    def of_checkpoint(self):
        tf1, path = self.tf1, self.request["prefix"]
        with self.tf.Graph().as_default() as graph, tf1.Session(graph=graph) as session:
            saver = tf1.train.import_meta_graph(path + ".meta", clear_devices=True)
            saver.restore(session, path)
            graphdef = graph.as_graph_def()
            outputs = [name for name in self.outputs_of(graphdef) if name != saver.saver_def.save_tensor_name]
            nodes = [name.split(":")[0] for name in outputs]
            return tf1.graph_util.convert_variables_to_constants(session, graphdef, nodes), outputs

    # ---- What is made

    def make_frozen(self):
        graphdef, outputs = self.frozen()
        nodes = list(dict.fromkeys(name.split(":")[0] for name in outputs))
        graphdef = self.tf1.graph_util.extract_sub_graph(graphdef, nodes)
        with open(self.request["output"], "wb") as file:
            file.write(graphdef.SerializeToString())

    def make_saved_model(self):
        self.export_keras(self.request["output"])

    def export_keras(self, folder):
        model = self.tf.keras.models.load_model(self.request["path"], compile=False)
        if hasattr(model, "export"):
            model.export(folder)
        else:  # Keras 2
            self.tf.saved_model.save(model, folder)

    def make_onnx(self):
        tf2onnx = self.module("tf2onnx")
        self.module("tf2onnx.convert")
        request, output = self.request, self.request["output"]
        opset = {"opset": request["opset"]} if request["opset"] else {}
        if request["format"] in ("frozen", "ckpt"):
            graphdef, outputs = self.frozen()
            nodes = list(dict.fromkeys(name.split(":")[0] for name in outputs))
            graphdef = self.tf1.graph_util.extract_sub_graph(graphdef, nodes)
            inputs = [node.name + ":0" for node in graphdef.node if any(op in node.op for op in INPUT_OPS)]
            tf2onnx.convert.from_graph_def(graphdef, input_names=inputs, output_names=outputs, output_path=output, **opset)
            return
        folder = request["path"]
        with tempfile.TemporaryDirectory() as temporary:
            if request["format"] == "keras":
                folder = os.path.join(temporary, "model")
                self.export_keras(folder)
            arguments = ["--saved-model", folder, "--output", output]
            if request["signature"]:
                arguments += ["--signature_def", request["signature"]]
            if request["opset"]:
                arguments += ["--opset", str(request["opset"])]
            old, sys.argv = sys.argv, ["tf2onnx"] + arguments
            try:
                tf2onnx.convert.main()
            finally:
                sys.argv = old
        if not os.path.exists(output):
            raise RuntimeError("tf2onnx wrote no model")


def end_of(text, lines=12):
    """The last lines that somebody may need."""
    noise = re.compile("WARNING: All log messages before|[IW]0000 |.* - INFO - ")
    kept = [line for line in text.splitlines() if line.strip() and not noise.match(line)]
    return "\n".join(kept[-lines:])


def convert(failure, describe, request):
    """Does the request of convert_tensorflow.cpp."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
    os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")  # nothing is computed that is worth a GPU
    texts = []
    try:
        with captured(texts):
            Converter(request).run()
    except ImportError as error:
        wanted = getattr(error, "name", None) or "tensorflow"
        package = wanted.split(".")[0]
        raise failure("%s: Python lacks the module %s" % (request["what"], package),
                      "%s runs it. Install it there: `%s -m pip install %s`, or name another Python with the "
                      "environment variable POLYGRAPHY_PYTHON." % (sys.executable, sys.executable, package))
    except SystemExit:
        raise failure("%s failed" % request["what"], end_of("".join(texts)))
    except Exception as error:
        raise failure("%s failed: %s" % (request["what"], describe(error)), end_of("".join(texts)))
