// The logger for callers that pass none: drops every message.
#pragma once

#include "base/log.h"

namespace polygraphy {

inline Logger& log_or_silence(Logger* log) {
  thread_local Logger silent;
  return log ? *log : silent;
}

}  // namespace polygraphy
