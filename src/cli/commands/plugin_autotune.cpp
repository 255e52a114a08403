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
     .help = "greedy adds one replacement after the other, and keeps it if the model becomes "
             "faster; exhaustive tries the subsets, small ones first. Default: greedy.",
     .choices = "greedy exhaustive"},
    {.spellings = "--max-combinations",
     .help = "Of exhaustive: how many subsets are tried at most. Default: 1000.",
     .type = ValueType::kInt,
     .metavar = "COUNT"},
    {.spellings = "--threshold",
     .help = "Of exhaustive: stop at a model whose latency is lower by more than this share. "
             "Default: 0.1.",
     .type = ValueType::kFloat,
     .metavar = "SHARE"},
    {.spellings = "--runs",
     .help = "How many runs of each model count, after 2 that do not. Default: 10.",
     .type = ValueType::kInt,
     .metavar = "COUNT",
     .origin = Origin::kOurs},
    {.spellings = "--report",
     .help = "Also write what was tried, measured and kept: a text file.",
     .type = ValueType::kPath,
     .files = FileUse::kWritten,
     .metavar = "FILE"},
    {.spellings = "--save-config-yaml",
     .help = "Where the subgraphs that were found are written, for --load-config-yaml and "
             "`polygraphy plugin replace`. Without a path: config.yaml. Default: config.yaml "
             "beside the model.",
     .arity = Arity::kOptional,
     .type = ValueType::kPath,
     .files = FileUse::kWritten,
     .metavar = "FILE"},
    {.spellings = "--load-config-yaml",
     .help = "Take the subgraphs from this file instead of looking for them.",
     .type = ValueType::kPath,
     .files = FileUse::kRead,
     .metavar = "FILE"},
    {.spellings = "--skip-autotuning",
     .help = "Only look for subgraphs and write the configuration; nothing is measured.",
     .arity = Arity::kFlag},
    {.spellings = "--plugin-libraries",
     .help = "Of --trt: libraries of plugins that engines are built and run with.",
     .arity = Arity::kOneOrMore,
     .type = ValueType::kPath,
     .files = FileUse::kRead,
     .metavar = "FILE"},
    {.spellings = "--python-plugins",
     .help = "Python files that register plugins of TensorRT. An error where models are measured: "
             "engines are run without Python.",
     .arity = Arity::kOneOrMore,
     .type = ValueType::kPath,
     .files = FileUse::kRead,
     .metavar = "FILE"},
    {.spellings = "--timing-cache",
     .help = "Of --trt: a timing cache that engines are built with and that is written, made if "
             "it is missing. Default: one that goes with the command.",
     .type = ValueType::kPath,
     .files = FileUse::kUpdated,
     .metavar = "FILE"},
    {.spellings = "--no-timing-cache",
     .help = "Of --trt: build every engine without a timing cache.",
     .arity = Arity::kFlag},
};

}  // namespace

extern const Command command_plugin_autotune;
constinit const Command command_plugin_autotune = {
    .path = "plugin autotune",
    .summary = "Replace the subgraphs that plugins make faster.",
    .description =
        "Find the subgraphs of a model that plugins can replace, try the replacements, and write "
        "the fastest model. Each candidate is measured beside the best before it, on the runner "
        "that is selected: on TensorRT if there is none. A candidate that the runner refuses is "
        "left out.",
    .order = 3,
    .groups = kGroups,
    .options = kOptions,
    .run = run_autotuning,
};

}  // namespace polygraphy::cli
