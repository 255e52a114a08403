// The environment, options, log and models of one running command.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/log.h"
#include "cli/session/environment.h"

namespace polygraphy::cli {

class ParsedArgs;  // cli/syntax/parser.h

class Session {
 public:
  Session(Environment& env, const ParsedArgs& args, Logger& log, std::vector<std::string> words,
          double started);

  Environment& env() { return env_; }
  const ParsedArgs& args() const { return args_; }
  Logger& log() { return log_; }
  // The command line, with the program: its words, and the words with blanks between them.
  const std::vector<std::string>& words() const { return words_; }
  const std::string& command_line() const { return command_line_; }

  // Takes an object that the command has no more use for. Where the process ends with the command,
  // the system takes its memory back faster than destructors give it back.
  template <typename T>
  void discard(std::unique_ptr<T> object) {
    if (env_.process_ends) static_cast<void>(object.release());
  }

  // Keeps an object until the command ends.
  void keep(std::shared_ptr<const void> object) { kept_.push_back(std::move(object)); }

  // VERBOSE: which version this is, and from where.
  void introduce();
  // The RUNNING line and introduce(): a command that runs models says it once its
  // options are understood. The driver answers with finish() when the command returns or throws.
  void announce();
  // The PASSED or FAILED line; nothing without announce().
  enum class End { kPassed, kFailed, kNoVerdict };
  void finish(End end);

 private:
  Environment& env_;
  const ParsedArgs& args_;
  Logger& log_;
  std::vector<std::string> words_;
  std::string command_line_;
  double started_;
  bool announced_ = false;
  std::vector<std::shared_ptr<const void>> kept_;
};

// "['/folder/of/the/executable']", the original's package path.
std::string package_path(const Environment& env);

}  // namespace polygraphy::cli
