#include "tasks/shared_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <span>

#include "base/clock.h"
#include "base/error.h"
#include "base/log_modules.h"
#include "base/os/files/file_lock.h"
#include "base/os/files/file_status.h"
#include "base/os/files/open_file.h"
#include "base/os/system_error.h"
#include "tasks/pause.h"

namespace polygraphy {
namespace {

constexpr double kBetweenLooks = 0.1;  // seconds

constinit std::atomic<int> pretended_error = 0;

}  // namespace

std::string read_shared(const std::string& path, uint64_t most) {
  const FileDescriptor file = open_regular(path, OpenFor::kReading);
  const auto status = file_status(file.get());
  if (status && status->bytes > most) {
    throw FormatError(
        fmt::format("'{}' has {} bytes, but at most {} are read", path, status->bytes, most));
  }
  std::string text(status ? status->bytes : 0, '\0');
  const auto got = read_all_at(file.get(), 0, std::as_writable_bytes(std::span(text)));
  if (!got) throw IoError(path + ": " + system_reason(errno));
  text.resize(*got);
  return text;
}

bool is_foreign(const std::string& path) {
  const auto status = link_status(path);
  return status && !status->is_file();
}

bool LockAttempts::take(int fd) {
  const int error = pretended_error != 0 ? pretended_error.load() : try_lock(fd);
  if (error == 0) return true;
  if (error != EWOULDBLOCK && error != EINTR) {
    static std::atomic<bool> warned = false;
    if (log_ && !warned.exchange(true)) {
      log_->warning(log_modules::kTasks,
                    fmt::format("{}: the file system has no locks ({}), so a task may run twice at "
                                "a time; its result is the same",
                                path_, system_reason(error)));
    }
    return true;
  }
  if (began_ == 0) began_ = seconds_now();
  const double waited = seconds_now() - began_;
  if (waited > patience_.most) {
    throw IoError(fmt::format("{} has been locked by another process for {:.0f} s", path_, waited),
                  "If no process works on it, delete the file.");
  }
  if (waited >= patience_.silent && !said_) {
    said_ = true;
    if (log_) {
      log_->warning(log_modules::kTasks,
                    fmt::format("Waiting for another process, which has locked {}", path_));
    }
  }
  pause(kBetweenLooks, cancel_);
  return false;
}

void pretend_lock_error(int error) {
  pretended_error = error;
}

}  // namespace polygraphy
