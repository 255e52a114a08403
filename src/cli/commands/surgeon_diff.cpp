// `polygraphy surgeon diff` (docs/diff.md).
#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "cli/args/logging.h"
#include "cli/session.h"
#include "cli/syntax/command.h"
#include "cli/unsupported_options.h"
#include "graphsurgeon/diff/diff.h"
#include "graphsurgeon/io/load.h"
#include "polygraphy/inspect/diff_json.h"
#include "polygraphy/inspect/diff_text.h"

namespace polygraphy::cli {
namespace {

using graphsurgeon::DiffOptions;
using graphsurgeon::DiffReport;
using graphsurgeon::Model;

constexpr std::string_view kModule = "tools/surgeon/subtool/diff.py";

// As diff(1): trouble is told apart from a difference.
constexpr int kEqual = 0, kDifferent = 1, kTrouble = 2;

constexpr GroupUse kGroups[] = {{&args_logging}};

constexpr Option kOptions[] = {
    {.spellings = "models",
     .help = "The model before, and the model after.",
     .arity = Arity::kOneOrMore,
     .type = ValueType::kPath,
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
     .help = "Weights whose values differ by no more are equal. Without this and --rtol, all bits "
             "must be equal.",
     .type = ValueType::kFloat,
     .origin = Origin::kOurs},
    {.spellings = "--rtol --rel-tol",
     .help = "The same, relative to the value in the second model; both add up.",
     .type = ValueType::kFloat,
     .origin = Origin::kOurs},
    {.spellings = "--show",
     .help = "How many differences of each kind to show; -1: all. Default: 20. The file of "
             "--output has all of them.",
     .type = ValueType::kInt,
     .origin = Origin::kOurs},
    {.spellings = "-o --output --save",
     .help = "Write what changed to this file as JSON. '-': standard output.",
     .type = ValueType::kPath,
     .origin = Origin::kOurs},
};

DiffOptions resolve(const ParsedArgs& args) {
  const auto ignored = args.list("--ignore");
  const auto counts = [&](std::string_view what) {
    return std::find(ignored.begin(), ignored.end(), what) == ignored.end();
  };
  DiffOptions options;
  options.names = counts("names");
  options.weights = counts("weights");
  options.metadata = counts("metadata");
  options.docs = counts("docs");
  options.versions = counts("versions");
  options.tolerances = {args.number("--atol"), args.number("--rtol")};
  return options;
}

template <typename Target>
void put_json(const DiffReport& report, const std::array<std::string, 2>& paths, Target& target) {
  SinkInto sink(target);
  write_diff_json(report, paths[0], paths[1], sink);
  sink.write("\n");
}

void save(const DiffReport& report, const std::array<std::string, 2>& paths,
          const std::string& file_path) {
  AtomicFile file(file_path);
  put_json(report, paths, file);
  file.commit();
}

int compare(Session& session) {
  const ParsedArgs& args = session.args();
  check_for_unsupported_options(args, session.log());
  const DiffOptions options = resolve(args);
  const auto typed = args.list("models");
  if (typed.size() != 2) {
    throw UsageError("polygraphy surgeon diff",
                     "expected two models, got " + std::to_string(typed.size()));
  }
  const auto output = args.text("--output");
  const bool prints_json = output == "-";  // and nothing else there
  std::array<std::string, 2> paths;
  std::array<std::unique_ptr<Model>, 2> models;
  for (size_t i = 0; i < 2; ++i) {
    paths[i] = session.env().path(typed[i]);
    if (!prints_json) session.log().info("backend/onnx/loader.py", "Loading model: " + paths[i]);
    models[i] = std::make_unique<Model>(graphsurgeon::load_model(paths[i]));
  }
  const DiffReport report = graphsurgeon::diff(*models[0], *models[1], options);
  if (prints_json) {
    put_json(report, paths, session.env().out);
  } else if (output) {
    save(report, paths, session.env().path(*output));
  }
  if (!prints_json) {
    const DiffTextOptions text{args.integer("--show").value_or(20)};
    session.log().info(kModule, "==== Differences ====\n" + diff_text(report, text));
  }
  for (auto& model : models) session.discard(std::move(model));
  return report.equal() ? kEqual : kDifferent;
}

int run(Session& session) {
  try {
    return compare(session);
  } catch (const UsageError&) {
    throw;
  } catch (const Error& error) {
    session.log().critical(kModule,
                           error.what() + (error.hint().empty() ? "" : "\n" + error.hint()));
    return kTrouble;
  }
}

}  // namespace

extern const Command command_surgeon_diff;
constinit const Command command_surgeon_diff = {
    .path = "surgeon diff",
    .summary = "Show what changed between two models.",
    .description =
        "Compare two models: nodes, aligned by names and structure, their attributes and inputs; "
        "inputs and outputs, weights, versions, metadata. Returns 0 if they are equal, 1 if they "
        "differ, 2 if they cannot be compared.",
    .order = 6,
    .groups = kGroups,
    .options = kOptions,
    .run = run,
};

}  // namespace polygraphy::cli
