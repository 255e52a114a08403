// The runners that the tests of all doors run.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

namespace polygraphy {

inline constexpr const char* kTwice = R"(<ir_version: 8, opset_import: ["": 17]>
g (float[2] x) => (float[2] y) { y = Add (x, x) })";

// A runner of that model that needs nothing of a system but a shell: the inputs are 1 and 2.
inline std::string write_twice_program(const std::string& folder) {
  const std::string path = folder + "/twice.sh";
  std::ofstream(path) << "#!/bin/sh\necho '{\"y\": [2.0, 4.0]}'\n";
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return path;
}

// The one that set-up brought, by its path.
inline std::string openvino_library() {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(PG_DEPS_DIR "/openvino")) {
    if (entry.path().filename().string().starts_with("libopenvino_c.so")) return entry.path();
  }
  return {};
}

// The same file under another path, which counts as another library.
inline std::string other_path_of(const std::string& file) {
  const size_t slash = file.rfind('/');
  return file.substr(0, slash) + "/./" + file.substr(slash + 1);
}

}  // namespace polygraphy
