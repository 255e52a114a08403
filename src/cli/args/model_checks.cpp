// The checks that need no command: options from the kinds in polygraphy/model_checks/kinds.
#include "cli/args/model_checks.h"
#include "base/cancel.h"

#include <algorithm>

#include "base/error.h"
#include "base/shell_words.h"
#include "cli/args/debugging.h"
#include "cli/session/plugin_paths.h"
#include "cli/syntax/per_output_args.h"

namespace polygraphy::cli {
namespace {

// What is said of a command has no meaning without one.
constexpr std::string_view kOfCommands[] = {"--fail-code",   "--ignore-fail-code", "--fail-regex",
                                            "--show-output", "--hide-fail-output", "--launcher"};

void refuse(const ParsedArgs& args, const std::string& option, const std::string& why) {
  if (args.has(option)) throw Error(args.display(option) + " " + why, "Leave it out.");
}

std::string key_of(const ModelCheckOption& option) {
  return "--" + std::string(option.name);
}

// Those that were given of the kind's own.
ModelCheckOptions resolve_options(const ModelCheck& kind, const ParsedArgs& args) {
  ModelCheckOptions options{.backends = args.list(option_of(kind))};
  for (const ModelCheckOption& option : kind.options) {
    const std::string key = key_of(option), name(option.name);
    if (!args.has(key)) continue;
    switch (option.type) {
      case ModelCheckOption::Type::kText:
        options.texts.set(name, args.text(key).value_or(""));
        break;
      case ModelCheckOption::Type::kNumberPerOutput:
        options.numbers.set(name, numbers_per_output(args, key));
        break;
    }
  }
  return options;
}

}  // namespace

constinit const ArgGroup args_model_checks = {
    .title = "Checks Without a Command",
    .summary =
        "Instead of --check: candidates run in child processes, with the values that their inputs "
        "have in the whole model.",
    .options = {},
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
    const bool is_its_option =
        std::any_of(kind->options.begin(), kind->options.end(),
                    [&](const ModelCheckOption& option) { return use.spelling == key_of(option); });
    // A hang is seen by nothing else.
    const bool is_limit = use.spelling == "--check-timeout";
    if (!is_check && !is_its_option && !is_limit) continue;
    text += (text.empty() ? "" : " ") + use.spelling;
    for (const std::string& value : use.values) text += " " + shell_word(value);
  }
  return text;
}

MakeCheck make_selected_check(const ModelCheck& kind, Session& session,
                              const CandidateInputs& inputs) {
  const ParsedArgs& args = session.args();
  const std::string option = option_of(kind);
  for (const std::string_view of_command : kOfCommands) {
    refuse(args, std::string(of_command),
           "is about the command of --check, but " + option + " runs none");
  }
  for (const ModelCheck* other : model_checks()) {
    if (other == &kind) continue;
    for (const ModelCheckOption& own : other->options) {
      refuse(args, key_of(own), "is for " + option_of(*other));
    }
  }
  const ModelCheckOptions options = resolve_options(kind, args);
  CheckTools tools{.program = session.env().executable,
                   .paths = resolve_plugin_paths(session.env()),
                   .inputs = inputs,
                   .timeout = check_timeout(args),
                   .learned = std::make_shared<LearnedTimeout>(kTimeoutRemedy)};
  Logger silent;
  static_cast<void>(make_model_check(kind, options, tools, silent));
  return [&kind, options, tools](Logger& log, CancelToken cancel) {
    CheckTools mine = tools;
    mine.cancel = cancel;
    return make_model_check(kind, options, mine, log);
  };
}

}  // namespace polygraphy::cli
