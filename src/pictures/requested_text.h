// Texts that an option has requested.
#pragma once

#include <algorithm>
#include <string_view>

#include "base/log.h"

namespace polygraphy {

// Logs as INFO even where the log shows errors only: an option has requested this text. A log that
// shows no errors (--silent) stays silent.
inline void log_requested(Logger& log, std::string_view module, std::string_view text) {
  if (!log.enabled(Severity::kError, module)) return;
  Logger shown = log;
  for (const auto& [path, threshold] : log.thresholds())
    shown.set_severity(path, std::min(threshold, Severity::kInfo));
  shown.info(module, text);
}

}  // namespace polygraphy
