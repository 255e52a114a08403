#include "base/os/processes/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <utility>

#include "base/error.h"
#include "base/os/file_text.h"
#include "base/os/files/open_file.h"
#include "base/os/system_error.h"

namespace polygraphy {

StandardStreams::StandardStreams(std::string path) : path_(std::move(path)) {
  std::fflush(nullptr);
  const FileDescriptor file = open_to_append(path_, OldContents::kDrop);
  if (!file)
    throw IoError("cannot write " + path_ + ": " + system_reason(errno), write_hint(errno));
  out_ = FileDescriptor(::fcntl(kStandardOutput, F_DUPFD_CLOEXEC, 3));
  err_ = FileDescriptor(::fcntl(kStandardError, F_DUPFD_CLOEXEC, 3));
  ::dup2(file.get(), kStandardOutput);
  ::dup2(file.get(), kStandardError);
}

StandardStreams::~StandardStreams() {
  restore();
}

void StandardStreams::restore() {
  std::fflush(nullptr);
  if (out_) ::dup2(out_.get(), kStandardOutput);
  if (err_) ::dup2(err_.get(), kStandardError);
  out_.close();
  err_.close();
}

std::string StandardStreams::take() {
  restore();
  return read_text(path_);
}

}  // namespace polygraphy
