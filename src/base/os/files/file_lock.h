// Locks of files, which processes take from each other.
#pragma once

#include <string>

namespace polygraphy {

// Does not wait. The lock lasts until the descriptor is closed, also by the end of the process.
// Returns 0 or the error number: EWOULDBLOCK if another one has it.
int try_lock(int fd);
// Whether a process has the lock of the file.
bool is_locked(const std::string& path);

// False: the name of the open file has gone, or names another one by now.
bool names_file(const std::string& path, int fd);

}  // namespace polygraphy
