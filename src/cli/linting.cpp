#include "cli/linting.h"

#include "base/error.h"
#include "base/log_modules.h"
#include "base/os/atomic_file.h"
#include "cli/args/data_loader.h"
#include "cli/args/model.h"
#include "cli/args/onnx_loading.h"
#include "cli/args/onnxrt_session.h"
#include "cli/session/deferred_interrupts.h"
#include "cli/session/plugin_paths.h"
#include "cli/session/user_interpreter.h"
#include "cli/unsupported_options.h"
#include "polygraphy/lint/lint.h"
#include "polygraphy/lint/sarif.h"
#include "polygraphy/surgeon/override_shapes.h"

namespace polygraphy::cli {
namespace {

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

// What the original says of options that ONNX Runtime refuses.
LintResult in_originals_words(const std::function<LintResult()>& lint_model) {
  try {
    return lint_model();
  } catch (const OptionError& error) {
    throw Error(std::string("PolygraphyException: ") + error.what(), error.hint());
  }
}

void save(Session& session, const std::string& path, const std::string& report) {
  session.log().info(log_modules::kSerde, "Saving linting report to " + path);
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

}  // namespace

int run_lint(Session& session) {
  const ParsedArgs& args = session.args();
  Logger& log = session.log();
  if (args.has("--list-rules")) {
    session.env().out.write(list_of_rules());
    return 0;
  }
  check_for_unsupported_options(args, log);
  const ModelArgs model_args = resolve_model(args, session.env(), log);
  const ModelSource source = resolve_model_source(args, session.env(), model_args.path);
  const LintOptions options{.only = args.list("--only-rule"),
                            .skip = args.list("--skip-rule"),
                            .advice = args.has("--advice"),
                            .paths = resolve_plugin_paths(session.env()),
                            .session = resolve_onnxrt_session(args),
                            .cancel = cancel_flag(session.env())};
  static_cast<void>(selected_rules(options));
  DataLoaderArgs inputs = resolve_data_loader(args, session.env(), model_args.shapes, log);
  use_graph_of(source, inputs);
  session.announce();

  const auto feeds = make_feeds(inputs, make_user_python(session.env(), log), log);
  const auto load_with_shapes = [&] {
    const auto loaded = load(source, log);
    const bool looked_at = !loaded->graph->nodes().empty();
    if (looked_at && !model_args.shapes.empty()) override_shapes(*loaded, model_args.shapes, log);
    return std::move(*loaded);
  };
  const LintResult result =
      in_originals_words([&] { return lint(source.path, load_with_shapes, options, *feeds, log); });
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

}  // namespace polygraphy::cli
