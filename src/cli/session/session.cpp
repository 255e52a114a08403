#include "cli/session/session.h"

#include <fmt/format.h>

#include "base/arrays/py_repr.h"
#include "base/log_modules.h"
#include "base/text.h"
#include "base/version.h"

namespace polygraphy::cli {

Session::Session(Environment& env, const ParsedArgs& args, Logger& log,
                 std::vector<std::string> words, double started)
    : env_(env),
      args_(args),
      log_(log),
      words_(std::move(words)),
      command_line_(join(std::span<const std::string>(words_), " ")),
      started_(started) {}

void Session::introduce() {
  log_.verbose(log_modules::kTool,
               "Loaded Module: polygraphy | Version: " + std::string(kCompatibleVersion) +
                   " | Path: " + package_path(env_));
}

// The log of a task has its reason for failing near its end.
void Session::announce() {
  if (env_.is_task) return;
  announced_ = true;
  log_.start(log_modules::kMain, "RUNNING | Command: " + command_line_);
  introduce();
}

void Session::finish(End end) {
  if (!announced_) return;
  const bool passed = end == End::kPassed, submitted = end == End::kNoVerdict;
  const std::string text = fmt::format("{} | Runtime: {:.3f}s | Command: {}",
                                       passed      ? "PASSED"
                                       : submitted ? "SUBMITTED, no verdict yet"
                                                   : "FAILED",
                                       env_.clock() - started_, command_line_);
  const Severity severity = passed      ? Severity::kFinish
                            : submitted ? Severity::kInfo
                                        : Severity::kError;
  log_.log(severity, log_modules::kMain, text);
}

std::string package_path(const Environment& env) {
  const std::string folder = env.executable.substr(0, env.executable.rfind('/'));
  return py_list_repr(std::vector<std::string>{folder});
}

}  // namespace polygraphy::cli
