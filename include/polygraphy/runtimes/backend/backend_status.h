// Availability of a back end: `polygraphy backends`.
#pragma once

#include <string>

namespace polygraphy {

struct BackendStatus {
  std::string name, summary;  // for a file that is not a plugin: its path
  std::string flags;          // "--openvino --ov"
  bool available = false;
  std::string library_version, library_path, devices;  // when available
  std::string reason, remedy;                          // when not
};

}  // namespace polygraphy
