// The checks that need no command: one option per kind in polygraphy/model_checks/kinds.
#include "cli/args/model_checks.h"

#include <algorithm>

#include "base/error.h"
#include "base/shell_words.h"
#include "base/text.h"
#include "cli/args/debugging.h"
#include "cli/plugin_paths.h"
#include "cli/syntax/per_output_args.h"

namespace polygraphy::cli {
namespace {

constexpr std::string_view kTolerances[] = {"--atol", "--rtol"};
// What is said of a command has no meaning without one.
constexpr std::string_view kOfCommands[] = {"--fail-code",   "--ignore-fail-code", "--fail-regex",
                                            "--show-output", "--hide-fail-output", "--launcher"};

constexpr Option kOptions[] = {
    {.spellings = "--atol",
     .help = "Absolute tolerance of --check-run, for all outputs or for one: 1e-3 "
             "probabilities:1e-2. Default: 1e-5. An element that is within either tolerance "
             "passes.",
     .arity = Arity::kOneOrMore,
     .metavar = "[OUTPUT:]TOLERANCE",
     .origin = Origin::kOurs},
    {.spellings = "--rtol",
     .help = "Relative tolerance of --check-run, in the same way. Default: 1e-5.",
     .arity = Arity::kOneOrMore,
     .metavar = "[OUTPUT:]TOLERANCE",
     .origin = Origin::kOurs},
};

template <size_t N>
void refuse(const ParsedArgs& args, const std::string_view (&options)[N], const std::string& why,
            const std::string& remedy) {
  for (const std::string_view option : options) {
    if (args.has(option)) throw Error(args.display(option) + " " + why, remedy);
  }
}

}  // namespace

constinit const ArgGroup args_model_checks = {
    .title = "Checks Without a Command",
    .summary =
        "Instead of --check: candidates run in child processes, with the values that their inputs "
        "have in the whole model.",
    .options = kOptions,
    .with_model_checks = true};

const ModelCheck* selected_model_check(const ParsedArgs& args) {
  for (const ModelCheck* kind : model_checks()) {
    const std::string option = option_of(*kind);
    if (args.syntax().find(option) && args.has(option)) return kind;
  }
  return nullptr;
}

std::string model_check_words(const ParsedArgs& args) {
  const ModelCheck* kind = selected_model_check(args);
  if (!kind) return {};
  std::string text;
  for (const Occurrence& use : args.occurrences()) {
    const bool is_check = use.spelling == option_of(*kind);
    const bool is_of_group =
        std::any_of(args_model_checks.options.begin(), args_model_checks.options.end(),
                    [&](const Option& option) {
                      const auto words = split(option.spellings, ' ');
                      return std::find(words.begin(), words.end(), use.spelling) != words.end();
                    });
    // A hang is seen by nothing else.
    const bool is_limit = use.spelling == "--check-timeout";
    if (!is_check && !is_of_group && !is_limit) continue;
    text += (text.empty() ? "" : " ") + use.spelling;
    for (const std::string& value : use.values) text += " " + shell_word(value);
  }
  return text;
}

MakeCheck make_selected_check(const ModelCheck& kind, Session& session,
                              const CandidateInputs& inputs) {
  const ParsedArgs& args = session.args();
  const std::string option = option_of(kind);
  refuse(args, kOfCommands, "is about the command of --check, but " + option + " runs none",
         "Leave it out.");
  if (kind.name != "run") {
    refuse(args, kTolerances, "is for --check-run", "Leave it out.");
  }
  ModelCheckOptions options;
  options.engines = args.list(option);
  options.tolerances.numbers["atol"] = numbers_per_output(args, "--atol");
  options.tolerances.numbers["rtol"] = numbers_per_output(args, "--rtol");
  CheckTools tools{.program = session.env().executable,
                   .paths = resolve_plugin_paths(session.env()),
                   .inputs = inputs,
                   .timeout = check_timeout(args),
                   .learned = std::make_shared<LearnedLimit>()};
  Logger silent;
  static_cast<void>(make_model_check(kind, options, tools, silent));
  return [&kind, options, tools](Logger& log, const std::atomic<bool>* cancel) {
    CheckTools mine = tools;
    mine.cancel = cancel;
    return make_model_check(kind, options, mine, log);
  };
}

}  // namespace polygraphy::cli
