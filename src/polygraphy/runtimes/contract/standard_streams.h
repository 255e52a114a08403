// Captures the output that libraries print without the log.
#pragma once

#include <string>

namespace polygraphy::contract {

// Standard output and error lead to a file while it lives.
class StandardStreams {
 public:
  // `path`: of the file. Throws IoError.
  explicit StandardStreams(std::string path);
  ~StandardStreams();
  StandardStreams(const StandardStreams&) = delete;
  StandardStreams& operator=(const StandardStreams&) = delete;

  // Restores the streams, and returns the output.
  std::string take();

 private:
  void restore();

  std::string path_;
  int out_ = -1, err_ = -1;  // the streams as they were
};

}  // namespace polygraphy::contract
