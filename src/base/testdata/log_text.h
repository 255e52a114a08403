// For tests: a log that collects its messages in one text.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "base/log.h"

namespace polygraphy {

class LogText {
 public:
  explicit LogText(Severity threshold = Severity::kInfo) { log_.set_severity(threshold); }
  Logger& log() { return log_; }

  // All messages since the last call, with their prefixes ("[W] …"), a line break after each.
  std::string take() { return std::exchange(text_, {}); }
  bool has(std::string_view part) const { return text_.find(part) != std::string::npos; }

 private:
  std::string text_;
  Logger log_{[this](Severity, std::string_view message) { text_.append(message) += '\n'; }};
};

}  // namespace polygraphy
