"""ONNX models, compiled by IREE and run by its runtime: the tools and the package of the user's wheels. host.py
describes back ends."""
import os
import subprocess
import sys
import tempfile

from polygraphy_back_end import BAD_OPTION, ELEMENT_TYPES, Failure, TENSOR, UNAVAILABLE, UNSUPPORTED, numpy_type
from polygraphy_onnx_models import check_feeds, import_onnx, inputs_of, outputs_of, read_model

MODULE, DISTRIBUTION = "iree.compiler", "iree-base-compiler"
WANTS_TYPES = True  # its importer checks that outputs have some
OLDEST_OPSET = 17  # that its importer takes
KEPT_OF_MESSAGES = 6  # lines


def info():
    onnx = import_onnx()
    return "llvm-cpu", onnx.IR_VERSION, onnx.defs.onnx_opset_version()


def run_tool(command, what, folder):
    """In the folder: modules of Python that lie in the current one are not its own."""
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", cwd=folder,
                          env={**os.environ, "TMPDIR": folder})
    if done.returncode == 0:
        return
    lines = [line for line in (done.stderr + done.stdout).splitlines() if line.strip()]
    errors = [line for line in lines if "error:" in line] or lines[-1:]
    reason = errors[0].partition("error: ")[2] or errors[0] if errors else "it ended with %d" % done.returncode
    raise Failure("%s: %s" % (what, reason), "\n".join(lines[:KEPT_OF_MESSAGES]))


def opset_of(model):
    return max((entry.version for entry in model.opset_import if entry.domain in ("", "ai.onnx")), default=0)


class Session:
    def __init__(self, model, options):
        read = read_model(model)
        self.inputs, self.outputs = inputs_of(read.graph), outputs_of(read.graph)
        for tensor in self.inputs + self.outputs:
            if tensor.kind != TENSOR or tensor.dtype == "string":
                raise Failure("'%s' is not a tensor of numbers: IREE supports nothing else" % tensor.name, status=UNSUPPORTED)
            if tensor.dtype in ELEMENT_TYPES and ELEMENT_TYPES[tensor.dtype][1] < 8:
                raise Failure("'%s' is of %s: IREE's runtime has no arrays of elements smaller than a byte" %
                              (tensor.name, tensor.dtype), status=UNSUPPORTED)
        device = options.value("device", "local-task")
        try:
            config = runtime.Config(device)
        except Exception as error:
            raise Failure("--iree-device %s: %s" % (device, str(error).splitlines()[0]),
                          "Drivers: " + ", ".join(runtime.query_available_drivers()), BAD_OPTION) from None
        with tempfile.TemporaryDirectory(prefix="polygraphy-iree-") as folder:
            module = runtime.VmModule.copy_buffer(config.vm_instance, self.compiled(model, read, options, folder))
        context = runtime.SystemContext(config=config)
        context.add_vm_module(module)
        names = [name for name in module.function_names if not name.startswith("__") and not name.endswith("$async")]
        self.function = context.modules[module.name][names[0]]

    def compiled(self, model, read, options, folder):
        import onnx
        path = os.path.abspath(model.path)
        if model.data is not None:
            path = os.path.join(folder, "model.onnx")
            onnx.save(read, path, save_as_external_data=bool(model.external_data), location="weights")
        imported, compiled = os.path.join(folder, "model.mlir"), os.path.join(folder, "model.vmfb")
        importing = [sys.executable, "-m", "iree.compiler.tools.import_onnx", path, "-o", imported]
        if opset_of(read) < OLDEST_OPSET:
            importing.append("--opset-version=%d" % OLDEST_OPSET)
        run_tool(importing, "IREE cannot import the model", folder)
        target = options.value("target", "llvm-cpu")
        if target in ("llvm-cpu", "vmvx"):
            targets = ["--iree-hal-target-device=local", "--iree-hal-local-target-device-backends=" + target]
        else:
            targets = ["--iree-hal-target-backends=" + target]
        if target == "llvm-cpu":
            targets.append("--iree-llvmcpu-target-cpu=host")
        targets.append("--iree-input-demote-f64-to-f32=false")
        flags = ["--" + flag.lstrip("-") for flag in options.values("flags")]
        for flag in flags:
            if flag.split("=")[0] in ("--o", "--output"):
                raise Failure("--iree-flags: %s: the output file of the compiler cannot be changed" % flag[2:],
                              status=BAD_OPTION)
        run_tool([tools.find_tool("iree-compile"), imported, "-o", compiled, *targets, *flags],
                 "IREE cannot compile the model", folder)
        with open(compiled, "rb") as file:
            return file.read()

    def infer(self, feeds):
        check_feeds(self.inputs, feeds)
        results = self.function(*[feeds[tensor.name] for tensor in self.inputs])
        results = results if isinstance(results, (list, tuple)) else [results]
        values = []
        for tensor, result in zip(self.outputs, results):
            array = result.to_host()
            expected = numpy_type(ELEMENT_TYPES[tensor.dtype][0]) if tensor.dtype else array.dtype
            # Its types of integers have no sign, and bool is one of them.
            if array.dtype != expected and array.dtype.itemsize == expected.itemsize:
                array = array.view(expected)
            values.append((tensor.name, array))
        return values


class BackEnd:
    def __init__(self):
        global runtime, tools
        import_onnx()
        try:
            from iree import runtime
            from iree.compiler.tools import binaries as tools
        except Exception as error:
            raise Failure("IREE of %s cannot be imported: %s" % (sys.executable, error), "It needs both packages: "
                          "`%s -m pip install iree-base-compiler iree-base-runtime`." % sys.executable,
                          UNAVAILABLE) from None

    def load(self, model, options):
        return Session(model, options)
