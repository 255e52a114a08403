// Command-line options of the runner of references in NumPy. Pure data, compiled into the host as
// well.
#include <iterator>

#include "polygraphy/backend.h"

namespace {

constexpr pgb_model_format kFormats[] = {{"onnx", "*.onnx"}};

constexpr pgb_option_spec kOptions[] = {
    {.spellings = "--pluginref-scripts",
     .key = "scripts",
     .nargs = "+",
     .metavar = "FILE.py",
     .help = "Scripts with reference implementations of further operators: functions with the "
             "decorator @register(\"Operator\").",
     .type = PGB_PATH,
     .ours = 1},
};

}  // namespace

extern "C" const pgb_backend_options backend_options_pluginref;
const pgb_backend_options backend_options_pluginref = {
    .struct_size = sizeof(pgb_backend_options),
    .name = "pluginref",
    .flags = "--pluginref",
    .runner_prefix = "pluginref-runner",
    .title = "Plugin References",
    .summary = "Run inference using NumPy reference implementations of single operators",
    .remedy =
        "Install onnx with `pip install onnx` in the active Python environment, or name a "
        "Python that has it with --pluginref-python PATH or POLYGRAPHY_PLUGINREF_PYTHON.",
    .library_env = "POLYGRAPHY_PLUGINREF_PYTHON",
    .library_option = "--pluginref-python",
    .formats = kFormats,
    .format_count = std::size(kFormats),
    .options = kOptions,
    .option_count = std::size(kOptions),
    .python_module = "onnx",
};
