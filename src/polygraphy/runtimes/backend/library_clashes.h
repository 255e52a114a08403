// Libraries that do not live together in one process.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polygraphy {

// `libraries`: (back end, library as the user named it; empty: the default) of each runner. Returns
// the reason why two of them need separate processes; empty when no clash is known.
std::string_view library_clash(const std::vector<std::pair<std::string, std::string>>& libraries);

}  // namespace polygraphy
