#include "base/os/atomic_file.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <cerrno>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/os/paths.h"
#include "base/os/protected_files.h"
#include "base/os/system_error.h"
#include "base/os/temporaries.h"
#include "base/os/write_watch.h"

namespace polygraphy {
namespace {

// What is written goes to the system in whole blocks at whole multiples of their size, which costs
// its cache of pages half of what writing as it comes does. Up to this size it takes them from
// pages used just now; beyond, a virtual machine may first have to find some: up to eight times the
// cost.
constexpr size_t kBlock = size_t{32} << 10;

// A file of this size has space reserved ahead of it, as much as it has already: the file system
// then has less to note for each page.
constexpr uint64_t kReserveFrom = uint64_t{4} << 20;
constexpr uint64_t kMostReserve = uint64_t{256} << 20;

// What the system copies at once, so that progress can be told.
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

std::string write_hint(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return "free some space or write to another folder";
    case EACCES:
    case EPERM:
    case EROFS:
      return "write to a folder that you may write to";
    case EISDIR:
      return "give the path of a file";
    case ENOENT:
    case ENOTDIR:
      return "check the spelling of the path";
    case EFBIG:
      return "the file system or a limit (ulimit -f) does not allow files of this size";
    default:
      return {};
  }
}

[[noreturn]] void fail(const std::string& what, int error) {
  throw IoError(what + ": " + system_reason(error), write_hint(error));
}

[[noreturn]] void fail_to_write(const std::string& path, int error) {
  fail("cannot write '" + path + "'", error);
}

[[noreturn]] void fail_to_make_folder(const std::string& folder, const std::string& path,
                                      int error) {
  fail("cannot write '" + path + "': cannot make the folder '" + folder + "'", error);
}

void make_folders(const std::string& folder, const std::string& path) {
  struct stat info{};
  if (::stat(folder.c_str(), &info) == 0) return;
  for (size_t slash = folder.find('/', 1);; slash = folder.find('/', slash + 1)) {
    const std::string part = folder.substr(0, slash);
    if (::mkdir(part.c_str(), 0777) != 0 && errno != EEXIST) {
      const int error = errno;
      if (::stat(part.c_str(), &info) != 0) {
        fail_to_make_folder(part, path, error);
      }
    }
    if (slash == std::string::npos) return;
  }
}

// The descriptor that the name stands for ("-", /dev/stdout, /dev/fd/3 …), or -1. Opening such a
// name anew would start at the front of a redirected file, and replacing it would detach the
// redirection.
int named_descriptor(const std::string& path) {
  if (path == "-" || path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(folder)) continue;
    const std::string number = path.substr(folder.size());
    if (number.empty() || number.size() > 6 ||
        number.find_first_not_of("0123456789") != std::string::npos) {
      return -1;
    }
    return std::stoi(number);
  }
  return -1;
}

// Hidden from globs. Long names are cut, because names end at NAME_MAX bytes.
std::string temporary_prefix(const std::string& target) {
  return '.' + file_name_of(target).substr(0, 200) + '.';
}
const std::string kTemporarySuffix = ".tmp";

constinit std::atomic<FileSystemLacks> pretended_lack = FileSystemLacks::kNothing;

// Another name for an open file: the only way to it where it has none.
std::string descriptor_path(int fd) {
  return "/proc/self/fd/" + std::to_string(fd);
}

}  // namespace

struct AtomicFile::State {
  std::string path;                     // as given, for messages
  std::string target;                   // what commit() replaces; empty when written through
  std::optional<struct stat> replaced;  // of that file, if it is there
  // The file's name until then, where the file system needs one (`temporary`), and in commit().
  NotedTemporary temporary;
  int fd = -1;
  bool close_fd = true;
  Durability durability = Durability::kFsync;
  int failed = 0;         // why a write failed; nothing can be written or committed after that
  uint64_t flushed = 0;   // bytes handed to the system
  uint64_t reserved = 0;  // where the reserved space ends, if behind `flushed`
  std::vector<std::byte> buffer;

  ~State() {
    if (fd >= 0 && close_fd) ::close(fd);
    remove_temporary();
  }

  void remove_temporary() {
    if (temporary.path().empty()) return;
    ::unlink(temporary.path().c_str());
    temporary = {};
  }

  void open_through() {
    fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0) fail_to_write(path, errno);
  }

  // A file without a name, which the system removes however this process ends. Whether there is
  // one.
  bool open_unnamed() {
    if (pretended_lack == FileSystemLacks::kUnnamedFiles) return false;
    fd = ::open(folder_of(target).c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
    if (fd < 0) return false;
    if (::access(descriptor_path(fd).c_str(), F_OK) == 0) return true;
    ::close(std::exchange(fd, -1));
    return false;
  }

  // Calls `make` with names that no file has, until it is none of another process.
  template <typename Make>
  int with_new_name(const Make& make) {
    constexpr int kAttempts = 100;
    for (int attempt = 0;; ++attempt) {
      temporary = NotedTemporary(unused_name(folder_of(target) + '/' + temporary_prefix(target)) +
                                 kTemporarySuffix);
      if (make(temporary.path().c_str())) return 0;
      const int error = errno;
      temporary = {};
      if (error != EEXIST || attempt == kAttempts) return error;
    }
  }

  void open_named() {
    remove_left_overs(folder_of(target), temporary_prefix(target), kTemporarySuffix,
                      LeftOver::kFile);
    const int error = with_new_name([&](const char* name) {
      fd = ::open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
      return fd >= 0;
    });
    if (error == EACCES || error == EPERM || error == EROFS) {
      fail("cannot write '" + path + "': cannot make a file in the folder '" + folder_of(target) +
               "'",
           error);
    }
    if (error != 0) fail_to_write(path, error);
    lock_temporary(fd);
  }

  void open_temporary() {
    if (!open_unnamed()) open_named();
    take_attributes();
  }

  // Those of the file that is replaced.
  void take_attributes() {
    if (!replaced.has_value()) return;
    // Only root can give files away; for everybody else the new file is simply theirs.
    [[maybe_unused]] const int ignored = ::fchown(fd, replaced->st_uid, replaced->st_gid);
    ::fchmod(fd, replaced->st_mode & 07777);
  }

  // Where a file without a name can be made, but not be given one.
  void copy_to_named() {
    const int unnamed = std::exchange(fd, -1);
    const uint64_t size = std::exchange(flushed, 0);
    try {
      open_named();
      take_attributes();
      copy(unnamed, 0, size);
      settle();
    } catch (...) {
      ::close(unnamed);
      throw;
    }
    ::close(unnamed);
  }

  // What was written is where it belongs, as far as the system tells.
  void settle() {
    if (durability == Durability::kFsync && ::fsync(fd) != 0) fail_while_writing(errno);
    // Some file systems report a full disk only when a file is closed; this one has to stay open
    // until it has a name.
    if (const int other = ::dup(fd); other >= 0 && ::close(other) != 0) fail_while_writing(errno);
  }

  bool link_as(const char* name) const {
    if (pretended_lack == FileSystemLacks::kNamesForThem) {
      errno = EPERM;
      return false;
    }
    return ::linkat(AT_FDCWD, descriptor_path(fd).c_str(), AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
  }

  // A file that is there can only be replaced by one with a name.
  void move_to_target() {
    if (temporary.path().empty()) {
      if (link_as(target.c_str())) return;
      const int error =
          errno != EEXIST ? errno : with_new_name([&](const char* name) { return link_as(name); });
      if (error != 0) copy_to_named();
    }
    if (::rename(temporary.path().c_str(), target.c_str()) != 0) {
      const int error = errno;
      fail("cannot replace '" + path + "'", error);
    }
    temporary = {};
  }

  [[noreturn]] void fail_while_writing(int error) {
    failed = error;
    fail("cannot write '" + path + "' (after " + std::to_string(flushed) + " bytes)", error);
  }

  void advance(uint64_t bytes) {
    flushed += bytes;
    tell_written(path, flushed - bytes, flushed);
  }

  // Best effort: if this fails, the write that follows reports the full disk.
  void reserve(size_t size) {
    if (target.empty() || flushed < kReserveFrom || flushed + size <= reserved) return;
    const uint64_t length = std::max<uint64_t>(size, std::min(flushed, kMostReserve));
    reserved = flushed + length;
    [[maybe_unused]] const int ignored = ::fallocate(
        fd, FALLOC_FL_KEEP_SIZE, static_cast<off_t>(flushed), static_cast<off_t>(length));
  }

  void give_back_reserve() {
    if (reserved > flushed && ::ftruncate(fd, static_cast<off_t>(flushed)) != 0) {
      fail_while_writing(errno);
    }
    reserved = 0;
  }

  void write_all(const std::byte* data, size_t size) {
    reserve(size);
    while (size > 0) {
      const ssize_t done = ::write(fd, data, std::min(size, kBlock - flushed % kBlock));
      if (done < 0 && errno == EINTR) continue;
      if (done < 0) fail_while_writing(errno);
      data += done;
      size -= static_cast<size_t>(done);
      advance(static_cast<uint64_t>(done));
    }
  }

  void keep(std::span<const std::byte> bytes) {
    if (buffer.capacity() == 0 && !bytes.empty()) buffer.reserve(kBlock);
    buffer.insert(buffer.end(), bytes.begin(), bytes.end());
  }

  void flush() {
    if (buffer.empty()) return;
    write_all(buffer.data(), buffer.size());
    buffer.clear();
  }

  // Ways to copy without passing through our memory, the cheapest first; each returns the number of
  // bytes it copied before it met something that it cannot do.
  void copy(int from, uint64_t offset, uint64_t length);
  uint64_t clone_range(int from, uint64_t offset, uint64_t length);
  // The hole that the source has at `offset`, which becomes one here; 0 where there is none.
  uint64_t skip_hole(int from, uint64_t offset, uint64_t length);
  uint64_t copy_in_kernel(int from, uint64_t offset, uint64_t length);
  uint64_t send_file(int from, uint64_t offset, uint64_t length);
  void copy_by_hand(int from, uint64_t offset, uint64_t length);
};

uint64_t AtomicFile::State::clone_range(int from, uint64_t offset, uint64_t length) {
  struct stat info{};
  if (target.empty() || ::fstat(fd, &info) != 0 || info.st_blksize <= 0) return 0;
  const auto block = static_cast<uint64_t>(info.st_blksize);
  const uint64_t whole = length / block * block;
  if (whole == 0 || offset % block != 0 || flushed % block != 0) return 0;
  file_clone_range range{};
  range.src_fd = from;
  range.src_offset = offset;
  range.src_length = whole;
  range.dest_offset = flushed;
  if (::ioctl(fd, FICLONERANGE, &range) != 0) return 0;
  if (::lseek(fd, static_cast<off_t>(flushed + whole), SEEK_SET) < 0) fail_while_writing(errno);
  advance(whole);
  return whole;
}

uint64_t AtomicFile::State::skip_hole(int from, uint64_t offset, uint64_t length) {
  struct stat info{};
  if (target.empty() || ::fstat(from, &info) != 0 || !S_ISREG(info.st_mode)) return 0;
  if (static_cast<uint64_t>(info.st_size) < offset + length) return 0;
  const off_t data = ::lseek(from, static_cast<off_t>(offset), SEEK_DATA);
  if (data < 0 && errno != ENXIO) return 0;
  const uint64_t hole =
      data < 0 ? length : std::min<uint64_t>(static_cast<uint64_t>(data) - offset, length);
  if (hole == 0) return 0;
  const auto end = static_cast<off_t>(flushed + hole);
  if (::ftruncate(fd, end) != 0 || ::lseek(fd, end, SEEK_SET) < 0) fail_while_writing(errno);
  advance(hole);
  return hole;
}

void AtomicFile::State::copy(int from, uint64_t offset, uint64_t length) {
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

uint64_t AtomicFile::State::copy_in_kernel(int from, uint64_t offset, uint64_t length) {
  uint64_t copied = 0;
  while (copied < length) {
    auto position = static_cast<off_t>(offset + copied);
    const size_t chunk = std::min<uint64_t>(length - copied, kChunk);
    const ssize_t done = ::copy_file_range(from, &position, fd, nullptr, chunk, 0);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0 && (errno == ENOSPC || errno == EDQUOT || errno == EFBIG)) {
      fail_while_writing(errno);
    }
    if (done <= 0) break;
    copied += static_cast<uint64_t>(done);
    advance(static_cast<uint64_t>(done));
  }
  return copied;
}

uint64_t AtomicFile::State::send_file(int from, uint64_t offset, uint64_t length) {
  uint64_t copied = 0;
  while (copied < length) {
    auto position = static_cast<off_t>(offset + copied);
    const size_t chunk = std::min<uint64_t>(length - copied, kChunk);
    const ssize_t done = ::sendfile(fd, from, &position, chunk);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0 && (errno == ENOSPC || errno == EDQUOT || errno == EFBIG || errno == EPIPE)) {
      fail_while_writing(errno);
    }
    if (done <= 0) break;
    copied += static_cast<uint64_t>(done);
    advance(static_cast<uint64_t>(done));
  }
  return copied;
}

void AtomicFile::State::copy_by_hand(int from, uint64_t offset, uint64_t length) {
  std::vector<std::byte> chunk(std::min<uint64_t>(length, kBlock));
  for (uint64_t copied = 0; copied < length;) {
    const size_t wanted = std::min<uint64_t>(length - copied, chunk.size());
    const ssize_t got = ::pread(from, chunk.data(), wanted, static_cast<off_t>(offset + copied));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      const int error = errno;
      failed = got < 0 ? error : EIO;
      throw IoError(
          "cannot copy " + std::to_string(length) + " bytes to '" + path + "': " +
          (got < 0 ? system_reason(error)
                   : "the source ends " + std::to_string(length - copied) + " bytes too early"));
    }
    write_all(chunk.data(), static_cast<size_t>(got));
    copied += static_cast<uint64_t>(got);
  }
}

AtomicFile::AtomicFile(std::string path, Durability durability, bool make_parents)
    : path_(std::move(path)), state_(std::make_unique<State>()) {
  State& state = *state_;
  state.path = path_;
  state.durability = durability;
  if (path_.empty()) fail_to_write(path_, ENOENT);

  if (const int fd = named_descriptor(path_); fd >= 0) {
    if (::fcntl(fd, F_GETFD) < 0) fail_to_write(path_, errno);
    state.fd = fd;
    state.close_fd = false;
    return;
  }
  const std::optional<std::string> resolved = resolve_links(path_);
  if (!resolved) fail_to_write(path_, errno);
  const std::string& target = *resolved;
  struct stat info{};
  const bool exists = ::stat(target.c_str(), &info) == 0;
  if (!exists && errno != ENOENT) fail_to_write(path_, errno);
  if (exists && S_ISDIR(info.st_mode)) fail_to_write(path_, EISDIR);
  if (!exists && target.ends_with('/')) fail_to_write(path_, EISDIR);
  if (exists && !S_ISREG(info.st_mode)) {
    state.open_through();
    return;
  }
  if (exists && is_protected({info.st_dev, info.st_ino})) {
    throw IoError("cannot write '" + path_ + "': it is one of the files that are read",
                  "Write to another path.");
  }
  // Renaming would get around a file's own protection.
  if (exists && ::euidaccess(target.c_str(), W_OK) != 0) fail_to_write(path_, errno);
  if (!exists && make_parents) make_folders(folder_of(target), path_);
  state.target = target;
  if (exists) state.replaced = info;
  state.open_temporary();
}

AtomicFile::~AtomicFile() = default;

void AtomicFile::write(std::span<const std::byte> bytes) {
  State& state = *state_;
  assert(state.fd >= 0 && "writing after commit()");
  if (state.failed != 0) state.fail_while_writing(state.failed);
  const size_t room = kBlock - position() % kBlock;
  if (bytes.size() < room) {
    state.keep(bytes);
    return;
  }
  if (!state.buffer.empty()) {
    state.keep(bytes.first(room));
    bytes = bytes.subspan(room);
    state.flush();
  }
  const size_t whole = bytes.size() - (position() + bytes.size()) % kBlock;
  state.write_all(bytes.data(), whole);
  state.keep(bytes.subspan(whole));
}

void AtomicFile::write(std::string_view text) {
  write(std::as_bytes(std::span(text)));
}

void AtomicFile::copy_from(int fd, uint64_t offset, uint64_t length) {
  State& state = *state_;
  assert(state.fd >= 0 && "writing after commit()");
  if (state.failed != 0) state.fail_while_writing(state.failed);
  state.flush();
  state.copy(fd, offset, length);
}

void AtomicFile::align(uint64_t alignment) {
  assert(alignment > 0);
  constexpr std::array<std::byte, 4096> kZeros{};
  for (uint64_t rest = (alignment - position() % alignment) % alignment; rest > 0;) {
    const size_t chunk = std::min<uint64_t>(rest, kZeros.size());
    write(std::span(kZeros).first(chunk));
    rest -= chunk;
  }
}

uint64_t AtomicFile::position() const {
  return state_->flushed + state_->buffer.size();
}

bool AtomicFile::rewritable() const {
  return !state_->target.empty();
}

void AtomicFile::rewrite(uint64_t offset, std::span<const std::byte> bytes) {
  State& state = *state_;
  assert(state.fd >= 0 && offset + bytes.size() <= position() && "rewriting what is not there");
  if (!rewritable()) fail_to_write(path_, ESPIPE);
  if (state.failed != 0) state.fail_while_writing(state.failed);
  state.flush();
  while (!bytes.empty()) {
    const ssize_t done = ::pwrite(state.fd, bytes.data(), std::min(bytes.size(), kBlock),
                                  static_cast<off_t>(offset));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) state.fail_while_writing(errno);
    bytes = bytes.subspan(static_cast<size_t>(done));
    offset += static_cast<uint64_t>(done);
  }
}

void AtomicFile::make_room(uint64_t offset, uint64_t length) {
  State& state = *state_;
  assert(state.fd >= 0 && offset <= position() && "making room behind the end");
  if (!rewritable()) fail_to_write(path_, ESPIPE);
  if (length == 0) return;
  state.flush();
  state.give_back_reserve();
  std::vector<std::byte> chunk(std::min<uint64_t>(state.flushed - offset, kBlock * 32));
  const uint64_t end = state.flushed;
  state.flushed += length;
  if (::ftruncate(state.fd, static_cast<off_t>(state.flushed)) != 0) {
    state.fail_while_writing(errno);
  }
  // From the back: what is overwritten has been moved.
  for (uint64_t at = end; at > offset;) {
    const uint64_t size = std::min<uint64_t>(at - offset, chunk.size());
    at -= size;
    for (uint64_t got = 0; got < size;) {
      const ssize_t done =
          ::pread(state.fd, chunk.data() + got, size - got, static_cast<off_t>(at + got));
      if (done < 0 && errno == EINTR) continue;
      if (done <= 0) state.fail_while_writing(done < 0 ? errno : EIO);
      got += static_cast<uint64_t>(done);
    }
    rewrite(at + length, std::span(chunk).first(size));
  }
  if (::lseek(state.fd, static_cast<off_t>(state.flushed), SEEK_SET) < 0) {
    state.fail_while_writing(errno);
  }
}

void AtomicFile::commit() {
  State& state = *state_;
  assert(state.fd >= 0 && "commit() twice");
  if (state.failed != 0) state.fail_while_writing(state.failed);
  state.flush();
  if (state.target.empty()) {
    const int fd = std::exchange(state.fd, -1);
    if (state.close_fd && ::close(fd) != 0) fail_to_write(path_, errno);
    return;
  }
  state.give_back_reserve();
  state.settle();
  state.move_to_target();
  ::close(std::exchange(state.fd, -1));
  tell_in_place(path_, state.flushed);
  if (state.durability == Durability::kFsync) {
    const int folder = ::open(folder_of(state.target).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    // The file is in place and whole; not every file system can sync a folder.
    if (folder >= 0) {
      ::fsync(folder);
      ::close(folder);
    }
  }
}

void write_file(const std::string& path, std::string_view contents, Durability durability) {
  AtomicFile file(path, durability);
  file.write(contents);
  file.commit();
}

void pretend_lack(FileSystemLacks what) {
  pretended_lack = what;
}

}  // namespace polygraphy
