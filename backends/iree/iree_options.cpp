// Command-line options of IREE. Pure data, compiled into the host as well.
#include <iterator>

#include "polygraphy/backend.h"

namespace {

constexpr pgb_model_format kFormats[] = {{"onnx", "*.onnx"}};

constexpr pgb_option_spec kOptions[] = {
    {.spellings = "--iree-target",
     .key = "target",
     .nargs = "1",
     .metavar = "TARGET",
     .help = "Target of iree-compile: llvm-cpu (the default), vmvx, cuda, vulkan-spirv ...",
     .ours = 1},
    {.spellings = "--iree-device",
     .key = "device",
     .nargs = "1",
     .metavar = "DEVICE",
     .help = "Device that runs the compiled model: local-task (the default), local-sync, cuda, "
             "vulkan ...",
     .ours = 1},
    {.spellings = "--iree-flags",
     .key = "flags",
     .nargs = "+",
     .metavar = "FLAG",
     .help = "Flags for iree-compile, without their leading dashes: iree-opt-level=O3.",
     .ours = 1},
};

}  // namespace

extern "C" const pgb_backend_options backend_options_iree;
const pgb_backend_options backend_options_iree = {
    .struct_size = sizeof(pgb_backend_options),
    .name = "iree",
    .flags = "--iree",
    .flags_ours = 1,
    .runner_prefix = "iree-runner",
    .title = "IREE Compilation",
    .summary = "Run inference using IREE",
    .remedy =
        "Install it with `pip install iree-base-compiler iree-base-runtime onnx` in the active "
        "Python environment, or name a Python that has it with --iree-python PATH or "
        "POLYGRAPHY_IREE_PYTHON.",
    .library_env = "POLYGRAPHY_IREE_PYTHON",
    .library_option = "--iree-python",
    .formats = kFormats,
    .format_count = std::size(kFormats),
    .options = kOptions,
    .option_count = std::size(kOptions),
    .python_module = "iree.compiler",
};
