#include "cli/jobs/lint_command.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/log_modules.h"
#include "cli/args/isolation.h"
#include "cli/args/onnxrt_session.h"
#include "cli/jobs/command_setup.h"
#include "cli/session/runner_tools.h"
#include "cli/session/user_interpreter.h"
#include "polygraphy/data/inputs/wrapped_feeds.h"
#include "polygraphy/data/tensors/metadata.h"
#include "polygraphy/model_tools/lint/lint_job.h"
#include "polygraphy/model_tools/lint/rule.h"

namespace polygraphy::cli {
namespace {

constexpr std::string_view kFindsTheCrash =
    "No node crashes alone. Find the nodes that crash together: `polygraphy debug reduce MODEL -o "
    "reduced.onnx --mode auto --check-crash onnxrt`.";

std::string list_of_rules() {
  std::string text;
  for (const LintRule* rule : ordered_lint_rules()) {
    text += std::string(rule->name) + "\n    " + std::string(rule->summary) +
            (rule->advice ? " (with --advice)\n" : "\n");
  }
  return text;
}

LintJob resolve_job(Session& session, const CommandSetup& setup) {
  const ParsedArgs& args = session.args();
  Environment& env = session.env();
  LintJob job{.model = setup.source,
              .typed_model = *args.text("model_file"),
              .shapes = setup.model.shapes,
              .options = {.only = args.list("--only-rule"),
                          .skip = args.list("--skip-rule"),
                          .advice = args.has("--advice"),
                          .tools = resolve_runner_tools(session)}};
  job.options.runner.session.options = resolve_onnxrt_session(args);
  job.options.runner.timeout = resolve_timeout(args);
  static_cast<void>(applied_rules(job.options));
  if (const auto typed = args.text("--output"))
    job.reports.push_back(lint_report_file(env.path(*typed), *typed));
  if (const auto typed = args.text("--sarif"))
    job.reports.push_back({.path = env.path(*typed), .typed = *typed, .sarif = true});
  return job;
}

// Generated feeds of the inputs that the model declares, with a line that names them.
class AnnouncedFeeds final : public WrappedFeeds {
 public:
  AnnouncedFeeds(std::unique_ptr<FeedSource> feeds, Logger& log)
      : WrappedFeeds(std::move(feeds)), log_(log) {}

  std::optional<ValueMap> next(const Metadata& inputs) override {
    log_.info(log_modules::kDataLoader,
              "Will generate inference input data according to provided TensorMetadata: " +
                  to_text(inputs));
    return WrappedFeeds::next(inputs);
  }

 private:
  Logger& log_;
};

}  // namespace

int run_lint(Session& session) {
  if (session.args().has("--list-rules")) {
    session.env().out.write(list_of_rules());
    return 0;
  }
  CommandSetup setup = resolve_setup(session);
  LintJob job = resolve_job(session, setup);
  resolve_inputs(session, setup);
  setup.inputs.options.announce_shapes = false;
  job.feeds = [&](Logger& log) -> std::unique_ptr<FeedSource> {
    std::unique_ptr<FeedSource> feeds =
        make_feeds(setup.inputs, make_user_python(session.env(), log), log);
    if (!feeds->generates()) return feeds;
    return std::make_unique<AnnouncedFeeds>(std::move(feeds), log);
  };
  session.announce();
  try {
    const LintResult result = lint(job, session.log());
    if (result.crashed_only_whole)
      session.log().warning(log_modules::kLint, std::string(kFindsTheCrash));
    return result.passed ? 0 : 1;
  } catch (const OptionError& error) {
    // As the original says it of options that ONNX Runtime refuses.
    throw Error(error.code(), std::string("PolygraphyException: ") + error.what(), error.hint());
  }
}

}  // namespace polygraphy::cli
