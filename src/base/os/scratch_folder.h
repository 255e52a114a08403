// A temporary folder that goes away with the object, with the process, or with the next one.
#pragma once

#include <string>

#include "base/os/temporaries.h"

namespace polygraphy {

// The folder for temporary files: TMPDIR, or /tmp if it does not exist.
std::string temporary_folder();

// A new folder with a name that begins with `stem`: "/tmp/.polygraphy-model-". Removed with all
// that is in it by the destructor and by remove_temporary_files(); leftovers of killed processes
// under the same stem are removed first. Throws IoError.
class ScratchFolder {
 public:
  explicit ScratchFolder(const std::string& stem);
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::string& path() const { return noted_.path(); }
  std::string operator/(const std::string& name) const { return path() + "/" + name; }

 private:
  NotedTemporary noted_;
  int fd_ = -1;  // locked
};

}  // namespace polygraphy
