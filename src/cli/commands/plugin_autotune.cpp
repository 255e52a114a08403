// `polygraphy plugin autotune`.
#include "cli/args/backend_path.h"
#include "cli/args/data_loader.h"
#include "cli/args/engines.h"
#include "cli/args/isolation.h"
#include "cli/args/logging.h"
#include "cli/args/model.h"
#include "cli/args/onnx_loading.h"
#include "cli/args/onnx_saving.h"
#include "cli/args/plugins.h"
#include "cli/jobs/autotune_command.h"
#include "cli/syntax/command.h"

namespace polygraphy::cli {

extern const ArgGroup args_runners;

namespace {

constexpr GroupUse kGroups[] = {
    {&args_logging},
    {&args_runners},
    {&args_backend_path},
    {&args_required_model, "model_file --input-shapes"},
    {&args_onnx_saving, kSavingOptions},
    {&args_onnx_loading, kLoadingOptions},
    {&args_engines},
    {&args_data_loader},
    {&args_isolation, "--isolate --timeout"},
    {&args_plugins},
};

constexpr Option kOptions[] = {
    {.spellings = "--autotune-mode",
     .help =
         "Search for the fastest model. greedy adds one replacement at a time, and keeps it if the "
         "model becomes faster; exhaustive tries the subsets, small ones first. Default: greedy.",
     .choices = "greedy exhaustive"},
    {.spellings = "--max-combinations",
     .help = "For exhaustive: maximum number of subsets to try. Default: 1000.",
     .type = ValueType::kInt,
     .metavar = "COUNT",
     .needs = "--autotune-mode=exhaustive"},
    {.spellings = "--threshold",
     .help = "For exhaustive: stop at a model that lowers the latency by more than this fraction. "
             "Default: 0.1.",
     .type = ValueType::kFloat,
     .metavar = "SHARE",
     .needs = "--autotune-mode=exhaustive"},
    {.spellings = "--runs",
     .help = "Number of measured runs per model, after 2 warm-up runs. Default: 10.",
     .type = ValueType::kInt,
     .metavar = "COUNT",
     .origin = Origin::kOurs},
    {.spellings = "--report",
     .help = "Also write the candidates, measurements and decisions to this text file.",
     .files = FileUse::kWritten,
     .metavar = "FILE"},
    {.spellings = "--save-config-yaml",
     .help = "Write the found subgraphs to this file, for --load-config-yaml and `polygraphy "
             "plugin replace`. Without a path: config.yaml. Default: config.yaml beside the model.",
     .arity = Arity::kOptional,
     .files = FileUse::kWritten,
     .metavar = "FILE"},
    {.spellings = "--load-config-yaml",
     .help = "Load the subgraphs from this file instead of searching for them.",
     .files = FileUse::kRead,
     .metavar = "FILE"},
    {.spellings = "--skip-autotuning",
     .help = "Search for subgraphs and write the configuration, without measuring.",
     .arity = Arity::kFlag},
    {.spellings = "--plugin-libraries",
     .help = "For --trt: plugin libraries to build and run engines with.",
     .arity = Arity::kOneOrMore,
     .files = FileUse::kRead,
     .metavar = "FILE"},
    {.spellings = "--python-plugins",
     .help = "Python files that register TensorRT plugins. Only with --skip-autotuning: engines "
             "run without Python.",
     .arity = Arity::kOneOrMore,
     .files = FileUse::kRead,
     .metavar = "FILE"},
    {.spellings = "--timing-cache",
     .help = "For --trt: timing cache to build engines with and to update, created if missing. "
             "Default: a temporary one.",
     .files = FileUse::kUpdated,
     .metavar = "FILE"},
    {.spellings = "--no-timing-cache",
     .help = "For --trt: build every engine without a timing cache.",
     .arity = Arity::kFlag},
};

}  // namespace

extern constinit const Command command_plugin_autotune = {
    .path = "plugin autotune",
    .summary = "Replace the subgraphs that plugins make faster.",
    .description =
        "Find the subgraphs of a model that plugins can replace, try the replacements, and write "
        "the fastest model. Each candidate is measured beside the best one so far, on the selected "
        "runner (default: TensorRT). Candidates that the runner rejects are skipped.",
    .examples =
        "polygraphy plugin autotune model.onnx --plugin-dir plugins -o fast.onnx\n"
        "polygraphy plugin autotune model.onnx --plugin-dir plugins -o fast.onnx --autotune-mode "
        "exhaustive",
    .order = 3,
    .groups = kGroups,
    .options = kOptions,
    .run = run_autotuning,
};

}  // namespace polygraphy::cli
