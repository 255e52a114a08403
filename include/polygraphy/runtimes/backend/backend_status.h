// Availability of a back end: `polygraphy backends`.
#pragma once

#include <string>

#include "base/error.h"

namespace polygraphy {

// A back end cannot be used on this machine: its plugin or its library is missing.
inline constexpr ErrorCode kNotAvailable{"not-available"};

struct BackendStatus {
  std::string name, summary;  // for a file that is not a plugin: its path
  std::string flags;          // "--openvino --ov"
  bool available = false;
  std::string library_version, library_path, devices;  // when available
  std::string reason, remedy;                          // when not
};

}  // namespace polygraphy
