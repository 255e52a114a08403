// `polygraphy check accuracy`.
#include "polygraphy/comparison/compare/accuracy/check_accuracy.h"

#include "base/os/atomic_file.h"
#include "cli/args/comparison.h"
#include "cli/jobs/report_file.h"
#include "cli/session/session.h"
#include "cli/session/user_interpreter.h"
#include "cli/syntax/command.h"
#include "polygraphy/comparison/compare/accuracy/accuracy_document.h"
#include "polygraphy/comparison/compare/accuracy/accuracy_page.h"
#include "polygraphy/comparison/compare/metric.h"

namespace polygraphy::cli {
namespace {

constexpr GroupUse kGroups[] = {
    {&args_logging},
    {&args_comparison,
     "--no-shape-check --fail-fast --check-average --compare --compare-func-script "
     "--save-accuracy-results"},
    {&args_simple},
    {&args_other_functions},
    {&args_report_forms},
};

constexpr Option kOptions[] = {
    {.spellings = "path",
     .help = "Comparison results: a file written by `run --save-accuracy-results`.",
     .files = FileUse::kRead,
     .required = true},
    {.spellings = "--json",
     .help = "Write the judged results to this file as JSON.",
     .files = FileUse::kWritten,
     .metavar = "FILE",
     .origin = Origin::kOurs},
};

// The selected functions; empty: judge everything by the saved thresholds. `simple` is judged again
// only if one of its options gives a threshold, and `indices` saves only verdicts.
std::vector<CheckAccuracyOptions::Selected> select(const ParsedArgs& args,
                                                   const std::vector<const Metric*>& metrics) {
  const bool simple_options = has_options_of(args, "simple");
  std::vector<CheckAccuracyOptions::Selected> selected;
  if (!args.has("--compare") && !simple_options) return selected;
  for (const Metric* metric : metrics) {
    const bool anew = !metric->figures.empty() && (metric->name != "simple" || simple_options);
    selected.push_back({metric, anew});
  }
  return selected;
}

void select_script(std::shared_ptr<ResultComparison> script, CheckAccuracyOptions& options) {
  if (!script->averages() || script->metric() == nullptr) {
    throw Error(
        "The provided compare_func does not produce re-thresholdable metrics, so it cannot be used "
        "with check accuracy.",
        "It needs thresholds_for(name) and a _RESULT_CLASS of the original's, like an "
        "L2CompareFunc.");
  }
  options.selected = {{script->metric(), true}};
  options.script = std::move(script);
}

// Saved figures are the result of these options.
void refuse_saved_decisions(const MetricOptions& options) {
  for (const std::string_view name : {"tokens_margin", "tokens_axis"}) {
    if (options.numbers_of(name).empty()) continue;
    throw Error(std::string(name) +
                    " cannot be judged again: saved results have the flips that it "
                    "decided",
                "Leave it out, or compare the outputs again.");
  }
}

int check(Session& session, ReportPage* page) {
  const ParsedArgs& args = session.args();
  CompareOptions comparison;
  resolve_comparison(args, session.env(), comparison, session.log());
  CheckAccuracyOptions options;
  options.selected = select(args, comparison.metrics);
  options.metric_options = std::move(comparison.metric_options);
  refuse_saved_decisions(options.metric_options);
  options.check_average = comparison.check_average;
  options.save_results = std::move(comparison.save_accuracy_results);
  options.on_judged = [&](const AccuracyResults& judged) {
    if (page) add_sections(accuracy_sections(judged), *page);
    if (const auto json = args.text("--json"))
      write_file(session.env().path(*json), accuracy_json(judged));
  };
  session.announce();
  CompareOptions scripts;
  load_scripts(args, session.env(), make_user_python(session.env(), session.log()), scripts);
  if (scripts.compare_script) select_script(std::move(scripts.compare_script), options);
  AccuracyResults results =
      load_accuracy_results(session.env().path(*args.text("path")), session.log());
  return check_accuracy(std::move(results), options, session.log()).passed() ? 0 : 1;
}

int run_command(Session& session) {
  return reported(session, "Accuracy", [&](ReportPage* page) { return check(session, page); });
}

}  // namespace

extern constinit const Command command_check_accuracy = {
    .path = "check accuracy",
    .summary = "Check saved comparison results against other thresholds.",
    .description =
        "Check comparison results saved by `run --save-accuracy-results` against other thresholds, "
        "without running a model. Without thresholds: repeat the saved verdicts.",
    .examples =
        "polygraphy check accuracy results.json\n"
        "polygraphy check accuracy results.json --rtol 1e-3 --atol 1e-4",
    .order = 2,
    .groups = kGroups,
    .options = kOptions,
    .announces = true,
    .run = run_command,
};

}  // namespace polygraphy::cli
