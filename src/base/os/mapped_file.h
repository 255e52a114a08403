// Read-only memory maps of regular files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

struct stat;

namespace polygraphy {

enum class AccessPattern { kRandom, kSequential };

// Shared by everything that views its bytes. Files that cannot be mapped (pipes, /dev/stdin) are
// read into memory; devices other than terminals are refused, unless they are empty. An empty file
// has an empty span.
class MappedFile {
 public:
  // Throws IoError: path, reason of the system, remedy. kRandom keeps the kernel from reading ahead
  // (scanning a model's structure must not pull in its weights). `stream_limit`: most bytes that
  // are read from a file that cannot be mapped.
  static std::shared_ptr<const MappedFile> open(const std::string& path,
                                                AccessPattern pattern = AccessPattern::kRandom,
                                                uint64_t stream_limit = kStreamLimit);
  static constexpr uint64_t kStreamLimit = uint64_t{4} << 30;
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const { return {data_, size_}; }
  const std::string& path() const { return path_; }

  // Advises the kernel that [offset, offset + length) is about to be read from front to back.
  void will_read(size_t offset, size_t length) const;
  // True while device, inode, size and mtime of the file at path() are those at open. Always true
  // for bytes in memory.
  bool unchanged() const;
  // The same of the file that was opened, even if path() names another one by now: true where a new
  // file took its name. While false, touching the bytes may raise SIGBUS, or show others than
  // before.
  bool intact() const;
  // Descriptor of the mapped file for copy_file_range; -1 when the bytes are in memory.
  int fd() const { return fd_; }

 private:
  MappedFile() = default;
  void read_stream(uint64_t limit);
  bool is_as_opened(const struct stat& info) const;

  std::string path_;
  const std::byte* data_ = nullptr;
  size_t size_ = 0;
  int fd_ = -1;
  bool mapped_ = false;
  uint64_t device_ = 0, inode_ = 0;
  int64_t mtime_ns_ = 0;
};

// A file cut short underneath a map raises SIGBUS. From now on that signal removes the temporary
// files of AtomicFile, prints one line naming the mapped file on stderr and exits with 1 instead of
// dumping core. For the command line; a library's host decides for itself.
void install_sigbus_message();

}  // namespace polygraphy
