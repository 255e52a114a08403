"""Programs of ExecuTorch (*.pte), run by the package's own runtime. host.py describes back ends."""
import sys

from polygraphy_back_end import Failure, Tensor, UNAVAILABLE, UNSUPPORTED
from polygraphy_torch_tensors import TensorValues, dense, dtype_name, import_torch

MODULE = "executorch"
METHOD = "forward"
IDENTIFIER = b"ET"  # and the number of the format, behind four bytes


def info():
    return "", 0, 0


def refuse(model):
    """The runtime aborts where the file is something else."""
    try:
        with open(model.path, "rb") as file:
            identifier = file.read(8)[4:6]
    except FileNotFoundError:
        raise Failure("there is no file '%s'" % model.path) from None
    except OSError as error:
        raise Failure("%s cannot be read: %s" % (model.path, error.strerror)) from None
    if identifier != IDENTIFIER:
        raise Failure("%s is not a program of ExecuTorch: its header is different" % model.path,
                      "Give a program written by to_executorch() (*.pte).")


def described(name, info):
    return Tensor(name, TYPES.get(info.dtype(), ""), list(info.sizes()))


class Session:
    def __init__(self, model, options):
        try:
            self.program = Runtime.get().load_program(model.path)
            names = self.program.method_names
        except Exception as error:
            raise Failure("this ExecuTorch cannot run the program %s: %s" % (model.path, error)) from None
        method = options.value("method", METHOD)
        if method not in names:
            raise Failure("the program has no method '%s'" % method, "Methods: " + ", ".join(sorted(names)))
        self.method = self.program.load_method(method)
        meta = self.method.metadata
        self.inputs = [described("input_%d" % i, self.tensor(meta.input_tensor_meta, i, "input"))
                       for i in range(meta.num_inputs())]
        self.outputs = [described("output_%d" % i, self.tensor(meta.output_tensor_meta, i, "output"))
                        for i in range(meta.num_outputs())]

    @staticmethod
    def tensor(meta, i, what):
        try:
            return meta(i)
        except RuntimeError:
            raise Failure("%s %d of the program is not a tensor" % (what, i), status=UNSUPPORTED) from None

    def infer(self, feeds):
        arguments = []
        for tensor in self.inputs:
            value = feeds[tensor.name]
            if dtype_name(value.dtype) != tensor.dtype:
                raise Failure("input '%s' has type %s, but received %s" %
                              (tensor.name, tensor.dtype, dtype_name(value.dtype)))
            arguments.append(value)
        results = self.method.execute(tuple(arguments))
        return [(tensor.name, dense(result)) for tensor, result in zip(self.outputs, results)]


class BackEnd(TensorValues):
    def __init__(self):
        global Runtime, TYPES
        torch = import_torch()  # it has the libraries that the runtime needs
        try:
            from executorch.runtime import Runtime
        except Exception as error:
            raise Failure("executorch of %s cannot be imported: %s" % (sys.executable, error.__cause__ or error),
                          "It needs the torch version that it was built for: `%s -m pip install executorch` installs both." %
                          sys.executable,
                          UNAVAILABLE) from None
        # The numbers of torch's ScalarType.
        TYPES = {0: "uint8", 1: "int8", 2: "int16", 3: "int32", 4: "int64", 5: "float16", 6: "float32", 7: "float64",
                 11: "bool", 15: "bfloat16"}

    def load(self, model, options):
        return Session(model, options)
