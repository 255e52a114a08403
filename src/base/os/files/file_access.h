// Permissions and names of files and folders.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace polygraphy {

// For the functions below: false, or nullopt, with the reason in errno.

bool is_there(const std::string& path);
bool is_readable(const std::string& path);
bool is_writable(const std::string& path);
bool is_executable(const std::string& path);  // of a folder: whether paths may lead through it
// Users who may read the file may run it.
bool make_executable(const std::string& path);
// A file, never a folder.
bool remove_file(const std::string& path);

// Without links, "." and ".."; of "": the current folder. Empty, with the reason in errno: it does
// not exist.
std::string real_path(const std::string& path);
// Names in a folder, in the system's order.
std::optional<std::vector<std::string>> names_in_folder(const std::string& folder);
// For this user only. True if it exists already, with whatever permissions.
bool make_private_folder(const std::string& path);

}  // namespace polygraphy
