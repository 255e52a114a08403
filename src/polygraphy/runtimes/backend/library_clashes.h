// Libraries that do not live together in one process.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polygraphy {

// (back end, library as it was named; empty: the default) of each runner. The reason why two of
// them need processes of their own; empty when there is none that we know of.
std::string_view library_clash(const std::vector<std::pair<std::string, std::string>>& libraries);

}  // namespace polygraphy
