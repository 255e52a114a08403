// Command-line options of ExecuTorch. Pure data, compiled into the host as well.
#include <iterator>

#include "polygraphy/backend.h"

namespace {

constexpr pgb_model_format kFormats[] = {{"executorch", "*.pte"}};

constexpr pgb_option_spec kOptions[] = {
    {.spellings = "--executorch-method",
     .key = "method",
     .nargs = "1",
     .metavar = "NAME",
     .help = "Method of the program to run. Default: forward.",
     .ours = 1},
};

}  // namespace

extern "C" const pgb_backend_options backend_options_executorch;
const pgb_backend_options backend_options_executorch = {
    .struct_size = sizeof(pgb_backend_options),
    .name = "executorch",
    .flags = "--executorch",
    .flags_ours = 1,
    .runner_prefix = "executorch-runner",
    .title = "ExecuTorch Inference",
    .summary = "Run inference using ExecuTorch",
    .remedy =
        "Install it with `pip install executorch` in the active Python environment, or name a "
        "Python that has it with --executorch-python PATH or POLYGRAPHY_EXECUTORCH_PYTHON.",
    .library_env = "POLYGRAPHY_EXECUTORCH_PYTHON",
    .library_option = "--executorch-python",
    .formats = kFormats,
    .format_count = std::size(kFormats),
    .options = kOptions,
    .option_count = std::size(kOptions),
    .python_module = "executorch",
};
