#include "polygraphy/backend.h"

namespace {

const pgb_model_format kFormats[] = {{"onnx", "*.onnx"}};

const pgb_option_spec kOptions[] = {{.spellings = "--metaprobe-level",
                                     .key = "level",
                                     .nargs = "1",
                                     .metavar = "N",
                                     .help = "Proves that options of back ends are found.",
                                     .type = PGB_INTEGER,
                                     .ours = 1}};

}  // namespace

extern "C" const pgb_backend_options backend_options_metaprobe;
const pgb_backend_options backend_options_metaprobe = {
    .struct_size = sizeof(pgb_backend_options),
    .name = "metaprobe",
    .flags = "--metaprobe",
    .flags_ours = 1,
    .runner_prefix = "metaprobe-runner",
    .title = "Meta Probe",
    .summary = "Prove that back ends are found",
    .remedy = "Nothing brings it.",
    .library_env = "POLYGRAPHY_METAPROBE_LIB",
    .library_option = "--metaprobe-lib",
    .formats = kFormats,
    .format_count = 1,
    .options = kOptions,
    .option_count = 1,
};
