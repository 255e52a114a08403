#include "base/os/scratch_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "base/error.h"
#include "base/os/system_error.h"

namespace polygraphy {

std::string temporary_folder() {
  std::error_code failed;
  const std::filesystem::path named = std::filesystem::temp_directory_path(failed);
  return failed ? "/tmp" : named.string();
}

ScratchFolder::ScratchFolder(const std::string& stem) {
  const size_t slash = stem.rfind('/');
  const std::string parent = slash == std::string::npos ? "."
                             : slash == 0               ? "/"
                                                        : stem.substr(0, slash);
  remove_left_overs(parent, stem.substr(slash + 1), "", LeftOver::kFolder);
  constexpr int kAttempts = 100;
  for (int attempt = 0;; ++attempt) {
    noted_ = NotedTemporary(unused_name(stem));
    if (::mkdir(path().c_str(), 0700) == 0) break;
    const int error = errno;
    noted_ = {};
    if (error == EEXIST && attempt < kAttempts) continue;
    throw IoError("cannot create a temporary folder in " + parent + ": " + system_reason(error));
  }
  fd_ = ::open(path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd_ >= 0) lock_temporary(fd_);
}

ScratchFolder::~ScratchFolder() {
  // Twice, should a call fail. std::filesystem::remove_all() removes no folders in a sandbox.
  for (int tries = 0; tries < 2; ++tries) remove_tree(path().c_str());
  if (fd_ >= 0) ::close(fd_);
}

}  // namespace polygraphy
