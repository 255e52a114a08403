// Where log messages end up: standard output, standard error for critical ones, the --log-file, and
// the record of --output-dir.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/log.h"
#include "base/os/files/descriptor.h"
#include "cli/session/environment.h"

namespace polygraphy::cli {

class MessageSink {
 public:
  explicit MessageSink(Environment& env) : env_(env) {}
  MessageSink(const MessageSink&) = delete;
  MessageSink& operator=(const MessageSink&) = delete;

  // Standard output belongs to a file from now on: all messages go to standard error.
  void leave_standard_output() { leaves_out_ = true; }

  // One finished message of the logger.
  void write(Severity severity, std::string_view text);

  // Empties or creates the file; from then on each message is appended to it in one write, without
  // colour codes. Missing folders are created. Throws IoError.
  void open_log_file(const std::string& path) { log_file_.emplace(path); }

  // The same, for all messages from INFO on and those that `log` shows. `log` has its final
  // thresholds and format; from now on it hands its messages to loggers of this object.
  void record(const std::string& path, Logger& log);

  // Whether users see messages of this kind, recorded or not.
  bool shows(const Logger& log, Severity severity, std::string_view module) const {
    return (shown_ ? *shown_ : log).enabled(severity, module);
  }

 private:
  class LogFile {
   public:
    explicit LogFile(const std::string& path);
    void append(std::string_view message);

   private:
    std::string path_;
    FileDescriptor file_;  // empty: given up
  };

  Environment& env_;
  bool leaves_out_ = false;
  std::optional<LogFile> log_file_, record_;
  std::optional<Logger> shown_, recorded_;  // of record()
};

}  // namespace polygraphy::cli
