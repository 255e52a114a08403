// `polygraphy check lint`.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/log_modules.h"
#include "base/shell_words.h"
#include "cli/args/data_loader.h"
#include "cli/args/isolation.h"
#include "cli/args/onnx_loading.h"
#include "cli/args/onnxrt_session.h"
#include "cli/jobs/command_setup.h"
#include "cli/jobs/page_graphs.h"
#include "cli/jobs/report_file.h"
#include "cli/session/runner_tools.h"
#include "cli/session/session.h"
#include "cli/session/user_interpreter.h"
#include "cli/syntax/command.h"
#include "polygraphy/data/inputs/wrapped_feeds.h"
#include "polygraphy/data/tensors/metadata.h"
#include "polygraphy/model_tools/lint/lint_job.h"
#include "polygraphy/model_tools/lint/lint_page.h"
#include "polygraphy/model_tools/lint/rule.h"

namespace polygraphy::cli {
namespace {

constexpr GroupUse kGroups[] = {
    {&args_logging},
    {&args_required_model, "model_file --input-shapes"},
    {&args_onnx_loading, kLoadingOptions},
    {&args_data_loader},
    {&args_onnxrt_session},
    {&args_backend_path},
    {&args_report_forms},
};

constexpr Option kOptions[] = {
    {.spellings = "-o --output",
     .help = "Write the report to this file: JSON, or SARIF for a file named *.sarif.",
     .files = FileUse::kWritten},
    {.spellings = "--json",
     .help = "Write the report to this file as JSON.",
     .files = FileUse::kWritten,
     .metavar = "FILE",
     .origin = Origin::kOurs},
    {.spellings = "--sarif",
     .help = "Write the findings to this file as SARIF, which CI systems show beside a change.",
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

std::string finds_the_crash(const ParsedArgs& args) {
  return "polygraphy debug reduce " + shell_word(*args.text("model_file")) +
         " -o reduced.onnx --mode auto --check-crash onnxrt";
}

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
  LintJob job{.model = setup.model,
              .typed_model = *args.text("model_file"),
              .shapes = setup.shapes,
              .options = {.only = args.list("--only-rule"),
                          .skip = args.list("--skip-rule"),
                          .advice = args.has("--advice"),
                          .tools = resolve_runner_tools(session)}};
  job.options.runner.session.options = resolve_onnxrt_session(args);
  job.options.runner.timeout = resolve_timeout(args);
  static_cast<void>(applied_rules(job.options));
  if (const auto typed = args.text("--output"))
    job.reports.push_back(lint_report_file(env.path(*typed), *typed));
  if (const auto typed = args.text("--json"))
    job.reports.push_back({.path = env.path(*typed), .typed = *typed});
  if (const auto typed = args.text("--sarif"))
    job.reports.push_back({.path = env.path(*typed), .typed = *typed, .sarif = true});
  return job;
}

void add_to(ReportPage& page, const Session& session, const CommandSetup& setup,
            const LintResult& result) {
  add_sections(lint_sections(result), page);
  add_graphs(session, {setup.model}, page);
  ReportCommands commands{.title = "Next commands", .commands = {}};
  const ParsedArgs& args = session.args();
  if (std::ranges::count(result.report.findings(), "unused-nodes", &Finding::rule))
    commands.commands.emplace_back("Remove unused nodes", "polygraphy surgeon sanitize " +
                                                              shell_word(*args.text("model_file")) +
                                                              " --cleanup -o clean.onnx");
  if (result.crashed_only_whole)
    commands.commands.emplace_back("Find the nodes that crash together", finds_the_crash(args));
  if (!commands.commands.empty()) page.sections.emplace_back(std::move(commands));
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

int check(Session& session, ReportPage* page) {
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
    if (page) add_to(*page, session, setup, result);
    if (result.crashed_only_whole)
      session.log().warning(log_modules::kLint,
                            "No node crashes alone. Find the nodes that crash together: `" +
                                finds_the_crash(session.args()) + "`.");
    return result.passed ? 0 : 1;
  } catch (const OptionError& error) {
    // As the original says it of options that ONNX Runtime refuses.
    throw Error(error.code(), std::string("PolygraphyException: ") + error.what(), error.hint());
  }
}

int run_command(Session& session) {
  return reported(session, "Lint", [&](ReportPage* page) { return check(session, page); });
}

}  // namespace

extern constinit const Command command_check_lint = {
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
    .run = run_command,
};

}  // namespace polygraphy::cli
