// What the tests of this folder share: a log that remembers, files in folders.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.h"
#include "base/testdata/temporary_folder.h"

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

// Writes a file into a folder, making folders on the way, and returns its path.
inline std::string write(const TemporaryFolder& folder, const std::string& name,
                         const std::string& contents) {
  const std::filesystem::path path = folder / name;
  std::filesystem::create_directories(path.parent_path());
  put(path.native(), contents);
  return path.native();
}

}  // namespace polygraphy
