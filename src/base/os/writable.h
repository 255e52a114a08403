// Checks before the work whether its result file can be written.
#pragma once

#include <string>

namespace polygraphy {

// Throws IoError as AtomicFile would: no permission, no folder where one is needed, a full or a
// read-only file system. Leaves nothing behind: does not create missing folders, keeps an existing
// file. Does not touch pipes and terminals.
void check_file_writable(const std::string& path);

// The same of files in a folder, which need not exist.
void check_folder_writable(const std::string& folder);

}  // namespace polygraphy
