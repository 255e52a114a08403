// The user's Python, which runs their scripts in a separate process. Python is not linked; the
// process receives the program in program/ when it starts.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/cancel.h"
#include "base/error.h"
#include "base/log.h"
#include "polygraphy/data/user_python/channel.h"

namespace polygraphy {

struct PythonOptions {
  std::string program = "python3";  // a path, or a name that is searched in PATH
  std::string chosen_by;            // in messages: the environment variable that named it, if any
  // Receive what scripts print. May be empty.
  std::function<void(std::string_view)> out, err;
  CancelToken cancel = {};  // once cancelled, the running call is abandoned
};

// The user's Python has no numpy, which scripts need.
inline constexpr ErrorCode kNoNumpy{"no-numpy"};

// One process for all scripts of a command, started when first needed. Not thread-safe.
class UserPython {
 public:
  // Answers the requests of running scripts; `ask` in the message's header names the request.
  using Answer = std::function<PythonMessage(const PythonMessage&)>;

  UserPython(PythonOptions options, Logger& log);
  // Ends Python in good order, so that exit handlers of scripts run; kills it after some seconds.
  ~UserPython();

  // Before the first call(). Exceptions thrown by `answer` reach the script.
  void answer(std::string ask, Answer answer) { answers_.set(std::move(ask), std::move(answer)); }
  // Supplies the classes of results that scripts may return, by name (`results` of bridge.py);
  // called when Python starts.
  void set_result_classes(std::function<JsonValue()> classes) {
    result_classes_ = std::move(classes);
  }

  // Seconds for a call of a function; nullopt: no limit.
  void set_timeout(std::optional<double> seconds) { timeout_ = seconds; }

  // Runs the operation `op` of bridge.py. `doing` describes the call in messages about the end of
  // the process: "Script a.py: f()". Throws Error when there is no Python or it lacks numpy, with
  // the script's own traceback as hint when the script fails, and when it takes longer than the
  // timeout; Interrupted.
  PythonMessage call(std::string_view op, PythonMessage request, const std::string& doing);

  // While this lives, the running call is abandoned once `abandoned`, unless it is null, says so.
  class Watch {
   public:
    Watch(UserPython& python, std::function<bool()> abandoned) : python_(python) {
      python_.abandoned_ = std::move(abandoned);
    }
    ~Watch() { python_.abandoned_ = nullptr; }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

   private:
    UserPython& python_;
  };

  Logger& log() { return log_; }

 private:
  void start();
  bool time_is_up() const;
  PythonMessage respond(const PythonMessage& question);
  void log_message(const JsonValue& message);

  PythonOptions options_;
  Logger& log_;
  OrderedMap<Answer> answers_;
  std::function<JsonValue()> result_classes_;
  std::function<bool()> abandoned_;  // of a Watch
  std::optional<double> timeout_;
  std::optional<double> deadline_;  // of the running call
  std::unique_ptr<PythonChannel> channel_;
};

// A function, class or object of a script: "FILE[:NAME]".
struct ScriptSymbol {
  std::string path;
  std::string name;
};

// The part after the last ':' is the name; `fallback` without a ':'. Throws Error for an empty
// path.
ScriptSymbol parse_script_symbol(std::string_view text, std::string_view fallback);

// Checks the file before Python starts, which may lack numpy. Throws IoError if the file cannot be
// read.
void require_script(const ScriptSymbol& symbol);

// A symbol that was found in its script.
class ScriptFunction {
 public:
  // Runs the script, unless another symbol of it was loaded before. Throws Error if the symbol is
  // missing.
  ScriptFunction(std::shared_ptr<UserPython> python, ScriptSymbol symbol);

  PythonMessage call(std::string_view op, PythonMessage request) const;
  const ScriptSymbol& symbol() const { return symbol_; }
  // The same script's other object, which a call returned: its number.
  ScriptFunction object(int64_t id) const;

 private:
  std::shared_ptr<UserPython> python_;
  ScriptSymbol symbol_;
  int64_t id_ = 0;
};

}  // namespace polygraphy
