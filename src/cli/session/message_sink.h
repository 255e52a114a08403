// Where log messages end up: standard output, standard error for critical ones, and the --log-file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/log.h"
#include "cli/session/environment.h"

namespace polygraphy::cli {

class MessageSink {
 public:
  explicit MessageSink(Environment& env) : env_(env) {}
  ~MessageSink();
  MessageSink(const MessageSink&) = delete;
  MessageSink& operator=(const MessageSink&) = delete;

  // Standard output belongs to a file from now on: all messages go to standard error.
  void leave_standard_output() { leaves_out_ = true; }

  // One finished message of the logger.
  void write(Severity severity, std::string_view text);

  // Empties or creates the file; from then on each message is appended to it in one write, without
  // colour codes. There may be several. Missing folders are created. Throws IoError.
  void open_log_file(const std::string& path);

 private:
  struct LogFile {
    std::string path;
    int descriptor;  // -1: given up
  };
  static void append(LogFile& file, std::string_view text);

  Environment& env_;
  bool leaves_out_ = false;
  std::vector<LogFile> log_files_;
};

}  // namespace polygraphy::cli
