// Whether a file could be written, asked before the work whose result it is to hold.
#pragma once

#include <string>

namespace polygraphy {

// Throws IoError as AtomicFile would: no permission, no folder where one is needed, a full or a
// read-only file system. Nothing is left behind: missing folders are not made, a file that is there
// stays. What is no regular file (a pipe, a terminal) is not touched.
void check_file_writable(const std::string& path);

// The same of files in a folder, which need not exist.
void check_folder_writable(const std::string& folder);

}  // namespace polygraphy
