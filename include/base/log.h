// Messages to the user: severities, thresholds per module, indentation, once-only messages. Layout
// and names are the original's. The libraries get a Logger& and never print themselves.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace polygraphy {

// Values and order are the original's.
enum class Severity : int {
  kUltraVerbose = -20,
  kSuperVerbose = -10,
  kExtraVerbose = 0,
  kVerbose = 10,
  kInfo = 20,
  kStart = 22,
  kFinish = 28,
  kWarning = 30,
  kError = 40,
  kCritical = 50,
};

enum class Once : bool { kNo, kYes };

// One logger per command run. Not thread-safe: workers hand their messages to the owner.
class Logger {
 public:
  // Receives each finished message: possibly several lines, no trailing newline, colour codes
  // included.
  using Sink = std::function<void(Severity, std::string_view)>;

  Logger() = default;  // a logger without sink drops everything
  explicit Logger(Sink sink) : sink_(std::move(sink)) {}

  void set_sink(Sink sink) { sink_ = std::move(sink); }

  // For the logger of another process: for each message that passes the thresholds, `relay`
  // receives the arguments of log() and the indentation `levels` instead of a finished text. The
  // other process logs them again.
  using Relay = std::function<void(Severity, std::string_view module, std::string_view text, Once,
                                   int levels)>;
  void set_relay(Relay relay) { relay_ = std::move(relay); }

  // Threshold for all modules, or for one `--verbosity path:level` entry. `path` is a module path
  // as the original names it ("backend/onnxrt" or "backend/onnxrt/loader.py").
  void set_severity(Severity threshold) { default_ = threshold; }
  void set_severity(std::string_view path, Severity threshold);
  Severity severity(std::string_view module) const;
  // All thresholds as (path, severity). The threshold for all modules comes first, with an empty
  // path.
  std::vector<std::pair<std::string, Severity>> thresholds() const;

  // `--log-format`.
  void set_timestamp(bool on) { timestamp_ = on; }
  void set_line_info(bool on) { line_info_ = on; }
  void set_colors(bool on) { colors_ = on; }
  bool colors() const { return colors_; }

  // True if a message of this severity and module is shown; ask before building expensive texts.
  bool enabled(Severity severity, std::string_view module) const;

  // `module` is the virtual source path of the message ("comparator/comparator.py"), to which
  // `--verbosity path:level` and `line-info` refer.
  void log(Severity severity, std::string_view module, std::string_view text,
           Once once = Once::kNo);

  void verbose(std::string_view module, std::string_view text, Once once = Once::kNo) {
    log(Severity::kVerbose, module, text, once);
  }
  void extra_verbose(std::string_view module, std::string_view text) {
    log(Severity::kExtraVerbose, module, text);
  }
  void info(std::string_view module, std::string_view text, Once once = Once::kNo) {
    log(Severity::kInfo, module, text, once);
  }
  void start(std::string_view module, std::string_view text) {
    log(Severity::kStart, module, text);
  }
  void finish(std::string_view module, std::string_view text) {
    log(Severity::kFinish, module, text);
  }
  void warning(std::string_view module, std::string_view text, Once once = Once::kNo) {
    log(Severity::kWarning, module, text, once);
  }
  void error(std::string_view module, std::string_view text, Once once = Once::kNo) {
    log(Severity::kError, module, text, once);
  }
  void critical(std::string_view module, std::string_view text) {
    log(Severity::kCritical, module, text);
  }

  // Messages inside the scope are indented `levels` more (4 spaces each).
  class Indent {
   public:
    explicit Indent(Logger& logger, int levels = 1) : logger_(logger), levels_(levels) {
      logger_.indent_ += levels_;
    }
    ~Indent() { logger_.indent_ -= levels_; }
    Indent(const Indent&) = delete;
    Indent& operator=(const Indent&) = delete;

   private:
    Logger& logger_;
    int levels_;
  };

 private:
  Sink sink_;
  Relay relay_;
  Severity default_ = Severity::kInfo;
  std::map<std::string, Severity, std::less<>> by_path_;
  std::unordered_set<std::string> seen_;
  int indent_ = 0;
  bool timestamp_ = false;
  bool line_info_ = false;
  bool colors_ = false;
};

// Forwards all messages of `quiet`, regardless of severity, to `log` as VERBOSE messages of
// `module` (a literal); while `log` does not show these, enabled() of `quiet` is false. `log` must
// outlive `quiet`.
void show_as_verbose(Logger& quiet, Logger& log, std::string_view module);

// kInfo -> "INFO".
std::string_view severity_name(Severity severity);
// "INFO" -> kInfo, any case. Returns false for an unknown name.
bool parse_severity(std::string_view name, Severity& out);

}  // namespace polygraphy
