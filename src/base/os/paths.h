// Paths as texts, and where links lead.
#pragma once

#include <optional>
#include <string>

namespace polygraphy {

// "a/b" of "a/b/c", "." of "c", "/" of "/c".
std::string folder_of(const std::string& path);
// "c" of all of these.
std::string file_name_of(const std::string& path);

// The path that a write to `path` reaches: symbolic links are followed, of which the last may
// dangle. nullopt, with the reason in errno: a link cannot be read, or the links form a circle.
std::optional<std::string> resolve_links(const std::string& path);

// The descriptor that the name stands for ("-", /dev/stdout, /dev/fd/3 …), or -1. Opening this name
// again would start at the front of a redirected file, and replacing it would detach the
// redirection.
int named_descriptor(const std::string& path);

}  // namespace polygraphy
