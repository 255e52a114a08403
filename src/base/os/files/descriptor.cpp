#include "base/os/files/descriptor.h"

#include <unistd.h>

#include <cerrno>

namespace polygraphy {

void FileDescriptor::close() noexcept {
  if (fd_ < 0) return;
  const int error = errno;
  ::close(release());
  errno = error;
}

int write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<size_t>(written));
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

int write_all_at(int fd, uint64_t offset, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::pwrite(fd, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written >= 0) {
      bytes = bytes.subspan(static_cast<size_t>(written));
      offset += static_cast<uint64_t>(written);
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

std::optional<size_t> read_all_at(int fd, uint64_t offset, std::span<std::byte> bytes) {
  size_t got = 0;
  while (got < bytes.size()) {
    const ssize_t part =
        ::pread(fd, bytes.data() + got, bytes.size() - got, static_cast<off_t>(offset + got));
    if (part < 0 && errno == EINTR) continue;
    if (part < 0) return std::nullopt;
    if (part == 0) break;
    got += static_cast<size_t>(part);
  }
  return got;
}

std::optional<size_t> read_once(int fd, std::span<std::byte> bytes) {
  const ssize_t count = ::read(fd, bytes.data(), bytes.size());
  if (count > 0) return static_cast<size_t>(count);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
  return std::nullopt;
}

int64_t next_data(int fd, uint64_t offset) {
  return ::lseek(fd, static_cast<off_t>(offset), SEEK_DATA);
}

int64_t next_hole(int fd, uint64_t offset) {
  return ::lseek(fd, static_cast<off_t>(offset), SEEK_HOLE);
}

void sync_to_disk(int fd) {
  ::fsync(fd);
}

bool set_size(int fd, uint64_t size) {
  return ::ftruncate(fd, static_cast<off_t>(size)) == 0;
}

}  // namespace polygraphy
