// Whether a back end can be used here: `polygraphy backends`.
#pragma once

#include <string>

namespace polygraphy {

struct BackendStatus {
  std::string name, summary;  // of a file that is no plugin: its path
  std::string flags;          // "--openvino --ov"
  bool available = false;
  std::string library_version, library_path, devices;  // when available
  std::string reason, remedy;                          // when not
};

}  // namespace polygraphy
