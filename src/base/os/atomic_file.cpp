#include "base/os/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <cerrno>
#include <filesystem>
#include <mutex>
#include <optional>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/os/file_output.h"
#include "base/os/files/descriptor.h"
#include "base/os/paths.h"
#include "base/os/protected_files.h"
#include "base/os/replacement.h"
#include "base/os/system_error.h"
#include "base/os/temporaries.h"

namespace polygraphy {
namespace {

[[noreturn]] void fail(const std::string& what, int error) {
  throw IoError(what + ": " + system_reason(error), write_hint(error));
}

[[noreturn]] void fail_to_write(const std::string& path, int error) {
  fail("cannot write '" + path + "'", error);
}

[[noreturn]] void fail_to_make_folder(const std::string& folder, const std::string& path,
                                      int error) {
  fail("cannot write '" + path + "': cannot create the folder '" + folder + "'", error);
}

// The names in it survive a loss of power; not every file system can do that.
void sync_folder(const std::string& path) {
  const FileDescriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder) sync_to_disk(folder.get());
}

void make_folders(const std::string& folder, const std::string& path, Durability durability) {
  struct stat info{};
  if (::stat(folder.c_str(), &info) == 0) return;
  for (size_t slash = folder.find('/', 1);; slash = folder.find('/', slash + 1)) {
    const std::string part = folder.substr(0, slash);
    if (::mkdir(part.c_str(), 0777) == 0) {
      if (durability == Durability::kFsync) sync_folder(folder_of(part));
    } else if (errno != EEXIST) {
      const int error = errno;
      if (::stat(part.c_str(), &info) != 0) {
        fail_to_make_folder(part, path, error);
      }
    }
    if (slash == std::string::npos) return;
  }
}

// Hidden from globs. Long names are cut, because names end at NAME_MAX bytes.
std::string temporary_prefix(const std::string& target) {
  return '.' + file_name_of(target).substr(0, 200) + '.';
}
const std::string kTemporarySuffix = ".tmp";

// False if the folder had no hidden file with that suffix when this process first wrote into it:
// the process may write thousands of files there.
bool may_have_left_overs(const std::string& folder) {
  static std::mutex mutex;
  static std::set<std::string> clean;
  const std::lock_guard lock(mutex);
  if (clean.contains(folder)) return false;
  std::error_code failed;
  for (std::filesystem::directory_iterator at(folder, failed), end; !failed && at != end;
       at.increment(failed)) {
    const std::string name = at->path().filename();
    if (name.starts_with('.') && name.ends_with(kTemporarySuffix)) return true;
  }
  if (!failed) clean.insert(folder);
  return false;
}

constinit std::atomic<FileSystemLacks> pretended_lack = FileSystemLacks::kNothing;

// Another name for an open file: the only way to it where it has none.
std::string descriptor_path(int fd) {
  return "/proc/self/fd/" + std::to_string(fd);
}

}  // namespace

struct AtomicFile::State {
  std::string path;                     // as given, for messages
  std::string target;                   // commit() replaces it; empty when written through
  std::optional<struct stat> replaced;  // of that file, if it is there
  // The file's name until then, where the file system needs one (`temporary`), and in commit().
  NotedTemporary temporary;
  Replacement replacement;  // by commit_together()
  int fd = -1;
  bool close_fd = true;
  Durability durability = Durability::kFsync;
  FileOutput out;
  std::vector<std::byte> buffer;

  explicit State(const std::string& given) : path(given), out(given) {}
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
    out.begin(fd, false);
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

  // Calls `make` with unused names, until it does not collide with another process.
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

  void remove_left_overs_of_target() const {
    if (!may_have_left_overs(folder_of(target))) return;
    remove_left_overs(folder_of(target), temporary_prefix(target), kTemporarySuffix,
                      LeftOver::kFile);
  }

  void open_named() {
    remove_left_overs_of_target();
    const int error = with_new_name([&](const char* name) {
      fd = ::open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
      return fd >= 0;
    });
    if (error == EACCES || error == EPERM || error == EROFS) {
      fail("cannot write '" + path + "': cannot create a file in the folder '" + folder_of(target) +
               "'",
           error);
    }
    if (error != 0) fail_to_write(path, error);
    lock_temporary(fd);
  }

  void open_temporary() {
    if (!open_unnamed()) open_named();
    take_attributes();
    out.begin(fd, true);
  }

  // From the file that is replaced.
  void take_attributes() {
    if (!replaced.has_value()) return;
    // Only root can give files away; for everybody else the new file is simply theirs.
    [[maybe_unused]] const int ignored = ::fchown(fd, replaced->st_uid, replaced->st_gid);
    ::fchmod(fd, replaced->st_mode & 07777);
  }

  // Where a file without a name can be made, but not be given one.
  void copy_to_named() {
    const FileDescriptor unnamed(std::exchange(fd, -1));
    const uint64_t size = out.written();
    open_named();
    take_attributes();
    out.begin(fd, true);
    out.copy(unnamed.get(), 0, size);
    settle();
  }

  // Flushes the file if required, and throws errors that the system reports late.
  void settle() {
    if (durability == Durability::kFsync && ::fsync(fd) != 0) out.fail(errno);
    // Some file systems report a full disk only when a file is closed; this one has to stay open
    // until it has a name.
    if (const int other = ::dup(fd); other >= 0 && ::close(other) != 0) out.fail(errno);
  }

  bool link_as(const char* name) const {
    if (pretended_lack == FileSystemLacks::kNamesForThem) {
      errno = EPERM;
      return false;
    }
    return ::linkat(AT_FDCWD, descriptor_path(fd).c_str(), AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
  }

  void give_name() {
    if (!temporary.path().empty()) return;
    remove_left_overs_of_target();
    lock_temporary(fd);
    if (with_new_name([&](const char* name) { return link_as(name); }) != 0) copy_to_named();
  }

  // A file that is there can only be replaced by one with a name.
  void move_to_target() {
    if (temporary.path().empty() && link_as(target.c_str())) return;
    give_name();
    if (::rename(temporary.path().c_str(), target.c_str()) != 0) {
      const int error = errno;
      fail("cannot replace '" + path + "'", error);
    }
    temporary = {};
  }

  void replace_target() {
    if (const int error = replacement.replace(temporary, target); error != 0) {
      fail("cannot replace '" + path + "'", error);
    }
  }

  void flush_all() {
    out.check();
    flush();
    if (target.empty()) {
      const int written = std::exchange(fd, -1);
      if (close_fd && ::close(written) != 0) fail_to_write(path, errno);
      return;
    }
    out.give_back_reserve();
    settle();
  }

  // Once the file is in place and whole.
  void finish() {
    if (target.empty()) return;
    if (fd >= 0) ::close(std::exchange(fd, -1));
    replacement.finish();
    out.end_progress();
    if (durability == Durability::kFsync) sync_folder(folder_of(target));
  }

  void keep(std::span<const std::byte> bytes) {
    if (buffer.capacity() == 0 && !bytes.empty()) buffer.reserve(FileOutput::kBlock);
    buffer.insert(buffer.end(), bytes.begin(), bytes.end());
  }

  void flush() {
    if (buffer.empty()) return;
    out.write(buffer);
    buffer.clear();
  }
};

AtomicFile::AtomicFile(std::string path, Durability durability, bool make_parents)
    : path_(std::move(path)), state_(std::make_unique<State>(path_)) {
  State& state = *state_;
  state.durability = durability;
  if (path_.empty()) fail_to_write(path_, ENOENT);

  if (const int fd = named_descriptor(path_); fd >= 0) {
    if (::fcntl(fd, F_GETFD) < 0) fail_to_write(path_, errno);
    state.fd = fd;
    state.close_fd = false;
    state.out.begin(fd, false);
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
    throw IoError("cannot write '" + path_ + "': it is one of the input files",
                  "Write to another path.");
  }
  // Renaming would get around a file's own protection.
  if (exists && ::euidaccess(target.c_str(), W_OK) != 0) fail_to_write(path_, errno);
  if (!exists && make_parents) make_folders(folder_of(target), path_, durability);
  state.target = target;
  if (exists) state.replaced = info;
  state.open_temporary();
}

AtomicFile::~AtomicFile() = default;

void AtomicFile::write(std::span<const std::byte> bytes) {
  State& state = *state_;
  assert(state.fd >= 0 && "writing after commit()");
  state.out.check();
  const size_t room = FileOutput::kBlock - position() % FileOutput::kBlock;
  if (bytes.size() < room) {
    state.keep(bytes);
    return;
  }
  if (!state.buffer.empty()) {
    state.keep(bytes.first(room));
    bytes = bytes.subspan(room);
    state.flush();
  }
  const size_t whole = bytes.size() - (position() + bytes.size()) % FileOutput::kBlock;
  state.out.write(bytes.first(whole));
  state.keep(bytes.subspan(whole));
}

void AtomicFile::write(std::string_view text) {
  write(std::as_bytes(std::span(text)));
}

void AtomicFile::expect(uint64_t bytes) {
  state_->out.expect(bytes);
}

void AtomicFile::copy_from(int fd, uint64_t offset, uint64_t length) {
  State& state = *state_;
  assert(state.fd >= 0 && "writing after commit()");
  state.out.check();
  state.flush();
  state.out.copy(fd, offset, length);
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
  return state_->out.written() + state_->buffer.size();
}

bool AtomicFile::rewritable() const {
  return !state_->target.empty();
}

void AtomicFile::rewrite(uint64_t offset, std::span<const std::byte> bytes) {
  State& state = *state_;
  assert(state.fd >= 0 && offset + bytes.size() <= position() && "rewriting what is not there");
  if (!rewritable()) fail_to_write(path_, ESPIPE);
  state.out.check();
  state.flush();
  state.out.rewrite(offset, bytes);
}

void AtomicFile::make_room(uint64_t offset, uint64_t length) {
  State& state = *state_;
  assert(state.fd >= 0 && offset <= position() && "making room behind the end");
  if (!rewritable()) fail_to_write(path_, ESPIPE);
  if (length == 0) return;
  state.flush();
  state.out.make_room(offset, length);
}

void AtomicFile::commit() {
  assert(state_->fd >= 0 && "commit() twice");
  state_->flush_all();
  if (!state_->target.empty()) state_->move_to_target();
  state_->finish();
}

void AtomicFile::complete() {
  assert(state_->fd >= 0 && "complete() twice");
  state_->flush_all();
  if (state_->target.empty()) return;
  state_->give_name();
  ::close(std::exchange(state_->fd, -1));
}

void commit_together(std::span<const std::unique_ptr<AtomicFile>> files) {
  for (const auto& file : files) {
    if (file->state_->fd >= 0) file->complete();
  }
  {
    const HeldSignals held;
    size_t placed = 0;
    try {
      for (; placed < files.size(); ++placed) {
        if (!files[placed]->state_->target.empty()) files[placed]->state_->replace_target();
      }
    } catch (...) {
      while (placed > 0) files[--placed]->state_->replacement.undo();
      throw;
    }
  }
  for (const auto& file : files) file->state_->finish();
}

void write_file(const std::string& path, std::string_view contents, Durability durability) {
  write_file(path, std::as_bytes(std::span(contents)), durability);
}

void write_file(const std::string& path, std::span<const std::byte> contents,
                Durability durability) {
  AtomicFile file(path, durability);
  file.write(contents);
  file.commit();
}

void pretend_lack(FileSystemLacks what) {
  pretended_lack = what;
}

}  // namespace polygraphy
