#include "base/os/temporaries.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <utility>

#include "base/os/atomic_file.h"
#include "base/os/files/file_lock.h"

namespace polygraphy {
namespace {

// For the signal handler: fixed size and lock-free.
constinit std::array<std::atomic<const char*>, 1024> noted{};

constinit std::atomic<int> holding = 0;  // HeldSignals of all threads

void note(const char* path) {
  for (std::atomic<const char*>& slot : noted) {
    const char* free = nullptr;
    if (slot.load(std::memory_order_relaxed) == nullptr &&
        slot.compare_exchange_strong(free, path)) {
      return;
    }
  }
}

void forget(const char* path) {
  for (std::atomic<const char*>& slot : noted) {
    if (slot.load(std::memory_order_relaxed) != path) continue;
    slot = nullptr;
    return;
  }
}

constexpr std::string_view kDigits = "0123456789abcdefghijklmnopqrstuvwxyz";

// Of folders in folders; a signal's stack has room for as many.
constexpr int kDeepest = 8;

// As the system hands them out (getdents64); readdir() would allocate.
struct Entry {
  uint64_t inode;
  int64_t offset;
  uint16_t length;
  uint8_t type;
  char name[];
};

void remove_at(int folder, const char* name, int depth) noexcept {
  if (::unlinkat(folder, name, 0) == 0 || ::unlinkat(folder, name, AT_REMOVEDIR) == 0) return;
  if (depth == 0) return;
  const int fd = ::openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return;
  alignas(Entry) char buffer[4096];
  for (;;) {
    const long size = ::syscall(SYS_getdents64, fd, buffer, sizeof buffer);
    if (size <= 0) break;
    for (long at = 0; at < size;) {
      const auto* entry = reinterpret_cast<const Entry*>(buffer + at);
      at += entry->length;
      if (std::strcmp(entry->name, ".") == 0 || std::strcmp(entry->name, "..") == 0) continue;
      remove_at(fd, entry->name, depth - 1);
    }
  }
  ::close(fd);
  ::unlinkat(folder, name, AT_REMOVEDIR);
}

// True for the suffixes of unused_name().
bool is_made_up(std::string_view text) {
  return text.size() >= 10 && text.find_first_not_of(kDigits) == text.npos;
}

bool is_left_over(int fd, LeftOver kind) {
  // between creation and lock of a file, its owner is unknown
  constexpr std::time_t kOldEnough = 60;
  struct stat info{};
  if (::fstat(fd, &info) != 0 || std::time(nullptr) - info.st_mtime < kOldEnough) return false;
  if (!(kind == LeftOver::kFile ? S_ISREG(info.st_mode) : S_ISDIR(info.st_mode))) return false;
  return info.st_uid == ::geteuid() && try_lock(fd) == 0;
}

}  // namespace

struct NotedTemporary::Note {
  std::string path;
};

NotedTemporary::NotedTemporary(std::string path) : note_(new Note{std::move(path)}) {
  note(note_->path.c_str());
}

NotedTemporary::~NotedTemporary() {
  if (!note_) return;
  forget(note_->path.c_str());
  delete note_;
}

NotedTemporary::NotedTemporary(NotedTemporary&& other) noexcept
    : note_(std::exchange(other.note_, nullptr)) {}

NotedTemporary& NotedTemporary::operator=(NotedTemporary&& other) noexcept {
  std::swap(note_, other.note_);
  return *this;
}

const std::string& NotedTemporary::path() const {
  static const std::string none;
  return note_ ? note_->path : none;
}

HeldSignals::HeldSignals() {
  sigset_t all;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  ++holding;
}

HeldSignals::~HeldSignals() {
  --holding;
  ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

std::string unused_name(const std::string& stem) {
  static constinit std::atomic<uint64_t> counter{0};
  std::timespec now{};
  std::timespec_get(&now, TIME_UTC);
  const uint64_t mixed =
      (static_cast<uint64_t>(now.tv_nsec) << 20 ^ static_cast<uint64_t>(now.tv_sec) << 32 ^
       static_cast<uint64_t>(::getpid())) +
      ++counter;
  std::string name = stem;
  for (uint64_t rest = mixed; rest != 0; rest /= kDigits.size()) {
    name += kDigits[rest % kDigits.size()];
  }
  return name;
}

void lock_temporary(int fd) {
  try_lock(fd);
}

void remove_left_overs(const std::string& folder, const std::string& prefix,
                       const std::string& suffix, LeftOver kind) noexcept {
  DIR* entries = ::opendir(folder.c_str());
  if (!entries) return;
  const int at = ::dirfd(entries);
  while (const dirent* entry = ::readdir(entries)) {
    const std::string_view name = entry->d_name;
    if (name.size() <= prefix.size() + suffix.size() || !name.starts_with(prefix) ||
        !name.ends_with(suffix) ||
        !is_made_up(name.substr(prefix.size(), name.size() - prefix.size() - suffix.size()))) {
      continue;
    }
    const int fd = ::openat(at, entry->d_name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) continue;
    if (is_left_over(fd, kind)) remove_at(at, entry->d_name, kDeepest);
    ::close(fd);
  }
  ::closedir(entries);
}

void remove_tree(const char* path) noexcept {
  remove_at(AT_FDCWD, path, kDeepest);
}

void remove_temporary_files() noexcept {
  const int saved = errno;
  constexpr std::timespec kMoment = {0, 1'000'000};
  for (int i = 0; i < 1000 && holding > 0; ++i) ::nanosleep(&kMoment, nullptr);
  for (const std::atomic<const char*>& slot : noted) {
    if (const char* path = slot.load()) remove_tree(path);
  }
  errno = saved;
}

}  // namespace polygraphy
