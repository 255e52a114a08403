// The checks that need no command: options from the kinds in polygraphy/model_checks/kinds.
#include "cli/args/model_checks.h"

#include <algorithm>
#include <functional>
#include <set>

#include "base/cancel.h"
#include "base/error.h"
#include "base/shell_words.h"
#include "base/text.h"
#include "cli/args/comparison.h"
#include "cli/args/debugging.h"
#include "cli/args/engines.h"
#include "cli/session/runner_tools.h"
#include "cli/syntax/arg_group.h"
#include "polygraphy/models/loaders/model_source.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"

namespace polygraphy::cli {
namespace {

// Options about a command have no meaning without one.
constexpr std::string_view kOfCommands[] = {"--fail-code",   "--ignore-fail-code", "--fail-regex",
                                            "--show-output", "--hide-fail-output", "--launcher"};

void refuse(const ParsedArgs& args, const std::string& option, const std::string& why) {
  if (args.has(option)) throw Error(args.display(option) + " " + why, "Leave it out.");
}

std::string key_of(const ModelCheckOption& option) {
  return "--" + std::string(option.name);
}

std::vector<std::string> named_backends(const ModelCheck& kind, const ParsedArgs& args) {
  return backends_of(kind, args.list(option_of(kind)));
}

void refuse_comparisons(const ParsedArgs& args, const std::string& why) {
  for (const Occurrence& use : args.occurrences()) {
    if (is_of_output_check(args.syntax(), *use.entry))
      refuse(args, std::string(use.entry->key()), why);
  }
}

// The back end that the option belongs to; null: the option belongs to no back end.
const pgb_backend_options* backend_of(const Occurrence& use, const ParsedArgs& args) {
  return args.syntax().section_of(*use.entry).backend;
}

bool uses(const ModelCheck& kind, const ParsedArgs& args, const pgb_backend_options& backend) {
  const std::vector<std::string> names = named_backends(kind, args);
  return std::ranges::find(names, std::string_view(backend.name)) != names.end();
}

RunnerSpec spec_of(const pgb_backend_options& backend, const ParsedArgs& args,
                   const Environment& env) {
  const std::string option = library_option(backend);
  if (!option.empty() && args.count(option) > 1) {
    throw Error(option + " appears " + std::to_string(args.count(option)) +
                    " times, but a check loads only one library of a back end",
                "Give it only once.");
  }
  return resolve_backend_spec(args, env, backend);
}

// Those that were given of the kind's own, and of its back ends'.
ModelCheckOptions resolve_options(const ModelCheck& kind, const ParsedArgs& args,
                                  const Environment& env,
                                  const std::shared_ptr<UserPython>& python) {
  ModelCheckOptions options;
  if (kind.compares_outputs) options.outputs = resolve_output_check(args, env, python);
  for (const std::string& name : named_backends(kind, args)) {
    RunnerSpec& spec = options.runners.emplace_back(RunnerSpec{.backend = name});
    for (const auto& section : args.syntax().sections()) {
      if (section.backend && section.backend->name == name)
        spec = spec_of(*section.backend, args, env);
    }
  }
  for (const ModelCheckOption& option : kind.options) {
    const std::string key = key_of(option), name(option.name);
    if (args.has(key)) options.texts.set(name, args.text(key).value_or(""));
  }
  return options;
}

// An option per kind of check, and the options of each.
std::vector<Option> make_options(std::span<const pgb_backend_options* const> backends,
                                 std::deque<std::string>& texts) {
  std::string& engines = texts.emplace_back();
  for (const auto* backend : backends) {
    if (!takes_format(*backend, kOnnxFormat)) continue;
    engines += (engines.empty() ? "" : " ") + std::string(backend->name);
  }
  std::vector<Option> options;
  for (const ModelCheck* check : model_checks()) {
    const bool takes_engines = check->most_backends > 0;
    options.push_back({.spellings = texts.emplace_back(option_of(*check)),
                       .help = check->summary,
                       .arity = !takes_engines               ? Arity::kFlag
                                : check->least_backends == 0 ? Arity::kOptional
                                                             : Arity::kOneOrMore,
                       .metavar = "BACKEND",
                       .choices = takes_engines ? std::string_view(engines) : std::string_view(),
                       .origin = Origin::kOurs,
                       .exclusive = kWaysToCheck});
  }
  for (const ModelCheck* check : model_checks()) {
    for (const ModelCheckOption& option : check->options) {
      options.push_back({.spellings = texts.emplace_back(key_of(option)),
                         .help = option.help,
                         .metavar = option.metavar,
                         .origin = Origin::kOurs});
    }
  }
  return options;
}

}  // namespace

extern constinit const ArgGroup args_model_checks = {
    .title = "Checks Without a Command",
    .summary =
        "Instead of --check: candidates run in child processes, with the values that their inputs "
        "have in the whole model.",
    .options = {},
    .made_options = make_options,
    .lists_backends = true};

const ModelCheck* selected_model_check(const ParsedArgs& args) {
  for (const ModelCheck* kind : model_checks()) {
    const std::string option = option_of(*kind);
    if (args.syntax().find(option) && args.has(option)) return kind;
  }
  return nullptr;
}

bool check_reads_links(const ParsedArgs& args) {
  const ModelCheck* kind = selected_model_check(args);
  return !kind || std::ranges::none_of(args.syntax().sections(), [&](const auto& section) {
    return section.backend && runs_in_python(*section.backend) &&
           uses(*kind, args, *section.backend);
  });
}

std::vector<std::string> model_check_keys(const ParsedArgs& args) {
  std::vector<std::string> keys;
  const ModelCheck* kind = selected_model_check(args);
  if (!kind) return keys;
  keys.push_back(option_of(*kind));
  for (const ModelCheckOption& option : kind->options) keys.push_back(key_of(option));
  for (const Syntax::Entry& entry : args.syntax().entries()) {
    const pgb_backend_options* backend = args.syntax().section_of(entry).backend;
    const bool of_backend = backend && uses(*kind, args, *backend);
    const bool of_outputs = kind->compares_outputs && is_of_output_check(args.syntax(), entry);
    if (of_backend || of_outputs) keys.emplace_back(entry.key());
  }
  return keys;
}

std::string model_check_words(const ParsedArgs& args) {
  const ModelCheck* kind = selected_model_check(args);
  if (!kind) return {};
  const std::vector<std::string> list = model_check_keys(args);
  const std::set<std::string, std::less<>> keys(list.begin(), list.end());
  std::string text;
  for (const Occurrence& use : args.occurrences()) {
    // A hang is seen by nothing else.
    if (!keys.contains(use.entry->key()) && use.entry->key() != "--check-timeout") continue;
    text += (text.empty() ? "" : " ") + std::string(use.entry->key());
    for (const std::string& value : use.values) text += " " + shell_word(value);
  }
  return text;
}

std::string runner_words(const ParsedArgs& args) {
  const ModelCheck* kind = selected_model_check(args);
  if (!kind) return {};
  std::string text;
  const auto add = [&](std::string_view word) {
    text.append(text.empty() ? "" : " ").append(word);
  };
  std::set<const pgb_backend_options*> known;
  const auto& sections = args.syntax().sections();
  for (const std::string& name : named_backends(*kind, args)) {
    for (const auto& section : sections) {
      if (!section.backend || section.backend->name != name) continue;
      if (!known.insert(section.backend).second) continue;
      add(split(section.backend->flags, ' ').front());
    }
  }
  for (const Occurrence& use : args.occurrences()) {
    if (!known.contains(backend_of(use, args))) continue;
    add(use.entry->key());
    for (const std::string& value : use.values) add(shell_word(value));
  }
  // `run` looks for NaNs only with an option.
  if (!text.empty() && args.syntax().find("--check-nan") && args.has("--check-nan"))
    add("--validate");
  return text;
}

void refuse_options_of_checks(const ParsedArgs& args) {
  // Elsewhere they are about something else than the checks.
  const auto kinds = model_checks();
  if (std::none_of(kinds.begin(), kinds.end(),
                   [&](const ModelCheck* kind) { return args.syntax().find(option_of(*kind)); }))
    return;
  refuse_comparisons(args, "is for checks without a command: --check-run");
  for (const Occurrence& use : args.occurrences()) {
    if (!backend_of(use, args)) continue;
    throw Error(use.spelling + " is for checks without a command, such as --check-run",
                "Add it to the command of the check.");
  }
}

MakeCheck make_selected_check(const ModelCheck& kind, Session& session,
                              const CandidateInputs& inputs) {
  const ParsedArgs& args = session.args();
  const std::string option = option_of(kind);
  for (const std::string_view of_command : kOfCommands) {
    refuse(args, std::string(of_command),
           "applies to the command of --check, but " + option + " runs no command");
  }
  for (const ModelCheck* other : model_checks()) {
    if (other == &kind) continue;
    for (const ModelCheckOption& own : other->options) {
      refuse(args, key_of(own), "is for " + option_of(*other));
    }
  }
  if (!kind.compares_outputs) {
    refuse_comparisons(args, "compares outputs, but " + option + " compares none");
  }
  for (const Occurrence& use : args.occurrences()) {
    const pgb_backend_options* backend = backend_of(use, args);
    if (!backend || uses(kind, args, *backend)) continue;
    throw Error(use.spelling + " is for the back end " + backend->name + ", but " + option +
                    " does not use that back end",
                "Leave it out, or add the back end to the check.");
  }
  const RunnerTools runners = resolve_runner_tools(session);
  const ModelCheckOptions options = resolve_options(kind, args, session.env(), runners.python);
  CheckTools tools{.runners = runners,
                   .inputs = inputs,
                   .timeout = check_timeout(args),
                   .learned = std::make_shared<LearnedTimeout>(kTimeoutRemedy)};
  Logger silent;
  static_cast<void>(make_model_check(kind, options, tools, silent));
  return [&kind, options, tools](Logger& log, CancelToken cancel) {
    CheckTools mine = tools;
    mine.runners.cancel = cancel;
    return make_model_check(kind, options, mine, log);
  };
}

}  // namespace polygraphy::cli
