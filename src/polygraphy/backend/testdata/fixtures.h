// What the tests of this folder share: a log that remembers, a folder that goes away.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.h"

namespace polygraphy {

// A Logger and its messages, each with its prefix ("[W] …").
class RecordingLog {
 public:
  explicit RecordingLog(Severity threshold = Severity::kInfo) {
    log_.set_sink([this](Severity, std::string_view text) { messages_.emplace_back(text); });
    log_.set_severity(threshold);
  }
  Logger& log() { return log_; }
  const std::vector<std::string>& messages() const { return messages_; }
  bool has(std::string_view text) const {
    for (const std::string& message : messages_) {
      if (message.find(text) != std::string::npos) return true;
    }
    return false;
  }

 private:
  Logger log_;
  std::vector<std::string> messages_;
};

// A folder of its own, removed with everything in it.
class TemporaryFolder {
 public:
  TemporaryFolder() : path_("/tmp/polygraphy-test-XXXXXX") {
    if (!mkdtemp(path_.data())) std::abort();
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }
  // Writes a file, making its folders, and returns its path.
  std::string write(const std::string& name, std::string_view contents) const {
    const std::filesystem::path path = std::filesystem::path(path_) / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << contents;
    return path.native();
  }

 private:
  std::string path_;
};

inline std::string read_whole_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace polygraphy
