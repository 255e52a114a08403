// Files in a folder that other processes, machines and users write to.
#pragma once

#include <cstdint>
#include <string>

#include "base/cancel.h"
#include "base/log.h"

namespace polygraphy {

// The contents. Throws IoError, also for a file of more than `most` bytes.
std::string read_shared(const std::string& path, uint64_t most);

// A link, a FIFO, a device, a folder: a program of ours never leaves these there.
bool is_foreign(const std::string& path);

// How long a process waits for another one.
struct LockPatience {
  double silent = 10, most = 1800;  // seconds: without a message, and at all
};

// Takes the lock of an open file, try after try.
class LockAttempts {
 public:
  LockAttempts(std::string path, const LockPatience& patience, const CancelToken& cancel,
               Logger* log)
      : path_(std::move(path)), patience_(patience), cancel_(cancel), log_(log) {}

  // False: another process has the lock, and some time has passed. A file system without locks
  // gives each process a lock, with a warning: tasks that run twice give the same result twice.
  // `log` may be null. Throws IoError when patience ends, Interrupted.
  bool take(int fd);

 private:
  std::string path_;
  LockPatience patience_;
  CancelToken cancel_;
  Logger* log_;
  double began_ = 0;
  bool said_ = false;
};

// For tests: flock() fails with this error; 0: it does not.
void pretend_lock_error(int error);

}  // namespace polygraphy
