// The runners that the tests of all doors run.
#pragma once

#include <cstdlib>
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

// A SavedModel: scaled = x * {1, 2, 3}, total = the sum of that.
inline constexpr const char* kSavedModel =
    PG_SOURCE_DIR "/backends/tensorflow/testdata/saved_model";

// Reasons to skip a test.
inline constexpr const char* kNoTensorFlow =
    "TensorFlow is missing: `scripts/setup.sh ci` installs it";
inline constexpr const char* kNoNumPy = "NumPy is missing: `scripts/setup_parity.sh` installs it";

// Empty: kNoTensorFlow.
inline std::string tensorflow_packages() {
  const std::filesystem::path folder = PG_DEPS_DIR "/tensorflow/site-packages";
  return std::filesystem::exists(folder) ? folder.string() : "";
}

inline std::string tensorflow_library() {
  return std::filesystem::path(tensorflow_packages()) / "tensorflow" / "libtensorflow_cc.so.2";
}

// Packages without TensorFlow; empty: kNoNumPy.
inline std::string packages_without_tensorflow(const std::string& folder) {
  if (!std::filesystem::exists(PG_DEPS_DIR "/parity/numpy")) return "";
  std::ofstream(folder + "/tensorflow.py") << "raise ModuleNotFoundError('', name='tensorflow')\n";
  return folder + ":" PG_DEPS_DIR "/parity";
}

// Processes that run the user's Python inherit it.
class PythonPath {
 public:
  explicit PythonPath(const std::string& path) { setenv("PYTHONPATH", path.c_str(), 1); }
  ~PythonPath() { unsetenv("PYTHONPATH"); }
  PythonPath(const PythonPath&) = delete;
  PythonPath& operator=(const PythonPath&) = delete;
};

}  // namespace polygraphy
