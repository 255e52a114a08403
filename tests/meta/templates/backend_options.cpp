#include "polygraphy/backend.h"

namespace {

const pgb_option_spec kOptions[] = {{.spellings = "--metaprobe-level",
                                     .key = "level",
                                     .nargs = "1",
                                     .metavar = "N",
                                     .choices = nullptr,
                                     .help = "Proves that options of back ends are found.",
                                     .ours = 1}};

}  // namespace

extern "C" const pgb_backend_options backend_options_metaprobe;
const pgb_backend_options backend_options_metaprobe = {
    .struct_size = sizeof(pgb_backend_options),
    .name = "metaprobe",
    .flags = "--metaprobe",
    .runner_prefix = "metaprobe-runner",
    .title = "Meta Probe",
    .summary = "Prove that back ends are found",
    .remedy = "Nothing brings it.",
    .library_env = "POLYGRAPHY_METAPROBE_LIB",
    .library_option = "--metaprobe-lib",
    .site_packages_patterns = nullptr,
    .sonames = nullptr,
    .options = kOptions,
    .option_count = 1,
    .flags_ours = 1,
};
