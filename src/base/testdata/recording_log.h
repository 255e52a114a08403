// For tests: a log that remembers, message by message.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/log.h"

namespace polygraphy {

// A Logger and its messages, each with its prefix ("[W] …").
class RecordingLog {
 public:
  explicit RecordingLog(Severity threshold = Severity::kInfo) {
    log_.set_sink([this](Severity, std::string_view text) { messages_.emplace_back(text); });
    log_.set_severity(threshold);
  }
  Logger& log() { return log_; }
  const std::vector<std::string>& messages() const { return messages_; }
  bool has(std::string_view text) const {
    for (const std::string& message : messages_) {
      if (message.find(text) != std::string::npos) return true;
    }
    return false;
  }

 private:
  Logger log_;
  std::vector<std::string> messages_;
};

}  // namespace polygraphy
