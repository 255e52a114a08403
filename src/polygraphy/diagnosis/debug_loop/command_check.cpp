#include "polygraphy/diagnosis/debug_loop/command_check.h"

#include <algorithm>
#include <filesystem>

#include "base/arrays/py_repr.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/log_modules.h"
#include "base/os/child_process.h"
#include "base/os/file_text.h"
#include "base/shell_words.h"
#include "base/text.h"
#include "polygraphy/diagnosis/debug_loop/failure_signature.h"

namespace polygraphy {
namespace {

using log_modules::kIterativeDebug;

constexpr size_t kMostOutput = size_t{16} << 20;  // of each stream of each check

constexpr std::string_view kModelWord = "{model}", kModelVariable = "POLYGRAPHY_DEBUG_MODEL";

bool is_shell_text(const std::vector<std::string>& command) {
  return command.size() == 3 && command[0] == "sh" && command[1] == "-c";
}

// The words of a command that may be programs and scripts, and those of a shell's text.
std::vector<std::string> words_in(const std::vector<std::string>& command) {
  std::vector<std::string> words = command;
  if (!is_shell_text(command)) return words;
  const std::string& text = command.back();
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find_first_of(" \t\n;|&()<>\"'`$", begin), text.size());
    if (end > begin) words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

std::vector<std::string> with_model(const std::vector<std::string>& command,
                                    const std::string& artifact) {
  std::vector<std::string> words = command;
  if (artifact.empty()) return words;
  const std::string path = is_shell_text(command) ? shell_word(artifact) : artifact;
  for (std::string& word : words) word = replace_all(word, kModelWord, path);
  return words;
}

// Has the command `polygraphy` start `program`.
void start_with(const std::string& program, std::vector<std::string>& command) {
  constexpr std::string_view kName = "polygraphy";
  if (program.empty()) return;
  if (command.front() == kName) command.front() = program;
  if (is_shell_text(command) && std::ranges::count(words_in(command), kName) > 0) {
    command.back() =
        std::string(kName) + "() { " + shell_word(program) + " \"$@\"; }\n" + command.back();
  }
}

// The text of a script; empty for programs, and for unreadable files.
std::string script_text(const std::string& path) {
  constexpr uintmax_t kMost = 1 << 20;
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return {};
  if (std::filesystem::file_size(path, error) > kMost || error) return {};
  try {
    std::string text = read_text(path);
    return text.find('\0') == std::string::npos ? text : std::string();
  } catch (const IoError&) {
    return {};
  }
}

class CommandCheck : public Check {
 public:
  CommandCheck(CommandCheckOptions options, Logger& log, CancelToken cancel)
      : options_(std::move(options)), log_(log), cancel_(cancel) {
    if (!options_.learned) options_.learned = std::make_shared<LearnedTimeout>();
  }

  CheckResult run(const std::string& artifact) override {
    // As the user typed it: the log of checks side by side is the same as of one after the other.
    log_.info(kIterativeDebug, "Running check command: " +
                                   join(std::span<const std::string>(options_.command), " "));
    ChildOptions child;
    child.argv = options_.launcher;
    std::vector<std::string> words = with_model(options_.command, artifact);
    start_with(options_.polygraphy, words);
    for (std::string& word : words) child.argv.push_back(std::move(word));
    if (!artifact.empty()) child.environment = {{std::string(kModelVariable), artifact}};
    // Candidates fail by purpose: they write nothing beside the change that CI checks.
    for (const char* of_ci : {"GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY"})
      child.environment.emplace_back(of_ci, "");
    child.in = ChildStream::inherit();
    child.out = child.err = ChildStream::capture(kMostOutput, ChildStream::Keep::kLast);
    ChildProcess process(child);
    const std::optional<ExitStatus> ended = finish(process);
    if (!ended) return took_too_long(process, *limit());
    const std::string &out = process.out().text, &err = process.err().text;
    const ExitStatus status =
        options_.launched_status ? options_.launched_status(*ended, err) : *ended;
    CheckResult verdict;
    verdict.passed =
        options_.rules.passes(status, options_.rules.patterns.empty() ? "" : out + err);
    if (!verdict.passed) verdict.signature = failure_signature(status, out, err);
    if (options_.show_output || (!verdict.passed && !options_.hide_fail_output)) {
      show("STDOUT", process.out(), Severity::kInfo);
      show("STDERR", process.err(), verdict.passed ? Severity::kWarning : Severity::kError);
    }
    if (status.signal && !verdict.passed) {
      log_.error(kIterativeDebug, "The check command " + to_text(status));
    }
    return verdict;
  }

 private:
  std::optional<double> limit() const {
    return options_.timeout ? options_.timeout : options_.learned->seconds();
  }

  // A launcher has time to end what it runs elsewhere.
  std::optional<ExitStatus> finish(ChildProcess& process) {
    try {
      return wait(process);
    } catch (const Interrupted&) {
      if (!options_.launcher.empty()) process.kill();
      throw;
    }
  }

  // nullopt: it has taken too long. The limit may become known meanwhile, by another check.
  std::optional<ExitStatus> wait(ChildProcess& process) {
    constexpr double kSlice = 1;
    const double started = seconds_now();
    while (true) {
      const std::optional<double> most = limit();
      const auto ended =
          process.wait(most ? std::max(0.0, started + *most - seconds_now()) : kSlice, cancel_);
      if (!ended && !most) continue;
      if (ended && !most) options_.learned->learn(seconds_now() - started);
      return ended;
    }
  }

  CheckResult took_too_long(ChildProcess& process, double limit) {
    process.kill();
    if (!options_.hide_fail_output) {
      show("STDOUT", process.out(), Severity::kInfo);
      show("STDERR", process.err(), Severity::kError);
    }
    log_.error(
        kIterativeDebug,
        "The check command was killed: it took longer than " + format_g(limit, 3) + " s" +
            (options_.timeout ? "." : ", ten times the first check." + options_.learned->remedy()));
    return {.passed = false, .signature = "took too long"};
  }

  void show(std::string_view stream, const Captured& captured, Severity severity) {
    std::string text = "========== CAPTURED " + std::string(stream) + " ==========";
    if (captured.dropped > 0) {
      text += "\n(" + std::to_string(captured.dropped) + " bytes before this were dropped)";
    }
    const std::string_view printed = strip(captured.text);
    if (!printed.empty()) text.append("\n").append(printed);
    log_.log(severity, kIterativeDebug, text);
  }

  CommandCheckOptions options_;
  Logger& log_;
  CancelToken cancel_;
};

}  // namespace

bool names_one_file_only(const std::vector<std::string>& command, const std::string& artifact) {
  const std::string name = std::filesystem::path(artifact).filename().string();
  bool names_it = false;
  for (const std::string& word : words_in(command)) {
    for (const std::string& text : {word, script_text(word)}) {
      if (text.find(kModelVariable) != std::string::npos) return false;
      names_it |= text.find(name) != std::string::npos;
    }
    if (word.find(kModelWord) != std::string::npos) return false;
  }
  return names_it;
}

std::unique_ptr<Check> command_check(CommandCheckOptions options, Logger& log, CancelToken cancel) {
  return std::make_unique<CommandCheck>(std::move(options), log, cancel);
}

}  // namespace polygraphy
