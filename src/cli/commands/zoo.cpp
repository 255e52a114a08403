// `polygraphy zoo`.
#include "cli/jobs/zoo_command.h"
#include "cli/syntax/command.h"

namespace polygraphy::cli {

namespace {

constexpr GroupUse kGroups[] = {
    {&args_logging},
    {&args_runners},
    {&args_backend_path},
    {&args_engines},
    {&args_required_model, "--input-shapes"},
    {&args_data_loader, "--seed --val-range --data-loader"},
    {&args_noise, "--noise-runs --noise-threshold"},
    {&args_report_forms},
    {&args_distribution},
};

constexpr Option kOptions[] = {
    {.spellings = "models",
     .help =
         "Models, folders with .onnx files at any depth, and .txt files with a path per line. "
         "Inputs come from a folder test_data_set_0 beside a model, if there is one; others are "
         "as of --data-loader valid, unless the option says random.",
     .arity = Arity::kOneOrMore,
     .files = FileUse::kRead,
     .required = true},
    {.spellings = "--output -o --json",
     .help = "Write the results to this JSON file, also as a baseline for later.",
     .files = FileUse::kWritten,
     .metavar = "FILE",
     .origin = Origin::kOurs},
    {.spellings = "--times",
     .help = "Write seconds of loads and inferences, and peaks of memory, to this JSON file. They "
             "are not in --output, which is the same each time.",
     .files = FileUse::kWritten,
     .metavar = "FILE",
     .origin = Origin::kOurs},
    {.spellings = "--baseline",
     .help = "Results of an earlier zoo (--output): the exit code is 1 only if a model is worse "
             "than there.",
     .files = FileUse::kRead,
     .metavar = "FILE",
     .origin = Origin::kOurs},
    {.spellings = "--timeout",
     .help = "Seconds that an engine may take to load a model, and to run it. Default: 300.",
     .type = ValueType::kFloat,
     .metavar = "SECONDS",
     .origin = Origin::kOurs},
    {.spellings = "--no-locate",
     .help = "Do not look for the guilty nodes of models that differ.",
     .arity = Arity::kFlag,
     .origin = Origin::kOurs},
    {.spellings = "--no-reduce",
     .help = "Do not reduce models that crash an engine.",
     .arity = Arity::kFlag,
     .origin = Origin::kOurs},
    {.spellings = "--reduce-timeout",
     .help = "Seconds for the reduction of a model that crashes an engine. Default: 60.",
     .type = ValueType::kFloat,
     .metavar = "SECONDS",
     .origin = Origin::kOurs},
    {.spellings = "--save-task",
     .help = "Write the results of a task to this file: for workers of --on.",
     .files = FileUse::kWritten,
     .metavar = "FILE",
     .origin = Origin::kInternal},
};

}  // namespace

extern constinit const Command command_zoo = {
    .path = "zoo",
    .summary = "Run many models on several engines, and name the guilty nodes.",
    .description =
        "Run every model of a folder on several engines: does it load, does it run, does it agree "
        "with the first engine within the noise of the number format, and if not, which nodes are "
        "guilty. Exit code: 1 if a model fails, or, with --baseline, if one is worse than before; "
        "3 if nothing else fails than processes that were killed; 4 if tasks are submitted, "
        "without a verdict yet.",
    .examples =
        "polygraphy zoo models/ --onnxrt --openvino --on local -o zoo.json\n"
        "polygraphy zoo models/ --onnxrt --openvino --baseline zoo.json --junit zoo.xml",
    .order = 95,
    .groups = kGroups,
    .options = kOptions,
    .announces = true,
    .failure = kCouldNotRun,
    .run = zoo_command,
};

}  // namespace polygraphy::cli
