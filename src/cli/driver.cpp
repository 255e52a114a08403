#include "cli/driver.h"

#include <algorithm>
#include <memory>
#include <new>
#include <optional>

#include "base/arrays/py_repr.h"
#include "base/error.h"
#include "base/log.h"
#include "base/log_modules.h"
#include "base/os/system_error.h"
#include "base/text.h"
#include "base/version.h"
#include "cli/args/backend_path.h"
#include "cli/args/logging.h"
#include "cli/command_list.h"
#include "cli/completions/completions.h"
#include "cli/distribution/task_versions.h"
#include "cli/jobs/file_check.h"
#include "cli/jobs/option_warnings.h"
#include "cli/jobs/sandbox.h"
#include "cli/remedies.h"
#include "cli/session/command_progress.h"
#include "cli/session/extended_run.h"
#include "cli/session/installed_backends.h"
#include "cli/session/message_sink.h"
#include "cli/session/plugin_paths.h"
#include "cli/session/python_environments.h"
#include "cli/session/session.h"
#include "cli/syntax/command.h"
#include "cli/syntax/exit_codes.h"
#include "cli/syntax/help.h"
#include "cli/syntax/job.h"
#include "cli/syntax/parser.h"
#include "polygraphy/comparison/compare/validate.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"
#include "polygraphy/runtimes/backend/backend_status.h"
#include "polygraphy/runtimes/worker/worker_client.h"
#include "tasks/run_task.h"

namespace polygraphy::cli {
namespace {

const Command* find_command(std::string_view path) {
  for (const Command* command : commands()) {
    if (command->path == path) return command;
  }
  return nullptr;
}

// Another machine may have the engine, or the right one, or memory for it.
bool is_of_machine(const Error& error) {
  return error.code() == kNotAvailable || error.code() == kOtherVersion || is_killed(error);
}

// The parsers from the executable down to a leaf, and what each of them took.
struct Parsed {
  const Command* command = nullptr;  // null: the executable itself
  std::unique_ptr<Syntax> syntax;
  std::unique_ptr<ParsedArgs> args;
};

class Driver {
 public:
  Driver(Environment& env, const std::vector<std::string>& argv)
      : env_(env), argv_(argv), started_(env.clock()), sink_(env) {
    log_.set_sink(
        [this](Severity severity, std::string_view text) { sink_.write(severity, text); });
  }

  int run() {
    try {
      const int code = dispatch();
      // Of a task, the file that it writes has the verdict.
      return env_.is_task && code == kDiffers ? kAgrees : code;
    } catch (const UsageError& error) {
      report(error);
      return env_.is_task ? static_cast<int>(TaskOutcome::kNever) : kUsage;
    } catch (const Interrupted&) {
      log_.critical(log_modules::kMain, "Interrupted");
      return env_.is_task ? static_cast<int>(TaskOutcome::kElsewhere) : kInterrupted;
    } catch (const IoError& error) {
      return failed(error, TaskOutcome::kElsewhere);
    } catch (const Error& error) {
      return failed(error, is_of_machine(error) ? TaskOutcome::kElsewhere : TaskOutcome::kNever);
    } catch (const std::bad_alloc&) {
      return failed(Error("not enough memory"), TaskOutcome::kElsewhere);
    } catch (const std::exception& error) {
      return failed(Error(std::string("internal error: ") + error.what()), TaskOutcome::kNever);
    }
  }

 private:
  int dispatch() {
    levels_ = parse_levels();
    const Parsed& leaf = levels_.back();
    if (leaf.args->wants_help()) {
      const bool brief =
          leaf.command && leaf.command->run && leaf.args->occurrences().back().spelling == "-h";
      env_.out.write(as_called(
          env_.executable, help_text(*leaf.syntax, leaf.command, env_.columns, hidden_in_help(leaf),
                                     brief ? HelpForm::kBrief : HelpForm::kWhole)));
      if (is_extensible(leaf) && !brief) env_.out.write(run_extensions(env_).help);
      return kAgrees;
    }
    if (leaf.args->wants_version()) {
      env_.out.write("Polygraphy | Version: " + std::string(kCompatibleVersion) + " | Path: " +
                     package_path(env_) + " (native " + std::string(kVersion) + ")\n");
      return kAgrees;
    }
    if (answers_itself(*leaf.args)) {
      const auto wanted = leaf.args->text("--generate");
      env_.out.write(wanted ? generate(*wanted) : python_packages(env_) + "\n");
      return kAgrees;
    }
    if (refuse_unrecognized()) {
      const bool ours = leaf.command && leaf.command->failure != kOriginalFailure;
      return ours || env_.variable(kDistinctCodes) == "distinct" ? kUsage : kOriginalFailure;
    }
    const ParsedArgs* outer = levels_.size() > 2 ? levels_[levels_.size() - 2].args.get() : nullptr;
    if (leaf.args->has("--print-job") || (outer && outer->has("--print-job"))) {
      env_.out.write(job_json(job_of(*leaf.args, leaf.command->path)));
      return kAgrees;
    }
    confine();
    attend_to_files();
    apply_logging(*leaf.args, outer, env_, sink_, log_);
    if (!sandbox_.lacks.empty()) log_.warning(log_modules::kMain, sandbox_.lacks);
    warn_of_unusable_plugins();
    check_needed_options(*leaf.args, log_);
    session_.emplace(env_, *leaf.args, log_, argv_, started_);
    if (!leaf.command->announces) session_->introduce();
    warn_of_removed_options(*leaf.args, log_);
    const CommandProgress progress(env_, form_of_progress());
    const int code = leaf.command->run(*session_);
    session_->finish(code == kAgrees      ? Session::End::kPassed
                     : code == kSubmitted ? Session::End::kNoVerdict
                                          : Session::End::kFailed);
    return code;
  }

  // Quiet commands have a line on the terminal, but none in a log; tasks and silent ones neither.
  ProgressForm form_of_progress() const {
    if (levels_.back().args->text("--progress") == "json") return ProgressForm::kJson;
    const auto shows = [&](Severity severity) {
      return sink_.shows(log_, severity, log_modules::kMain);
    };
    if (!shows(Severity::kError)) return ProgressForm::kNone;
    return shows(Severity::kInfo) && !env_.is_task ? ProgressForm::kLog : ProgressForm::kLine;
  }

  // Options of the executable that need no command.
  static bool answers_itself(const ParsedArgs& args) {
    return args.syntax().find("--generate") &&
           (args.has("--generate") || args.has("--python-path"));
  }

  // Options of runtimes that are not installed, but for --help-all. Other commands do not read the
  // folders of plugins.
  HidesBackend hidden_in_help(const Parsed& level) const {
    if (!level.command || !takes_backends(*level.command) || level.args->has("--help-all"))
      return {};
    return [installed = InstalledBackends(env_)](const pgb_backend_options& backend) {
      return !installed.may_have(backend);
    };
  }

  // Stops at a leaf, or at an option for help or the version.
  std::vector<Parsed> parse_levels() {
    std::vector<Parsed> levels;
    std::vector<std::string> rest(argv_.begin() + (argv_.empty() ? 0 : 1), argv_.end());
    if (!rest.empty() && rest.front() == "help") {  // help run: run --help
      rest.erase(rest.begin());
      rest.emplace_back("--help");
    }
    while (true) {
      Parsed& level = levels.emplace_back();
      if (levels.size() > 1) {
        const Command* parent = levels[levels.size() - 2].command;
        level.command =
            find_command(parent ? std::string(parent->path) + " " + rest.front() : rest.front());
        rest.erase(rest.begin());
        level.syntax = syntax_of(*level.command, rest);
      } else {
        level.syntax = root_syntax();
      }
      level.args = std::make_unique<ParsedArgs>(parse_args(*level.syntax, rest));
      if (level.args->wants_help() || level.args->wants_version() || answers_itself(*level.args))
        return levels;
      if (level.command && level.command->run) return levels;
      rest = level.args->list(level.syntax->positional()->key());
    }
  }

  // The folders of back ends are read for commands that take their options only, and where `rest`
  // names some.
  std::unique_ptr<Syntax> syntax_of(const Command& command, std::span<const std::string> rest) {
    if (may_name_backends(rest)) {
      const auto syntax = cli::syntax_of(command, backend_option_tables());
      env_.backend_paths = named_backends(*syntax, rest, env_);
    }
    if (!env_.backend_paths.empty() && !catalog_) {
      catalog_.emplace(plugin_folders(env_));
      check_named_backends(env_, *catalog_);
    }
    if (!takes_backends(command)) return cli::syntax_of(command, {});
    if (!catalog_) catalog_.emplace(plugin_folders(env_));
    return cli::syntax_of(command, catalog_->tables());
  }

  // From the executable down to the command.
  std::vector<const ParsedArgs*> parsed_args() const {
    std::vector<const ParsedArgs*> levels;
    for (const Parsed& level : levels_) levels.push_back(level.args.get());
    return levels;
  }

  void attend_to_files() {
    const std::vector<const ParsedArgs*> levels = parsed_args();
    read_.emplace(check_files(levels, env_));
    const Command* command = levels_.back().command;
    if (takes_standard_output(levels) || (command && command->speaks_protocol))
      sink_.leave_standard_output();
  }

  // Once the command line has been understood, before a file of others is opened. Tests run
  // commands in their own process.
  void confine() {
    if (!env_.process_ends || env_.stays_open) return;
    if (auto limits =
            confinement_of(parsed_args(), *levels_.back().command, env_, backend_option_tables()))
      sandbox_ = enter_sandbox(*std::move(limits));
  }

  void warn_of_unusable_plugins() {
    if (!catalog_) return;
    for (const UnusablePlugin& plugin : catalog_->unusable()) {
      log_.warning(log_modules::kPluginHost, "Back end " + plugin.name + " cannot be used: " +
                                                 plugin.reason + "\n" + plugin.remedy);
    }
  }

  bool is_extensible(const Parsed& level) const {
    return level.command && level.command->extensible && env_.process_ends;
  }

  // Words that packages know, and what stands behind them.
  static void drop_known(const std::vector<std::string>& options, std::vector<std::string>& words) {
    bool known = false;
    std::erase_if(words, [&](const std::string& word) {
      if (!word.starts_with("-")) return known;
      const std::string spelling = word.substr(0, word.find('='));
      known = std::ranges::any_of(options, [&](const std::string& option) {
        return option == spelling || (spelling.size() > 2 && option.starts_with(spelling));
      });
      return known;
    });
  }

  // The given options that the original lacks.
  static std::vector<std::string> options_of_ours(const ParsedArgs& args) {
    std::vector<std::string> ours;
    for (const Occurrence& occurrence : args.occurrences()) {
      if (occurrence.entry->option->origin == Origin::kOurs) ours.push_back(occurrence.spelling);
    }
    return ours;
  }

  // Of a model that no runner takes.
  static std::string place_of_model(const std::string& path, const ParsedArgs& args) {
    std::string_view flag = "--onnxrt";
    for (const Occurrence& occurrence : args.occurrences()) {
      if (occurrence.entry->runner) flag = occurrence.entry->key();
    }
    return "No runner takes '" + path +
           "'. A second model stands directly behind the flag of its runner: " + std::string(flag) +
           " " + path;
  }

  // Of an option that few other commands have, which are those.
  static std::string option_of_others(std::string_view typed) {
    constexpr size_t kMost = 3;
    typed = typed.substr(0, typed.find('='));
    std::vector<std::string> owners;
    for (const Command* command : commands()) {
      if (!command->run) continue;
      const auto syntax = cli::syntax_of(*command, {});
      const Syntax::Entry* entry = syntax->find(typed);
      if (entry && is_listed(*entry)) owners.push_back("`" + syntax->prog() + "`");
    }
    if (owners.empty() || owners.size() > kMost) return {};
    return "'" + std::string(typed) + "' is an option of " +
           join(std::span<const std::string>(owners), ", ");
  }

  // Unknown options and surplus arguments, the outermost parser's first.
  bool refuse_unrecognized() {
    std::vector<std::string> unrecognized;
    for (const auto& level : levels_) {
      const auto& some = level.args->unrecognized();
      unrecognized.insert(unrecognized.end(), some.begin(), some.end());
    }
    if (unrecognized.empty()) return false;
    const Command* command = levels_.back().command;
    std::string of_packages;
    RunExtensions extensions;
    if (is_extensible(levels_.back())) {
      extensions = run_extensions(env_);
      std::vector<std::string> unknown = unrecognized;
      drop_known(extensions.options, unknown);
      if (unknown.empty())
        of_packages = become_extended_run(env_, argv_, options_of_ours(*levels_.back().args));
      else
        unrecognized = std::move(unknown);
    }
    warn_of_unusable_plugins();
    std::string text = "Unrecognized Options: " + py_list_repr(unrecognized);
    bool value = false;  // what follows may be one of an unknown option
    for (const auto& option : unrecognized) {
      std::string meant;
      if (option.starts_with("-")) {
        meant = option_of_others(option);
        if (meant.empty())
          meant = suggest_option(*levels_.back().syntax, option, extensions.options);
        value = true;
      } else if (command && command->runners_take_models && !value) {
        meant = place_of_model(option, *levels_.back().args);
      }
      if (!meant.empty()) text += "\n" + as_called(env_.executable, meant);
    }
    if (!of_packages.empty()) text += "\n" + of_packages;
    log_.error(log_modules::kMain, text);
    return true;
  }

  void report(const UsageError& error) {
    env_.out.flush();
    const Command* command = nullptr;
    if (error.prog() != "polygraphy")
      command = find_command(std::string_view(error.prog()).substr(11));
    const auto syntax = command ? syntax_of(*command, {}) : root_syntax();
    env_.err.write(as_called(
        env_.executable, usage_text(*syntax) + error.prog() + ": error: " + error.what() + "\n"));
  }

  int failed(const Error& error, TaskOutcome of_task) {
    critical(error);
    if (session_) session_->finish(Session::End::kFailed);
    if (env_.is_task) return static_cast<int>(of_task);
    // The original lacks `task merge`, whichever command it goes on with.
    if (env_.variable(kDistinctCodes) == "distinct" || !env_.merged_tasks.empty())
      return error.code() == kInvalidOutputs ? kDiffers : kCouldNotRun;
    return levels_.empty() || !levels_.back().command ? kOriginalFailure
                                                      : levels_.back().command->failure;
  }

  void critical(const Error& error) {
    const ParsedArgs* args = levels_.empty() ? nullptr : levels_.back().args.get();
    std::string what_to_do = as_called(env_.executable, advice(error, args));
    const std::string of_sandbox = sandbox_hint(error.what());
    if (what_to_do.find("--allow-") == std::string::npos && !of_sandbox.empty())
      what_to_do += (what_to_do.empty() ? "" : "\n") + of_sandbox;
    log_.critical(log_modules::kMain,
                  message(error, args) + (what_to_do.empty() ? "" : "\n" + what_to_do));
  }

  Environment& env_;
  const std::vector<std::string>& argv_;
  double started_;
  MessageSink sink_;
  Logger log_;
  std::optional<BackendCatalog> catalog_;
  Sandbox sandbox_;
  std::vector<Parsed> levels_;
  std::optional<Session> session_;  // once a command runs
  std::optional<ProtectedFiles> read_;
};

}  // namespace

int run_command_line(Environment& env, const std::vector<std::string>& argv) {
  int code = kOriginalFailure;
  try {
    code = Driver(env, argv).run();
    env.out.flush();
    env.err.flush();
  } catch (const std::exception& error) {
    // Standard output cannot be written to, or there was no memory for a message.
    const bool is_memory = dynamic_cast<const std::bad_alloc*>(&error) != nullptr;
    try {
      // Text by text, which takes no memory.
      for (const std::string_view text :
           {"[!] ", is_memory ? "not enough memory" : error.what(), "\n"})
        env.err.write(text);
      env.err.flush();
    } catch (const std::exception&) {
      // Neither can be.
    }
    if (env.is_task) return static_cast<int>(TaskOutcome::kElsewhere);
    return env.variable(kDistinctCodes) == "distinct" ? kCouldNotRun : kOriginalFailure;
  }
  return code;
}

}  // namespace polygraphy::cli
