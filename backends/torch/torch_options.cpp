// Command-line options of PyTorch. Pure data, compiled into the host as well.
#include <iterator>

#include "polygraphy/backend.h"

namespace {

constexpr pgb_model_format kFormats[] = {
    {"torch", "*.pt *.pt2 *.pth"},
    {"torch-script", "*.py *.py:*"},
};

constexpr pgb_option_spec kOptions[] = {
    {.spellings = "--torch-outputs",
     .key = "outputs",
     .nargs = "+",
     .metavar = "NAME",
     .help = "Results that replace the model's outputs, by name: of nodes in an exported program, "
             "of modules (layer1.0.conv1) in a model from a script. 'mark all': all.",
     .ours = 1},
    {.spellings = "--torch-names-from",
     .key = "names_from",
     .nargs = "1",
     .metavar = "MODEL.onnx",
     .help = "Name results like the corresponding tensors of this ONNX model, exported from the "
             "same model by torch.onnx.export.",
     .type = PGB_PATH,
     .ours = 1},
    {.spellings = "--torch-device",
     .key = "device",
     .nargs = "1",
     .metavar = "DEVICE",
     .help = "Device to run on: cpu (the default), cuda, cuda:1 ...",
     .ours = 1},
    {.spellings = "--torch-dtype",
     .key = "dtype",
     .nargs = "1",
     .choices = "float16 bfloat16 float32 float64",
     .help = "Convert weights and floating-point inputs to this type.",
     .ours = 1},
    {.spellings = "--torch-compile",
     .key = "compile",
     .nargs = "0",
     .help = "Compile the model with torch.compile.",
     .ours = 1},
};

}  // namespace

extern "C" const pgb_backend_options backend_options_torch;
const pgb_backend_options backend_options_torch = {
    .struct_size = sizeof(pgb_backend_options),
    .name = "torch",
    .flags = "--torch",
    .flags_ours = 1,
    .runner_prefix = "torch-runner",
    .title = "PyTorch Inference",
    .summary = "Run inference using PyTorch",
    .remedy =
        "Install it with `pip install torch` in the active Python environment, or name a "
        "Python that has it with --torch-python PATH or POLYGRAPHY_TORCH_PYTHON.",
    .library_env = "POLYGRAPHY_TORCH_PYTHON",
    .library_option = "--torch-python",
    .formats = kFormats,
    .format_count = std::size(kFormats),
    .options = kOptions,
    .option_count = std::size(kOptions),
    .python_module = "torch",
};
