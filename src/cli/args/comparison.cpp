#include "cli/args/comparison.h"

#include <algorithm>

#include "base/arrays/py_repr.h"
#include "base/log_modules.h"
#include "base/text.h"
#include "cli/args/task_metric.h"
#include "cli/metric_options/metric_args.h"
#include "cli/syntax/arg_group.h"
#include "cli/syntax/script_args.h"
#include "polygraphy/comparison/compare/metric.h"
#include "polygraphy/comparison/compare/metric_choice.h"
#include "polygraphy/comparison/compare/metrics/shared/image_distance.h"
#include "polygraphy/comparison/compare/scripts/script_functions.h"
#include "polygraphy/data/inputs/saved_feeds.h"
#include "polygraphy/data/tensors/tensor_format.h"

namespace polygraphy::cli {
namespace {

constexpr std::string_view kDefault = "simple";  // of --compare

std::string compare_help() {
  std::string help = "Comparison functions; with several functions, all must pass.";
  for (const std::string_view choice : metric_choices()) {
    const auto chosen = selected_metrics(choice);
    std::string what(chosen.front()->summary);
    if (chosen.front()->name != choice) {
      what.clear();
      for (const Metric* metric : chosen) {
        what += (what.empty() ? "" : " and ") + std::string(metric->name);
      }
    }
    help += " " + std::string(choice) + (choice == kDefault ? " (the default)" : "") + ": " + what +
            ".";
  }
  return help;
}

std::string compare_choices() {
  return join(metric_choices(), " ");
}

std::string load_outputs_help() {
  return "Compare these saved outputs too: files (" + names_of_saved_formats() +
         "), or folders of one file per iteration; or files of other programs (" +
         names_of_binary_formats() + ", " + names_of_loaded_formats() +
         ", folders of them, PATH:NAME:SHAPE:TYPE for raw bytes). Each path is a separate run, "
         "after the runners.";
}

constexpr Option kOptions[] = {
    {.spellings = "--no-shape-check",
     .help = "Reshape or broadcast outputs of different shapes if possible, instead of failing.",
     .arity = Arity::kFlag},
    {.spellings = "--validate",
     .help = "Fail if an output holds a NaN or an infinity.",
     .arity = Arity::kFlag},
    {.spellings = "--fail-fast",
     .help = "Stop at the first output that fails.",
     .arity = Arity::kFlag},
    {.spellings = "--check-average",
     .help = "Judge the mean of each figure over all iterations, not every iteration.",
     .arity = Arity::kFlag},
    {.spellings = "--sequential-runners",
     .help = "Run all iterations on one runner, then on the next, and compare at the end. Keeps "
             "every output in memory.",
     .arity = Arity::kFlag},
    {.spellings = "--compare --compare-func",
     .arity = Arity::kOneOrMore,
     .metavar = "FUNCTION",
     .choice_arguments = true,
     .made_help = compare_help,
     .made_choices = compare_choices},
    {.spellings = "--compare-func-script",
     .help = "Compare with a Python function instead, run by your own Python: it gets two results "
             "and returns a dict of output name to verdict. Default function: compare_outputs.",
     .files = FileUse::kRead,
     .metavar = "SCRIPT[:FUNCTION]"},
    {.spellings = "--load-outputs --load-results",
     .arity = Arity::kOneOrMore,
     .files = FileUse::kRead,
     .metavar = "PATH",
     .made_help = load_outputs_help},
    {.spellings = "--save-accuracy-results",
     .help =
         "Save the results of the comparisons as JSON, for `check accuracy` and `inspect data`.",
     .files = FileUse::kWritten,
     .metavar = "PATH"},
};

void warn_of_ignored(const ParsedArgs& args, const std::vector<std::string>& selected,
                     Logger& log) {
  for (const auto& entry : args.syntax().entries()) {
    if (entry.option->functions.empty() || !args.has(entry.key())) continue;
    const auto readers = split(entry.option->functions, ' ');
    const bool read = std::any_of(selected.begin(), selected.end(), [&](const std::string& name) {
      return std::find(readers.begin(), readers.end(), name) != readers.end();
    });
    if (read) continue;
    log.warning(log_modules::kCompareOptions,
                "Option: " + entry.display() + " is only valid for comparison function(s): " +
                    py_list_repr(std::vector<std::string>(readers.begin(), readers.end())) +
                    ". The selected comparison functions are: " + py_list_repr(selected) +
                    ", so this option will be ignored.");
  }
}

}  // namespace

extern constinit const ArgGroup args_comparison = {
    .title = "Comparator Comparisons",
    .summary = "Comparison of the outputs of two or more runs.",
    .options = kOptions};

std::vector<std::string> selected_functions(const ParsedArgs& args) {
  if (!args.has("--compare")) return {std::string(kDefault)};
  std::vector<std::string> names;
  for (const std::string& choice : args.list("--compare")) names.emplace_back(function_of(choice));
  return names;
}

bool gives_comparison(const ParsedArgs& args) {
  return std::ranges::any_of(args.occurrences(), [](const Occurrence& use) {
    return use.entry->key() == "--compare" || !use.entry->option->functions.empty();
  });
}

bool has_options_of(const ParsedArgs& args, std::string_view function) {
  const auto& entries = args.syntax().entries();
  return std::any_of(entries.begin(), entries.end(), [&](const auto& entry) {
    const auto readers = split(entry.option->functions, ' ');
    return std::find(readers.begin(), readers.end(), function) != readers.end() &&
           args.has(entry.key());
  });
}

void resolve_comparison(const ParsedArgs& args, const Environment& env, CompareOptions& options,
                        Logger& log) {
  const auto selected = selected_functions(args);
  warn_of_ignored(args, selected, log);
  resolve_functions(args, env, options);
  options.fail_fast = args.has("--fail-fast");
  options.check_average = args.has("--check-average");
  options.save_accuracy_results = env.path(args.text("--save-accuracy-results").value_or(""));
  // Commands that run nothing take a part of the group.
  if (args.syntax().find("--load-outputs") != nullptr) {
    options.validate = args.has("--validate");
    options.sequential = args.has("--sequential-runners");
    for (const auto& path : args.list("--load-outputs"))
      options.load_outputs.push_back(env.path(path));
  }
}

void resolve_functions(const ParsedArgs& args, const Environment& env, CompareOptions& options) {
  options.metrics = chosen_metrics(selected_functions(args));
  options.metric_options =
      metric_options(args, [&env](const std::string& path) { return env.path(path); });
  for (const std::string& choice : args.list("--compare"))
    set_arguments(choice, options.metric_options);
}

OutputCheck resolve_output_check(const ParsedArgs& args, const Environment& env,
                                 const std::shared_ptr<UserPython>& python) {
  OutputCheck check;
  if (args.syntax().find("--metric") && args.has("--metric")) {
    if (args.has("--compare"))
      throw Error("--metric and --compare exclude each other", "Leave one of them out.");
    check.task_metric = resolve_task_metric(args, env, python);
    return check;
  }
  CompareOptions options;
  resolve_functions(args, env, options);
  check.metrics = std::move(options.metrics);
  check.metric_options = std::move(options.metric_options);
  check.metric_options.images = lpips_in(python);
  return check;
}

bool is_of_output_check(const Syntax& syntax, const Syntax::Entry& entry) {
  const ArgGroup* group = syntax.section_of(entry).group;
  return group == &args_comparison || group == &args_simple || group == &args_other_functions ||
         group == &args_task_metric;
}

void load_scripts(const ParsedArgs& args, const Environment& env,
                  const std::shared_ptr<UserPython>& python, CompareOptions& options) {
  options.metric_options.images = lpips_in(python);
  options.torch = torch_reader(python);
  if (const auto edit = symbol_of(args, env, "--postprocess-func-script", "postprocess_outputs")) {
    options.postprocess_script = script_postprocess(python, *edit);
  }
  if (const auto compare = symbol_of(args, env, "--compare-func-script", "compare_outputs")) {
    options.compare_script = script_comparison(python, *compare);
  }
}

}  // namespace polygraphy::cli
