"""ONNX models, computed by the reference evaluator of the onnx package: operators as the specification says them.
host.py describes back ends."""
from polygraphy_back_end import Failure, UNSUPPORTED
from polygraphy_onnx_models import check_feeds, import_onnx, inputs_of, outputs_of, read_model, unwrapped

MODULE = "onnx"


def info():
    onnx = import_onnx()
    return "CPU", onnx.IR_VERSION, onnx.defs.onnx_opset_version()


class Session:
    def __init__(self, model):
        from onnx.reference import ReferenceEvaluator
        self.inputs, self.outputs = inputs_of(model.graph), outputs_of(model.graph)
        try:
            self.evaluator = ReferenceEvaluator(model)
        except (NotImplementedError, RuntimeError) as error:
            raise Failure(str(error).split(" in\n")[0], status=UNSUPPORTED) from None

    def infer(self, feeds):
        import numpy
        check_feeds(self.inputs, feeds)
        names = [tensor.name for tensor in self.outputs]
        with numpy.errstate(all="ignore"):
            try:
                values = self.evaluator.run(names, feeds)
            except NotImplementedError as error:
                raise Failure(str(error), status=UNSUPPORTED) from None
            except Exception as error:
                raise failure_of(failing_node(error), error) from None
        return [(tensor.name, unwrapped(tensor, value)) for tensor, value in zip(self.outputs, values)]


def failing_node(error):
    """The innermost node that was computed when it was raised; None if it was between nodes."""
    found, trace = None, error.__traceback__
    while trace is not None:
        node = getattr(trace.tb_frame.f_locals.get("node"), "onnx_node", None)
        found, trace = node or found, trace.tb_next
    return found


def failure_of(node, error):
    if node is None:
        return error
    return Failure("onnx's reference of %s failed at node '%s', which produces '%s': %s: %s" %
                   (node.op_type, node.name, "', '".join(node.output), type(error).__name__, error),
                   "`polygraphy run --onnxrt` shows whether the model is the cause.")


class BackEnd:
    def __init__(self):
        import_onnx()

    def load(self, model, options):
        return Session(read_model(model))
