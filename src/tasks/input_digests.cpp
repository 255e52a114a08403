#include "tasks/input_digests.h"

#include <fmt/format.h>

#include <string_view>

#include "base/error.h"
#include "base/os/file_text.h"
#include "base/os/files/file_status.h"
#include "base/os/system_error.h"

namespace polygraphy {
namespace {

std::string in_folder(const std::string& path, const std::string& folder) {
  return path.starts_with("/") ? path : folder + "/" + path;
}

}  // namespace

TaskInput InputDigests::input(const std::string& path, const std::string& folder) {
  const std::string whole = in_folder(path, folder);
  const auto status = file_status(whole);
  if (!status) throw IoError(whole + ": " + system_reason(errno), open_hint(errno));
  if (!status->is_file() && !status->is_folder()) {
    throw IoError(whole + ": this is not a regular file, which each task could read",
                  "Save it to a regular file first.");
  }
  Known now{.device = status->identity.device,
            .inode = status->identity.inode,
            .bytes = status->bytes,
            .changed = status->changed_ns,
            .digest = {}};
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = known_.find(whole); found != known_.end()) {
      const Known& then = found->second;
      if (then.device == now.device && then.inode == now.inode && then.bytes == now.bytes &&
          then.changed == now.changed)
        return {path, then.digest, now.bytes};
    }
  }
  now.digest = fingerprint(text_of(*MappedFile::open(whole, AccessPattern::kSequential)));
  const std::lock_guard lock(mutex_);
  known_.insert_or_assign(whole, now);
  return {path, now.digest, now.bytes};
}

std::string InputDigests::difference(const TaskInput& input, const std::string& folder,
                                     const std::string& host) {
  const std::string whole = in_folder(input.path, folder);
  const auto status = file_status(whole);
  if (!status)
    return fmt::format("{} cannot be read on {}: {}.", whole, host, system_reason(errno));
  if (status->bytes != input.bytes) {
    return fmt::format("{} has {} bytes on {}, but {} in the plan: it has changed.", whole,
                       status->bytes, host, input.bytes);
  }
  const TaskInput now = this->input(input.path, folder);
  if (now.digest == input.digest) {
    for (const TaskInput& beside : input.beside) {
      if (std::string wrong = difference(beside, folder, host); !wrong.empty()) return wrong;
    }
    return {};
  }
  return fmt::format("{} has other contents on {} than in the plan: it has changed.", whole, host);
}

}  // namespace polygraphy
