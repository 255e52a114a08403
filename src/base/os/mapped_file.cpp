#include "base/os/mapped_file.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/files/descriptor.h"
#include "base/os/memory/pages.h"
#include "base/os/system_error.h"

namespace polygraphy {
namespace {

// The signal handler's entry for one live map. Fixed size and lock-free, because a
// handler may neither allocate nor wait; maps beyond the table just go unnamed.
struct Range {
  std::atomic<uintptr_t> begin{0};  // 0: free
  std::atomic<uintptr_t> end{0};    // 0: taken, not yet filled in
  std::atomic<const char*> path{nullptr};
};
constinit std::array<Range, 4096> ranges{};
constinit std::atomic<size_t> next_range{0};

Range* add_range(const std::byte* data, size_t size, const char* path) {
  const size_t first = next_range.fetch_add(1, std::memory_order_relaxed);
  for (size_t i = 0; i < ranges.size(); ++i) {
    Range& range = ranges[(first + i) % ranges.size()];
    uintptr_t free = 0;
    const auto begin = reinterpret_cast<uintptr_t>(data);
    if (!range.begin.compare_exchange_strong(free, begin)) continue;
    range.path = path;
    range.end = begin + size;
    return &range;
  }
  return nullptr;
}

void remove_range(const std::byte* data) {
  const auto begin = reinterpret_cast<uintptr_t>(data);
  for (Range& range : ranges) {
    if (range.begin != begin) continue;
    range.end = 0;
    range.path = nullptr;
    range.begin = 0;
    return;
  }
}

void print(const char* text) {
  write_all(kStandardError, text);  // nothing can be done about a failure here
}

extern "C" void on_bus_error(int, siginfo_t* info, void*) {
  const auto address = reinterpret_cast<uintptr_t>(info->si_addr);
  for (const Range& range : ranges) {
    const uintptr_t begin = range.begin;
    const uintptr_t end = range.end;
    const char* path = range.path;
    if (begin == 0 || address < begin || address >= end || path == nullptr) continue;
    remove_temporary_files();
    print("[!] '");
    print(path);
    print(
        "' was truncated or became unreadable during reading; run again when no program writes to "
        "it\n");
    ::_exit(1);
  }
  // Not one of ours: let the same fault happen again, without us.
  ::signal(SIGBUS, SIG_DFL);
}

int64_t mtime_ns(const struct stat& info) {
  return static_cast<int64_t>(info.st_mtim.tv_sec) * 1'000'000'000 + info.st_mtim.tv_nsec;
}

[[noreturn]] void fail_to_open(const std::string& path, int error) {
  throw IoError("cannot open '" + path + "': " + system_reason(error), open_hint(error, path));
}

// Of a device: /dev/null has none, and /dev/zero no end.
bool has_content(int fd) {
  char first;
  return ::read(fd, &first, 1) > 0;
}

// Growing anonymous memory: mremap moves pages instead of copying bytes, and untouched pages cost
// nothing.
class GrowingBlock {
 public:
  explicit GrowingBlock(const std::string& path) : path_(path) {}
  ~GrowingBlock() {
    if (data_ != nullptr) ::munmap(data_, capacity_);
  }
  GrowingBlock(const GrowingBlock&) = delete;
  GrowingBlock& operator=(const GrowingBlock&) = delete;

  std::byte* reserve(size_t size) {
    if (size > capacity_) {
      size_t wanted = capacity_ == 0 ? size_t{1} << 20 : capacity_ * 2;
      while (wanted < size) wanted *= 2;
      void* block = data_ == nullptr ? ::mmap(nullptr, wanted, PROT_READ | PROT_WRITE,
                                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                                     : ::mremap(data_, capacity_, wanted, MREMAP_MAYMOVE);
      if (block == MAP_FAILED) {
        throw IoError("cannot read '" + path_ + "': no memory for " + std::to_string(wanted) +
                      " bytes");
      }
      data_ = static_cast<std::byte*>(block);
      capacity_ = wanted;
    }
    return data_;
  }
  // Gives up the block, cut down to `size` > 0 bytes; to be unmapped as mapped_length(size).
  std::byte* release(size_t size) {
    if (mapped_length(size) < capacity_) {
      ::munmap(data_ + mapped_length(size), capacity_ - mapped_length(size));
    }
    std::byte* data = data_;
    data_ = nullptr;
    return data;
  }
  static size_t mapped_length(size_t size) {
    return (size + page_size() - 1) / page_size() * page_size();
  }

 private:
  const std::string& path_;
  std::byte* data_ = nullptr;
  size_t capacity_ = 0;
};

}  // namespace

std::shared_ptr<const MappedFile> MappedFile::open(const std::string& path, AccessPattern pattern,
                                                   uint64_t stream_limit) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) fail_to_open(path, errno);
  std::shared_ptr<MappedFile> file(new MappedFile);
  file->path_ = path;
  file->fd_ = fd;

  struct stat info{};
  if (::fstat(fd, &info) != 0) fail_to_open(path, errno);
  if (S_ISDIR(info.st_mode)) fail_to_open(path, EISDIR);
  file->device_ = info.st_dev;
  file->inode_ = info.st_ino;
  file->mtime_ns_ = mtime_ns(info);

  if ((S_ISCHR(info.st_mode) || S_ISBLK(info.st_mode)) && ::isatty(fd) == 0 && has_content(fd)) {
    throw IoError("cannot read '" + path + "': it is a device, not a file",
                  "Give the path of a file");
  }
  // Files of /proc are regular, claim no size, and have content all the same.
  if (!S_ISREG(info.st_mode) || info.st_size == 0) {
    file->read_stream(stream_limit);
    return file;
  }
  file->size_ = static_cast<size_t>(info.st_size);
  void* data = ::mmap(nullptr, file->size_, PROT_READ, MAP_PRIVATE, fd, 0);
  if (data == MAP_FAILED) {
    const int error = errno;
    file->size_ = 0;
    throw IoError("cannot map '" + path + "' (" + std::to_string(info.st_size) +
                  " bytes): " + system_reason(error));
  }
  file->data_ = static_cast<const std::byte*>(data);
  file->mapped_ = true;
  ::madvise(data, file->size_, pattern == AccessPattern::kRandom ? MADV_RANDOM : MADV_SEQUENTIAL);
  add_range(file->data_, file->size_, file->path_.c_str());
  return file;
}

MappedFile::~MappedFile() {
  if (mapped_) {
    remove_range(data_);
    ::munmap(const_cast<std::byte*>(data_), size_);
  } else if (data_ != nullptr) {
    ::munmap(const_cast<std::byte*>(data_), GrowingBlock::mapped_length(size_));
  }
  if (fd_ >= 0) ::close(fd_);
}

void MappedFile::read_stream(uint64_t limit) {
  constexpr size_t kChunk = size_t{1} << 18;
  GrowingBlock block(path_);
  size_t size = 0;
  for (;;) {
    std::byte* data = block.reserve(size + kChunk);
    const ssize_t got = ::read(fd_, data + size, kChunk);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw IoError("cannot read '" + path_ + "': " + system_reason(errno));
    if (got == 0) break;
    size += static_cast<size_t>(got);
    if (size > limit) {
      throw IoError("'" + path_ + "' is not a regular file, and has more than " +
                        std::to_string(limit) + " bytes",
                    "Save it to a regular file first");
    }
  }
  if (size > 0) data_ = block.release(size);
  size_ = size;
  ::close(fd_);
  fd_ = -1;
}

void MappedFile::will_read(size_t offset, size_t length) const {
  if (!mapped_ || offset >= size_) return;
  const size_t begin = offset / page_size() * page_size();
  const size_t end = length > size_ - offset ? size_ : offset + length;
  // Advice only: a failure changes nothing but speed. MADV_SEQUENTIAL would split the mapping into
  // more pieces than the system allows for models with very many tensors.
  ::madvise(const_cast<std::byte*>(data_) + begin, end - begin, MADV_WILLNEED);
}

bool MappedFile::unchanged() const {
  if (!mapped_) return true;
  // By name, so that a replaced file is noticed; by descriptor, so that one changed in place is
  // too.
  struct stat named{};
  struct stat opened{};
  if (::stat(path_.c_str(), &named) != 0 || ::fstat(fd_, &opened) != 0) return false;
  return is_as_opened(named) && is_as_opened(opened);
}

bool MappedFile::intact() const {
  struct stat opened{};
  return !mapped_ || ::fstat(fd_, &opened) != 0 || is_as_opened(opened);
}

bool MappedFile::is_as_opened(const struct stat& info) const {
  return info.st_dev == device_ && info.st_ino == inode_ &&
         static_cast<size_t>(info.st_size) == size_ && mtime_ns(info) == mtime_ns_;
}

void install_sigbus_message() {
  struct sigaction action{};
  action.sa_sigaction = on_bus_error;
  action.sa_flags = SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  ::sigaction(SIGBUS, &action, nullptr);
}

}  // namespace polygraphy
