#include "tasks/node_cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <thread>
#include <vector>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/file_text.h"
#include "base/os/system_error.h"

namespace polygraphy {
namespace {

constexpr auto kBetweenLooks = std::chrono::milliseconds(50);

// Held by one process of this machine; it ends with the process at the latest.
class CopyLock {
 public:
  CopyLock(const std::string& path, const CancelToken& cancel) {
    fd_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd_ < 0) throw IoError("cannot create " + path + ": " + system_reason(errno));
    while (::flock(fd_, LOCK_EX | LOCK_NB) != 0) {
      if (cancel.cancelled()) ::close(fd_);
      cancel.check();
      std::this_thread::sleep_for(kBetweenLooks);
    }
  }
  ~CopyLock() { ::close(fd_); }
  CopyLock(const CopyLock&) = delete;
  CopyLock& operator=(const CopyLock&) = delete;

 private:
  int fd_;
};

void collect(const std::vector<TaskInput>& inputs, std::vector<const TaskInput*>& all) {
  for (const TaskInput& input : inputs) {
    if (is_cached(input)) all.push_back(&input);
    collect(input.beside, all);
  }
}

bool is_there(const std::string& path, const TaskInput& input) {
  struct stat info;
  return ::stat(path.c_str(), &info) == 0 && static_cast<uint64_t>(info.st_size) == input.bytes;
}

}  // namespace

bool is_cached(const TaskInput& input) {
  const auto normal = std::filesystem::path(input.path).lexically_normal();
  return normal.is_relative() && *normal.begin() != "..";
}

std::string NodeCache::folder_for(const TaskJob& job, const Task& task, const std::string& host,
                                  const CancelToken& cancel) const {
  std::vector<const TaskInput*> inputs;
  collect(job.inputs, inputs);
  collect(task.inputs, inputs);
  FingerprintBuilder name;
  for (const TaskInput* input : inputs)
    name.add(input->path).add(input->digest.high).add(input->digest.low);
  const std::string folder = path_ + "/" + name.value().text();
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) throw IoError("cannot create " + folder + ": " + failed.message());
  const CopyLock lock(folder + ".lock", cancel);
  for (const TaskInput* input : inputs) {
    const std::string copy = folder + "/" + input->path;
    if (is_there(copy, *input)) continue;
    const std::string path = job.folder + "/" + input->path;
    const auto file = MappedFile::open(path, AccessPattern::kSequential);
    if (fingerprint(text_of(*file)) != input->digest)
      throw IoError(fmt::format("{} has other contents on {} than in the plan", path, host));
    write_file(copy, text_of(*file));
    cancel.check();
  }
  return folder;
}

}  // namespace polygraphy
