// Captures the output that libraries print without the log.
#pragma once

#include <string>

#include "base/os/files/descriptor.h"

namespace polygraphy {

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
  FileDescriptor out_, err_;  // the streams as they were
};

}  // namespace polygraphy
