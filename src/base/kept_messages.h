// Messages that are logged later.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/log.h"

namespace polygraphy {

struct KeptMessage {
  Severity severity;
  std::string module, text;
  Once once;
  int levels;  // of indentation
};

// A logger that keeps the messages that another one would show.
class MessageKeeper {
 public:
  using Thresholds = std::vector<std::pair<std::string, Severity>>;
  explicit MessageKeeper(const Thresholds& thresholds) {
    for (const auto& [path, threshold] : thresholds) log_.set_severity(path, threshold);
    log_.set_relay([this](Severity severity, std::string_view module, std::string_view text,
                          Once once, int levels) {
      kept_.push_back({severity, std::string(module), std::string(text), once, levels});
    });
  }
  MessageKeeper(const MessageKeeper&) = delete;
  MessageKeeper& operator=(const MessageKeeper&) = delete;

  Logger& log() { return log_; }
  std::vector<KeptMessage> take() { return std::exchange(kept_, {}); }

 private:
  Logger log_;
  std::vector<KeptMessage> kept_;
};

inline void log_kept(const std::vector<KeptMessage>& messages, Logger& log) {
  for (const KeptMessage& message : messages) {
    const Logger::Indent indent(log, message.levels);
    log.log(message.severity, message.module, message.text, message.once);
  }
}

}  // namespace polygraphy
