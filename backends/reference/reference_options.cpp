// Command-line options of onnx's reference evaluator. Pure data, compiled into the host as well.
#include <iterator>

#include "polygraphy/backend.h"

namespace {

constexpr pgb_model_format kFormats[] = {{"onnx", "*.onnx"}};

}  // namespace

extern "C" const pgb_backend_options backend_options_reference;
const pgb_backend_options backend_options_reference = {
    .struct_size = sizeof(pgb_backend_options),
    .name = "reference",
    .flags = "--reference",
    .flags_ours = 1,
    .runner_prefix = "reference-runner",
    .title = "ONNX Reference Evaluator",
    .summary =
        "Run inference using the reference evaluator of the onnx package: slow, and exact to the "
        "ONNX specification",
    .remedy =
        "Install it with `pip install onnx` in the active Python environment, or name a Python "
        "that has it with --reference-python PATH or POLYGRAPHY_REFERENCE_PYTHON.",
    .library_env = "POLYGRAPHY_REFERENCE_PYTHON",
    .library_option = "--reference-python",
    .formats = kFormats,
    .format_count = std::size(kFormats),
    .python_module = "onnx",
};
