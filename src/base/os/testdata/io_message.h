// For tests: the text of an IoError.
#pragma once

#include <functional>
#include <string>

#include "base/error.h"

namespace polygraphy {

inline std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const IoError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

}  // namespace polygraphy
