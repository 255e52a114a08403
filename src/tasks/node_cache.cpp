#include "tasks/node_cache.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <vector>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/file_text.h"
#include "base/os/files/file_access.h"
#include "base/os/files/file_status.h"
#include "base/os/files/open_file.h"
#include "base/os/processes/this_process.h"
#include "base/os/system_error.h"
#include "tasks/shared_file.h"

namespace polygraphy {
namespace {

// Held by one process of this machine; it ends with the process at the latest.
class CopyLock {
 public:
  CopyLock(const std::string& path, const TaskTools& tools)
      : file_(open_regular(path, OpenFor::kWriting)) {
    LockAttempts attempts(path, {}, tools.cancel, tools.log);
    while (!attempts.take(file_.get())) continue;
  }

 private:
  FileDescriptor file_;
};

void collect(const std::vector<TaskInput>& inputs, std::vector<const TaskInput*>& all) {
  for (const TaskInput& input : inputs) {
    if (is_cached(input)) all.push_back(&input);
    collect(input.beside, all);
  }
}

// No other user can write into it, so all its files are copies by workers of this user.
void make_own_folder(const std::string& folder) {
  if (!make_private_folder(folder))
    throw IoError("cannot create " + folder + ": " + system_reason(errno));
  const auto made = link_status(folder);
  if (made && made->is_folder() && made->owner == user_id() && !made->others_may_write) return;
  throw IoError(folder + ": this is not a folder that only this user can write to",
                "Use another --task-cache, or have its owner remove it.");
}

// With the contents of the plan.
bool is_there(const std::string& folder, const TaskInput& input, const TaskTools& tools) {
  const auto copy = link_status(folder + "/" + input.path);
  return copy && copy->is_file() && copy->owner == user_id() &&
         tools.digests->difference({input.path, input.digest, input.bytes}, folder, tools.host)
             .empty();
}

}  // namespace

bool is_cached(const TaskInput& input) {
  const auto normal = std::filesystem::path(input.path).lexically_normal();
  return normal.is_relative() && *normal.begin() != "..";
}

std::string NodeCache::folder_for(const TaskJob& job, const Task& task,
                                  const TaskTools& tools) const {
  std::vector<const TaskInput*> inputs;
  collect(job.inputs, inputs);
  collect(task.inputs, inputs);
  FingerprintBuilder name;
  for (const TaskInput* input : inputs)
    name.add(input->path).add(input->digest.high).add(input->digest.low);
  const std::string folder = fmt::format("{}/{}-{}", path_, name.value().text(), user_id());
  std::error_code failed;
  std::filesystem::create_directories(path_, failed);
  if (failed) throw IoError("cannot create " + path_ + ": " + failed.message());
  make_own_folder(folder);
  const CopyLock lock(folder + "/.polygraphy.lock", tools);
  for (const TaskInput* input : inputs) {
    const std::string copy = folder + "/" + input->path;
    if (is_there(folder, *input, tools)) continue;
    if (is_foreign(copy)) std::remove(copy.c_str());
    const std::string path = job.folder + "/" + input->path;
    const auto file = MappedFile::open(path, AccessPattern::kSequential);
    if (fingerprint(text_of(*file)) != input->digest)
      throw IoError(fmt::format("{} has other contents on {} than in the plan", path, tools.host));
    write_file(copy, text_of(*file));
    tools.cancel.check();
  }
  return folder;
}

}  // namespace polygraphy
