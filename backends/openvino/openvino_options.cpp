// Command-line options of OpenVINO. Pure data, compiled into the host as well.
#include <iterator>

#include "polygraphy/backend.h"

namespace {

const char* const kSitePackages[] = {"openvino/libs/libopenvino_c.so*", nullptr};
const char* const kSonames[] = {"libopenvino_c.so", nullptr};

constexpr pgb_model_format kFormats[] = {{"onnx", "*.onnx"}};

constexpr pgb_option_spec kOptions[] = {
    {.spellings = "--openvino-device",
     .key = "device",
     .nargs = "1",
     .metavar = "DEVICE",
     .help = "OpenVINO device to run on: CPU (the default), GPU, NPU, AUTO:GPU,CPU ...",
     .ours = 1},
    {.spellings = "--openvino-precision",
     .key = "precision",
     .nargs = "1",
     .choices = "f32 bf16 f16 native",
     .help = "Precision of inference. Default: f32. 'native': OpenVINO chooses, and uses bfloat16 "
             "or float16 on processors that support it.",
     .ours = 1},
    {.spellings = "--openvino-threads",
     .key = "threads",
     .nargs = "1",
     .metavar = "N",
     .help = "Threads of inference. Default: OpenVINO chooses.",
     .ours = 1},
    {.spellings = "--openvino-properties",
     .key = "properties",
     .nargs = "+",
     .metavar = "KEY=VALUE",
     .help = "Properties to set on the device, such as NUM_STREAMS=1.",
     .ours = 1},
    {.spellings = nullptr, .key = "cache", .nargs = "1", .type = PGB_WRITTEN_FOLDER},
};

constexpr pgb_switches kSwitches = {
    .struct_size = sizeof(pgb_switches),
    .threads = "threads",
    .cache = "cache",
};

}  // namespace

extern "C" const pgb_backend_options backend_options_openvino;
const pgb_backend_options backend_options_openvino = {
    .struct_size = sizeof(pgb_backend_options),
    .name = "openvino",
    .flags = "--openvino --ov",
    .flags_ours = 1,
    .runner_prefix = "openvino-runner",
    .title = "OpenVINO Model Compilation",
    .summary = "Run inference using OpenVINO",
    .remedy =
        "Install it with `pip install openvino` in the active Python environment, or name "
        "the library with --openvino-lib PATH or POLYGRAPHY_OPENVINO_LIB.",
    .library_env = "POLYGRAPHY_OPENVINO_LIB",
    .library_option = "--openvino-lib",
    .site_packages_patterns = kSitePackages,
    .sonames = kSonames,
    .formats = kFormats,
    .format_count = std::size(kFormats),
    .options = kOptions,
    .option_count = std::size(kOptions),
    .switches = &kSwitches,
};
