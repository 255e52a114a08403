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

// For a path that the user has not typed: throws IoError where it is a symbolic link, which a
// folder of a stranger may bring, and through which another file would be written.
void refuse_link(const std::string& path);

}  // namespace polygraphy
