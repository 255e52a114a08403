// `polygraphy check lint`.
#include "base/error.h"
#include "base/os/atomic_file.h"
#include "cli/args/data_loader.h"
#include "cli/args/logging.h"
#include "cli/args/model.h"
#include "cli/args/onnx_loading.h"
#include "cli/args/onnxrt_session.h"
#include "cli/plugin_paths.h"
#include "cli/session.h"
#include "cli/syntax/command.h"
#include "cli/unsupported_options.h"
#include "cli/user_scripts.h"
#include "polygraphy/lint/lint.h"
#include "polygraphy/lint/sarif.h"
#include "polygraphy/surgeon/override_shapes.h"

namespace polygraphy::cli {
namespace {

constexpr GroupUse kGroups[] = {
    {&args_logging},
    {&args_required_model, "model_file --input-shapes"},
    {&args_onnx_loading, kLoadingOptions},
    {&args_data_loader},
    {&args_onnxrt_session},
};

constexpr Option kOptions[] = {
    {.spellings = "-o --output",
     .help = "Where to write the report: JSON, or SARIF for a file named *.sarif.",
     .type = ValueType::kPath},
    {.spellings = "--sarif",
     .help = "Where to write the findings as SARIF, which CI systems show beside a change.",
     .type = ValueType::kPath,
     .metavar = "FILE",
     .origin = Origin::kOurs},
    {.spellings = "--advice",
     .help = "Also report things that are correct, but may fail elsewhere.",
     .arity = Arity::kFlag,
     .origin = Origin::kOurs},
    {.spellings = "--list-rules",
     .help = "List the rules and exit.",
     .arity = Arity::kFlag,
     .origin = Origin::kOurs,
     .answers = true},
    {.spellings = "--only-rule",
     .help = "Apply these rules and no others.",
     .arity = Arity::kOneOrMore,
     .metavar = "RULE",
     .origin = Origin::kOurs},
    {.spellings = "--skip-rule",
     .help = "Do not apply these rules.",
     .arity = Arity::kOneOrMore,
     .metavar = "RULE",
     .origin = Origin::kOurs},
};

std::unique_ptr<graphsurgeon::Model> load(const ModelSource& source, Logger& log) {
  try {
    return load_onnx(source, log);
  } catch (const FormatError&) {
    throw;
  } catch (const Interrupted&) {
    throw;
  } catch (const Error& error) {
    throw Error(error.code(), std::string("Unhandled error: ") + error.what(), error.hint());
  }
}

// Scripts know what the original says of options that its engine refuses.
LintResult in_originals_words(const std::function<LintResult()>& lint_model) {
  try {
    return lint_model();
  } catch (const OptionError& error) {
    throw Error(std::string("PolygraphyException: ") + error.what(), error.hint());
  }
}

void save(Session& session, const std::string& path, const std::string& report) {
  session.log().info("json/serde.py", "Saving linting report to " + path);
  write_file(session.env().path(path), report);
}

std::string list_of_rules() {
  std::string text;
  for (const LintRule* rule : ordered_lint_rules()) {
    text += std::string(rule->name) + "\n    " + std::string(rule->summary) +
            (rule->advice ? " (with --advice)\n" : "\n");
  }
  return text;
}

int run(Session& session) {
  const ParsedArgs& args = session.args();
  Logger& log = session.log();
  if (args.has("--list-rules")) {
    session.env().out.write(list_of_rules());
    return 0;
  }
  check_for_unsupported_options(args, log);
  const ModelArgs model_args = resolve_model(args, session.env(), log);
  const ModelSource source = resolve_model_source(args, session.env(), model_args.path);
  const LintOptions options{args.list("--only-rule"), args.list("--skip-rule"),
                            args.has("--advice")};
  static_cast<void>(selected_rules(options));
  DataLoaderArgs inputs = resolve_data_loader(args, session.env(), model_args.shapes, log);
  use_graph_of(source, inputs);
  session.announce();

  const auto feeds = make_feeds(inputs, make_user_python(session.env(), log), log);
  const auto* interrupts = session.env().interrupts;
  LintEngine engine(resolve_plugin_paths(session.env()), resolve_onnxrt_session(args), log,
                    interrupts ? &interrupts->requested : nullptr);
  const auto load_with_shapes = [&] {
    const auto loaded = load(source, log);
    const bool looked_at = !loaded->graph->nodes().empty();
    if (looked_at && !model_args.shapes.empty()) override_shapes(*loaded, model_args.shapes, log);
    return std::move(*loaded);
  };
  const LintResult result = in_originals_words(
      [&] { return lint(source.path, load_with_shapes, options, engine, *feeds, log); });
  const std::string model = *args.text("model_file");
  if (const auto path = args.text("--output")) {
    save(session, *path,
         path->ends_with(".sarif") ? to_sarif(result.report, model) : to_json(result.report));
  }
  if (const auto path = args.text("--sarif")) {
    save(session, *path, to_sarif(result.report, model));
  }
  return result.passed ? 0 : 1;
}

}  // namespace

extern const Command command_check_lint;
constinit const Command command_check_lint = {
    .path = "check lint",
    .summary = "Find errors in an ONNX model.",
    .description =
        "Find errors in an ONNX model, and the nodes that have them: violations of the standard, "
        "nodes that ONNX Runtime refuses or cannot run, and unused nodes and tensors. A model that "
        "does not run as a whole is run node by node.",
    .order = 1,
    .groups = kGroups,
    .options = kOptions,
    .announces = true,
    .run = run,
};

}  // namespace polygraphy::cli
