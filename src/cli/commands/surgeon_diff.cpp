// `polygraphy surgeon diff` (docs/diff.md).
#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "base/os/atomic_file.h"
#include "cli/jobs/page_graphs.h"
#include "cli/jobs/report_file.h"
#include "cli/session/session.h"
#include "cli/syntax/command.h"
#include "cli/syntax/parser.h"
#include "polygraphy/model_tools/inspect/diff_json.h"
#include "polygraphy/model_tools/inspect/diff_page.h"
#include "polygraphy/model_tools/inspect/sync_map.h"
#include "polygraphy/model_tools/surgeon/diff.h"

namespace polygraphy::cli {
namespace {

constexpr GroupUse kGroups[] = {{&args_logging}, {&args_report_forms}};

constexpr Option kOptions[] = {
    {.spellings = "models",
     .help = "Model before the change, and model after it.",
     .arity = Arity::kOneOrMore,
     .files = FileUse::kReadModel,
     .metavar = "BEFORE AFTER",
     .origin = Origin::kOurs,
     .required = true},
    {.spellings = "--ignore",
     .help = "Differences to ignore: names (of nodes and tensors; nodes are then matched by "
             "structure alone), weights (their values), metadata (producer and properties), docs "
             "(doc strings), versions (IR version and opset imports).",
     .arity = Arity::kOneOrMore,
     .choices = "docs metadata names versions weights",
     .origin = Origin::kOurs},
    {.spellings = "--atol --abs-tol",
     .help =
         "Absolute tolerance for equal weights. Without this and --rtol, all bits must be equal.",
     .type = ValueType::kFloat,
     .origin = Origin::kOurs},
    {.spellings = "--rtol --rel-tol",
     .help = "Tolerance relative to the value in the second model, added to --atol.",
     .type = ValueType::kFloat,
     .origin = Origin::kOurs},
    {.spellings = "--show",
     .help = "Maximum number of differences of each kind to show; -1: all. Default: 20. The file "
             "of --output has all of them.",
     .type = ValueType::kInt,
     .origin = Origin::kOurs},
    {.spellings = "-o --output --json --save",
     .help = "Write the differences to this file as JSON. '-': standard output.",
     .files = FileUse::kWritten,
     .origin = Origin::kOurs},
    {.spellings = "--sync-map",
     .help =
         "Write the aligned nodes to this file for Model Explorer, which shows both models side "
         "by side and marks nodes without a partner. Of a model that an engine has optimized, a "
         "fused node belongs to all nodes that it computes.",
     .files = FileUse::kWritten,
     .metavar = "FILE",
     .origin = Origin::kOurs},
};

DiffModelsOptions resolve(const ParsedArgs& args, const Environment& env) {
  const auto models = args.list("models");
  if (models.size() != 2) {
    throw UsageError("polygraphy surgeon diff",
                     "expected two models, got " + std::to_string(models.size()));
  }
  DiffModelsOptions options{env.path(models[0]), env.path(models[1])};
  const auto ignored = args.list("--ignore");
  const auto counts = [&](std::string_view what) {
    return std::find(ignored.begin(), ignored.end(), what) == ignored.end();
  };
  options.what.names = counts("names");
  options.what.weights = counts("weights");
  options.what.metadata = counts("metadata");
  options.what.docs = counts("docs");
  options.what.versions = counts("versions");
  options.what.tolerances = {args.number("--atol"), args.number("--rtol")};
  options.what.partners = args.has("--sync-map") || args.has("--report");
  options.items = args.integer("--show").value_or(options.items);
  const auto output = args.text("--output");
  if (output && output != "-") options.json = env.path(*output);
  return options;
}

int compare(Session& session, ReportPage* page) {
  const DiffModelsOptions options = resolve(session.args(), session.env());
  const bool prints_json = session.args().text("--output") == "-";  // and nothing else there
  Logger silent;
  auto result = std::make_unique<ModelsDiff>(diff(options, prints_json ? silent : session.log()));
  if (prints_json) {
    SinkInto sink(session.env().out);
    write_diff_json(result->report, options.before, options.after, sink);
  }
  if (const auto path = session.args().text("--sync-map"))
    write_file(session.env().path(*path), sync_map(result->report));
  if (page) {
    add_sections(diff_sections(result->report, options.before, options.after), *page);
    add_graphs(session, {{.path = options.before}, {.path = options.after}}, *page,
               [&](const auto&, const auto&) { return result->report.tensors; });
  }
  const bool equal = result->report.equal();
  session.discard(std::move(result));
  return equal ? kAgrees : kDiffers;
}

int run_command(Session& session) {
  return reported(session, "Differences", [&](ReportPage* page) { return compare(session, page); });
}

}  // namespace

extern constinit const Command command_surgeon_diff = {
    .path = "surgeon diff",
    .summary = "Show the changes between two models.",
    .description =
        "Compare two models: nodes, aligned by names and structure, their attributes and inputs; "
        "inputs and outputs, weights, versions, metadata.",
    .examples =
        "polygraphy surgeon diff before.onnx after.onnx\n"
        "polygraphy surgeon diff before.onnx after.onnx --ignore names -o differences.json",
    .order = 6,
    .groups = kGroups,
    .options = kOptions,
    .failure = kCouldNotRun,
    .run = run_command,
};

}  // namespace polygraphy::cli
