// `polygraphy check lint`.
#include "cli/args/backend_path.h"
#include "cli/args/data_loader.h"
#include "cli/args/logging.h"
#include "cli/args/model.h"
#include "cli/args/onnx_loading.h"
#include "cli/args/onnxrt_session.h"
#include "cli/jobs/lint_command.h"
#include "cli/syntax/command.h"

namespace polygraphy::cli {
namespace {

constexpr GroupUse kGroups[] = {
    {&args_logging},
    {&args_required_model, "model_file --input-shapes"},
    {&args_onnx_loading, kLoadingOptions},
    {&args_data_loader},
    {&args_onnxrt_session},
    {&args_backend_path},
};

constexpr Option kOptions[] = {
    {.spellings = "-o --output",
     .help = "Write the report to this file: JSON, or SARIF for a file named *.sarif.",
     .type = ValueType::kPath,
     .files = FileUse::kWritten},
    {.spellings = "--sarif",
     .help = "Write the findings to this file as SARIF, which CI systems show beside a change.",
     .type = ValueType::kPath,
     .files = FileUse::kWritten,
     .metavar = "FILE",
     .origin = Origin::kOurs},
    {.spellings = "--timeout",
     .help = "Stop the model, or one of its nodes, if it takes longer than this many seconds to "
             "load or to run. Default: 300.",
     .type = ValueType::kFloat,
     .metavar = "SECONDS",
     .origin = Origin::kOurs},
    {.spellings = "--advice",
     .help = "Also report correct constructs that may fail on other runtimes.",
     .arity = Arity::kFlag,
     .origin = Origin::kOurs},
    {.spellings = "--list-rules",
     .help = "List the rules and exit.",
     .arity = Arity::kFlag,
     .origin = Origin::kOurs,
     .answers = true},
    {.spellings = "--only-rule",
     .help = "Apply only these rules.",
     .arity = Arity::kOneOrMore,
     .metavar = "RULE",
     .origin = Origin::kOurs},
    {.spellings = "--skip-rule",
     .help = "Skip these rules.",
     .arity = Arity::kOneOrMore,
     .metavar = "RULE",
     .origin = Origin::kOurs},
};

}  // namespace

extern const Command command_check_lint;
constinit const Command command_check_lint = {
    .path = "check lint",
    .summary = "Find errors in an ONNX model.",
    .description =
        "Find errors in an ONNX model, and their nodes: violations of the standard, nodes that "
        "ONNX Runtime rejects or cannot run, and unused nodes and tensors. A model that does not "
        "run as a whole is run node by node.",
    .examples =
        "polygraphy check lint model.onnx -o report.json\n"
        "polygraphy check lint model.onnx --sarif lint.sarif --advice",
    .order = 1,
    .groups = kGroups,
    .options = kOptions,
    .announces = true,
    .run = run_lint,
};

}  // namespace polygraphy::cli
