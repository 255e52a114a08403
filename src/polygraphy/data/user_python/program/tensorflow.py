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
    """Diverts the output of Python and of native libraries to `texts` meanwhile."""
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


class Refusal(Exception):
    """Why the model is not taken, and what to do."""

    def __init__(self, message, hint=""):
        super().__init__(message)
        self.message, self.hint = message, hint


class Unimportable(Exception):
    """A required module cannot be imported; the cause of the exception gives the reason."""


class Converter:
    def __init__(self, request):
        self.request = request

    def module(self, name):
        try:
            __import__(name)
        except Exception as error:
            raise Unimportable(name) from error
        return sys.modules[name]

    def run(self):
        self.tf = self.module("tensorflow")
        self.tf1 = self.tf.compat.v1
        getattr(self, "make_" + self.request["wanted"])()

    # ---- Graphs of TensorFlow 1

    def consumers(self, graphdef):
        return {name.lstrip("^").split(":")[0] for node in graphdef.node for name in node.input}

    def outputs_of(self, graphdef):
        """The results that no node uses: the rule of the back end's plugin."""
        used = self.consumers(graphdef)
        return [node.name + ":0" for node in graphdef.node
                if node.name not in used and node.input and not any(op in node.op for op in NO_OUTPUT_OPS)
                and not any(part in node.name for part in NO_OUTPUT_NAMES)]

    def all_outputs(self, operations):
        """The arrays that nodes make outside loops and branches: the rule of the back end's plugin."""
        left_out, users = set(), {}
        for op in operations:
            for used in [tensor.op for tensor in op.inputs] + list(op.control_inputs):
                users.setdefault(used, []).append(op)
        for begins, ends in ((("Enter", "RefEnter"), ("Exit", "RefExit")),
                             (("Switch", "RefSwitch"), ("Exit", "RefExit", "Merge", "RefMerge"))):
            inside, waiting = set(), [op for op in operations if op.type in begins]
            while waiting:
                op = waiting.pop()
                if op not in inside:
                    inside.add(op)
                    waiting += [user for user in users.get(op, ()) if user.type not in ends]
            left_out |= inside
        return [output.name for op in operations if op not in left_out for output in op.outputs
                if output.dtype.base_dtype not in (self.tf.resource, self.tf.variant)]

    def frozen(self):
        """(GraphDef, names of its outputs)."""
        graphdef = self.tf1.GraphDef()
        if self.request["format"] == "frozen":
            with open(self.request["path"], "rb") as file:
                try:
                    graphdef.ParseFromString(file.read())
                except Exception as error:  # of protobuf
                    raise Refusal("it is not a GraphDef: %s" % error, "Give --model-type TYPE if it is something else.")
            outputs = self.outputs_of(graphdef)
        else:
            graphdef, outputs = self.of_checkpoint()
        wanted = [name if ":" in name else name + ":0" for name in self.request["outputs"]]
        if wanted in (["*:0"], ["mark:0", "all:0"]):
            with self.tf.Graph().as_default() as graph:
                self.tf1.import_graph_def(graphdef, name="")
                wanted = self.all_outputs(graph.get_operations())
        return graphdef, wanted or outputs

    def of_checkpoint(self):
        tf1, path = self.tf1, self.request["prefix"]
        if not os.path.exists(path + ".meta"):
            raise Refusal("there is no %s.meta with the checkpoint's graph" % path,
                          "Check --ckpt. Checkpoints of TensorFlow 2 have no graph: save a SavedModel instead, with "
                          "tf.saved_model.save().")
        with self.tf.Graph().as_default() as graph, tf1.Session(graph=graph) as session:
            saver = tf1.train.import_meta_graph(path + ".meta", clear_devices=True)
            saver.restore(session, path)
            graphdef = graph.as_graph_def()
            outputs = [name for name in self.outputs_of(graphdef) if name != saver.saver_def.save_tensor_name]
            nodes = [name.split(":")[0] for name in outputs]
            return tf1.graph_util.convert_variables_to_constants(session, graphdef, nodes), outputs

    # ---- SavedModels

    def signature_of(self, folder):
        """(tags, name of the signature): the rules of the back end's plugin."""
        try:
            with open(os.path.join(folder, "saved_model.pb"), "rb") as file:
                graphs = saved_model_class().FromString(file.read()).meta_graphs
        except FileNotFoundError:  # saved_model.pbtxt, or nothing: TensorFlow says so
            return ["serve"], self.request["signature"]
        except Exception as error:  # of protobuf
            raise Refusal("it is not a SavedModel: %s" % error)
        tagged = [(list(graph.meta_info_def.tags), graph) for graph in graphs]
        tags, graph = next(iter(
            [each for each in tagged if each[0] == ["serve"]] + [each for each in tagged if "serve" in each[0]] +
            (tagged if len(tagged) == 1 else [])), (["serve"], None))
        if graph is None:
            raise Refusal("it has no graph for inference, with the tag 'serve'",
                          "The tags of its graphs: %s." % [each[0] for each in tagged])
        # The initialization of a SavedModel is one by form.
        names = sorted(name for name, signature in graph.signature_def.items()
                       if signature.outputs and name != "__saved_model_init_op")
        if not names:
            raise Refusal("the model has no signature, so its inputs and outputs are unknown",
                          "Save it with a signature: tf.saved_model.save(model, FOLDER, signatures=FUNCTION).")
        wanted = self.request["signature"] or ("serving_default" if "serving_default" in names else names[0])
        if wanted not in names:
            raise Refusal("--tf-signature %s: the model has no such signature" % wanted, "Its signatures: %s" % names)
        return tags, wanted

    def export_keras(self, folder):
        path = self.request["path"]
        with open(path, "rb") as file:
            start = file.read(8)
        if not start.startswith((b"PK", b"\x89HDF\r\n\x1a\n")):
            raise Refusal("it is not a Keras model: neither an archive (.keras) nor HDF5 (.h5)",
                          "The file is damaged, or has another type: set --model-type TYPE.")
        try:
            model = self.tf.keras.models.load_model(path, compile=False)
        except Exception as error:
            if "register_keras_serializable" not in str(error) and "custom_objects" not in str(error):
                raise
            raise Refusal("it has custom layers or functions, whose code is not in the file",
                          "Load it where they are defined, and save it as a SavedModel, which has its operations: "
                          "model.export(FOLDER).") from error
        if hasattr(model, "export"):
            model.export(folder)
        else:  # Keras 2
            self.tf.saved_model.save(model, folder)

    def freeze_saved_model(self, folder, output):
        """A SavedModel of the signature without variables and functions, and the same names of inputs and outputs."""
        tf, tf1 = self.tf, self.tf1
        from tensorflow.python.framework.convert_to_constants import convert_variables_to_constants_v2 as freeze
        tags, name = self.signature_of(folder)
        loaded = tf.saved_model.load(folder, tags=tags)
        function = loaded.signatures[name]
        frozen = freeze(function, lower_control_flow=False)
        if any(tensor.dtype in (tf.resource, tf.variant) for tensor in frozen.inputs):
            raise Refusal("it has tables or other resources that cannot be frozen as constants", "Run it without freezing.")
        keywords = getattr(function, "_arg_keywords", None) or sorted(function.structured_input_signature[1])
        with tf.Graph().as_default() as graph, tf1.Session(graph=graph) as session:
            tf1.import_graph_def(frozen.graph.as_graph_def(), name="")

            def described(names, tensors):
                found = {}
                for each, tensor in zip(names, tensors):
                    mine = graph.get_tensor_by_name(tensor.name)
                    mine.set_shape(tensor.shape)
                    found[each] = tf1.saved_model.build_tensor_info(mine)
                return found

            signature = tf1.saved_model.build_signature_def(described(keywords, frozen.inputs),
                                                            described(sorted(function.structured_outputs), frozen.outputs))
            builder = tf1.saved_model.Builder(output)
            builder.add_meta_graph_and_variables(session, ["serve"], {name: signature})
            builder.save()

    # ---- What is made

    def make_frozen(self):
        request, output = self.request, self.request["output"]
        if request["format"] in ("saved_model", "keras"):
            with tempfile.TemporaryDirectory() as temporary:
                folder = request["path"]
                if request["format"] == "keras":
                    folder = os.path.join(temporary, "model")
                    self.export_keras(folder)
                return self.freeze_saved_model(folder, output)
        graphdef, outputs = self.frozen()
        nodes = list(dict.fromkeys(name.split(":")[0] for name in outputs))
        graphdef = self.tf1.graph_util.extract_sub_graph(graphdef, nodes)
        with open(output, "wb") as file:
            file.write(graphdef.SerializeToString())

    def make_saved_model(self):
        self.export_keras(self.request["output"])

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
            tags, signature = self.signature_of(folder)
            arguments = ["--saved-model", folder, "--output", output, "--tag", tags[0]]
            if signature:
                arguments += ["--signature_def", signature]
            if request["opset"]:
                arguments += ["--opset", str(request["opset"])]
            old, sys.argv = sys.argv, ["tf2onnx"] + arguments
            try:
                tf2onnx.convert.main()
            finally:
                sys.argv = old
        if not os.path.exists(output):
            raise RuntimeError("tf2onnx wrote no model")


def saved_model_class():
    from tensorflow.core.protobuf.saved_model_pb2 import SavedModel
    return SavedModel


def end_of(text, lines=12):
    """The last lines of use to a reader: without traces of calls, and without successes."""
    noise = re.compile("WARNING: All log messages before|[IW]0000 |.* - (INFO|WARNING) - |\\s|Traceback |'OP=")
    # The time in front of a message says nothing.
    stamped = re.compile("[-0-9]+ [:0-9]+,[0-9]+ - ERROR - ")
    kept = [stamped.sub("", line).split(" (fct=")[0] for line in text.splitlines() if line.strip() and not noise.match(line)]
    return "\n".join(kept[-lines:])


def unimportable(what, name, error, describe):
    """(message, hint) for a required module that is missing or broken."""
    lacking = (getattr(error, "name", None) or "").split(".")
    if isinstance(error, ModuleNotFoundError) and len(lacking) == 1:
        package = lacking[0] or name.split(".")[0]
        return ("%s: Python lacks the module %s" % (what, package),
                "%s runs it. Install it there: `%s -m pip install %s`, or name another Python with the environment "
                "variable POLYGRAPHY_PYTHON." % (sys.executable, sys.executable, package))
    package = name.split(".")[0]
    return ("%s: the module %s of %s cannot be imported: %s" % (what, package, sys.executable, describe(error)),
            "Versions of packages that do not fit one another are a usual cause: `%s -m pip check` names some; "
            "`%s -m pip install --upgrade %s` brings what fits. Or name another Python with the environment variable "
            "POLYGRAPHY_PYTHON." % (sys.executable, sys.executable, package))


def reason_of(error, describe):
    """Without the name of a class and of a check, which are tf2onnx's own."""
    return re.sub("^ValueError: make_sure failure: ", "", describe(error))


def convert(failure, describe, request):
    """Does the request of convert_tensorflow.cpp."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
    os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")  # nothing is computed that is worth a GPU
    texts = []
    try:
        with captured(texts):
            Converter(request).run()
    except Unimportable as error:
        raise failure(*unimportable(request["what"], str(error), error.__cause__, describe))
    except ImportError as error:
        raise failure(*unimportable(request["what"], "tf2onnx" if request["wanted"] == "onnx" else "tensorflow", error, describe))
    except Refusal as refusal:
        raise failure("%s failed: %s" % (request["what"], refusal.message), refusal.hint)
    except SystemExit:
        raise failure("%s failed" % request["what"], end_of("".join(texts)))
    except Exception as error:
        reason = reason_of(error, describe)
        lines = [line for line in end_of("".join(texts)).splitlines() if reason not in line]
        raise failure("%s failed: %s" % (request["what"], reason), "\n".join(lines))
