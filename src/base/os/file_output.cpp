#include "base/os/file_output.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "base/error.h"
#include "base/os/files/descriptor.h"
#include "base/os/system_error.h"
#include "base/progress.h"

namespace polygraphy {
namespace {

// A file of this size has space reserved ahead of it, as much as it has already: the file system
// then has less to note for each page.
constexpr uint64_t kReserveFrom = uint64_t{4} << 20;
constexpr uint64_t kMostReserve = uint64_t{256} << 20;

// Bytes between reports of progress, and per copy of the system.
constexpr uint64_t kChunk = uint64_t{64} << 20;

// Looking for holes moves the position of a descriptor that is not ours.
class KeptPosition {
 public:
  explicit KeptPosition(int fd) : fd_(fd), position_(::lseek(fd, 0, SEEK_CUR)) {}
  ~KeptPosition() {
    if (position_ >= 0) ::lseek(fd_, position_, SEEK_SET);
  }
  KeptPosition(const KeptPosition&) = delete;
  KeptPosition& operator=(const KeptPosition&) = delete;

 private:
  int fd_;
  off_t position_;
};

}  // namespace

void FileOutput::begin(int fd, bool own) {
  fd_ = fd;
  own_ = own;
  written_ = reserved_ = 0;
}

void FileOutput::fail(int error) {
  failed_ = error;
  throw IoError("cannot write '" + path_ + "' (after " + std::to_string(written_) +
                    " bytes): " + system_reason(error),
                write_hint(error));
}

void FileOutput::check() {
  if (failed_ != 0) fail(failed_);
}

void FileOutput::advance(uint64_t bytes) {
  written_ += bytes;
  if ((written_ - bytes) / kChunk == written_ / kChunk) return;
  Progress progress{
      .phase = "writing " + path_, .done = static_cast<int64_t>(written_), .bytes = true};
  if (expected_) progress.total = static_cast<int64_t>(*expected_);
  report_progress(std::move(progress));
}

void FileOutput::end_progress() const {
  if (written_ >= kChunk) report_progress();
}

// Best effort: if this fails, the write that follows reports the full disk.
void FileOutput::reserve(size_t size) {
  if (!own_ || written_ < kReserveFrom || written_ + size <= reserved_) return;
  const uint64_t length = std::max<uint64_t>(size, std::min(written_, kMostReserve));
  reserved_ = written_ + length;
  [[maybe_unused]] const int ignored = ::fallocate(
      fd_, FALLOC_FL_KEEP_SIZE, static_cast<off_t>(written_), static_cast<off_t>(length));
}

void FileOutput::give_back_reserve() {
  if (reserved_ > written_ && ::ftruncate(fd_, static_cast<off_t>(written_)) != 0) fail(errno);
  reserved_ = 0;
}

void FileOutput::write(std::span<const std::byte> bytes) {
  reserve(bytes.size());
  while (!bytes.empty()) {
    const ssize_t done =
        ::write(fd_, bytes.data(), std::min(bytes.size(), kBlock - written_ % kBlock));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) fail(errno);
    bytes = bytes.subspan(static_cast<size_t>(done));
    advance(static_cast<uint64_t>(done));
  }
}

void FileOutput::rewrite(uint64_t offset, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t done =
        ::pwrite(fd_, bytes.data(), std::min(bytes.size(), kBlock), static_cast<off_t>(offset));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) fail(errno);
    bytes = bytes.subspan(static_cast<size_t>(done));
    offset += static_cast<uint64_t>(done);
  }
}

void FileOutput::make_room(uint64_t offset, uint64_t length) {
  give_back_reserve();
  std::vector<std::byte> chunk(std::min<uint64_t>(written_ - offset, kBlock * 32));
  const uint64_t end = written_;
  written_ += length;
  if (::ftruncate(fd_, static_cast<off_t>(written_)) != 0) fail(errno);
  // From the back, so that bytes are moved before they are overwritten.
  for (uint64_t at = end; at > offset;) {
    const uint64_t size = std::min<uint64_t>(at - offset, chunk.size());
    at -= size;
    const std::span<std::byte> moved = std::span(chunk).first(size);
    const auto got = read_all_at(fd_, at, moved);
    if (got != size) fail(got ? EIO : errno);
    rewrite(at + length, moved);
  }
  if (::lseek(fd_, static_cast<off_t>(written_), SEEK_SET) < 0) fail(errno);
}

// Ways to copy without passing through our memory, the cheapest first: each returns the number of
// bytes that it copied before it met something that it cannot do.

uint64_t FileOutput::clone_range(int from, uint64_t offset, uint64_t length) {
  struct stat info{};
  if (!own_ || ::fstat(fd_, &info) != 0 || info.st_blksize <= 0) return 0;
  const auto block = static_cast<uint64_t>(info.st_blksize);
  const uint64_t whole = length / block * block;
  if (whole == 0 || offset % block != 0 || written_ % block != 0) return 0;
  file_clone_range range{};
  range.src_fd = from;
  range.src_offset = offset;
  range.src_length = whole;
  range.dest_offset = written_;
  if (::ioctl(fd_, FICLONERANGE, &range) != 0) return 0;
  if (::lseek(fd_, static_cast<off_t>(written_ + whole), SEEK_SET) < 0) fail(errno);
  advance(whole);
  return whole;
}

// Skips the hole of the source at `offset`, which becomes a hole here; returns 0 without a hole.
uint64_t FileOutput::skip_hole(int from, uint64_t offset, uint64_t length) {
  struct stat info{};
  if (!own_ || ::fstat(from, &info) != 0 || !S_ISREG(info.st_mode)) return 0;
  if (static_cast<uint64_t>(info.st_size) < offset + length) return 0;
  const off_t data = ::lseek(from, static_cast<off_t>(offset), SEEK_DATA);
  if (data < 0 && errno != ENXIO) return 0;
  const uint64_t hole =
      data < 0 ? length : std::min<uint64_t>(static_cast<uint64_t>(data) - offset, length);
  if (hole == 0) return 0;
  const auto end = static_cast<off_t>(written_ + hole);
  if (::ftruncate(fd_, end) != 0 || ::lseek(fd_, end, SEEK_SET) < 0) fail(errno);
  advance(hole);
  return hole;
}

uint64_t FileOutput::copy_in_kernel(int from, uint64_t offset, uint64_t length) {
  uint64_t copied = 0;
  while (copied < length) {
    auto position = static_cast<off_t>(offset + copied);
    const size_t chunk = std::min<uint64_t>(length - copied, kChunk);
    const ssize_t done = ::copy_file_range(from, &position, fd_, nullptr, chunk, 0);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0 && (errno == ENOSPC || errno == EDQUOT || errno == EFBIG)) {
      fail(errno);
    }
    if (done <= 0) break;
    copied += static_cast<uint64_t>(done);
    advance(static_cast<uint64_t>(done));
  }
  return copied;
}

uint64_t FileOutput::send_file(int from, uint64_t offset, uint64_t length) {
  uint64_t copied = 0;
  while (copied < length) {
    auto position = static_cast<off_t>(offset + copied);
    const size_t chunk = std::min<uint64_t>(length - copied, kChunk);
    const ssize_t done = ::sendfile(fd_, from, &position, chunk);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0 && (errno == ENOSPC || errno == EDQUOT || errno == EFBIG || errno == EPIPE)) {
      fail(errno);
    }
    if (done <= 0) break;
    copied += static_cast<uint64_t>(done);
    advance(static_cast<uint64_t>(done));
  }
  return copied;
}

void FileOutput::copy_by_hand(int from, uint64_t offset, uint64_t length) {
  std::vector<std::byte> chunk(std::min<uint64_t>(length, kBlock));
  for (uint64_t copied = 0; copied < length;) {
    const size_t wanted = std::min<uint64_t>(length - copied, chunk.size());
    const ssize_t got = ::pread(from, chunk.data(), wanted, static_cast<off_t>(offset + copied));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      const int error = errno;
      failed_ = got < 0 ? error : EIO;
      throw IoError(
          "cannot copy " + std::to_string(length) + " bytes to '" + path_ + "': " +
          (got < 0 ? system_reason(error)
                   : "the source ends " + std::to_string(length - copied) + " bytes too early"));
    }
    write(std::span(chunk).first(static_cast<size_t>(got)));
    copied += static_cast<uint64_t>(got);
  }
}

void FileOutput::copy(int from, uint64_t offset, uint64_t length) {
  give_back_reserve();
  uint64_t copied = clone_range(from, offset, length);
  const KeptPosition kept(from);
  while (copied < length) {
    copied += skip_hole(from, offset + copied, length - copied);
    uint64_t rest = length - copied;
    const off_t hole = ::lseek(from, static_cast<off_t>(offset + copied), SEEK_HOLE);
    if (hole > static_cast<off_t>(offset + copied)) {
      rest = std::min(rest, static_cast<uint64_t>(hole) - offset - copied);
    }
    uint64_t done = copy_in_kernel(from, offset + copied, rest);
    done += send_file(from, offset + copied + done, rest - done);
    copy_by_hand(from, offset + copied + done, rest - done);
    copied += rest;
  }
}

}  // namespace polygraphy
