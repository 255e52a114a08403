#include "polygraphy/runtimes/contract/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <utility>

#include "base/error.h"
#include "base/os/system_error.h"
#include "polygraphy/runtimes/contract/workbench.h"

namespace polygraphy::contract {

StandardStreams::StandardStreams(std::string path) : path_(std::move(path)) {
  std::fflush(nullptr);
  const int file = ::open(path_.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_APPEND | O_CLOEXEC, 0600);
  if (file < 0)
    throw IoError("cannot write " + path_ + ": " + system_reason(errno), write_hint(errno));
  out_ = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  err_ = ::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
  ::dup2(file, STDOUT_FILENO);
  ::dup2(file, STDERR_FILENO);
  ::close(file);
}

StandardStreams::~StandardStreams() {
  restore();
}

void StandardStreams::restore() {
  std::fflush(nullptr);
  for (const auto& [kept, stream] :
       {std::pair(out_, STDOUT_FILENO), std::pair(err_, STDERR_FILENO)}) {
    if (kept < 0) continue;
    ::dup2(kept, stream);
    ::close(kept);
  }
  out_ = err_ = -1;
}

std::string StandardStreams::take() {
  restore();
  return contents_of(path_);
}

}  // namespace polygraphy::contract
