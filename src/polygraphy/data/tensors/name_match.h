// Finding the tensor that a slightly different name means.
#pragma once

#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "base/ordered_map.h"
#include "base/text.h"

namespace polygraphy {

// 2 for "output_2": such a name is a position. Nothing else may follow.
inline std::optional<size_t> number_after(std::string_view prefix, std::string_view name) {
  if (!name.starts_with(prefix)) return std::nullopt;
  name.remove_prefix(prefix.size());
  size_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc() || end != name.data() + name.size()) return std::nullopt;
  return number;
}

// The key equal to `name`; else the first that contains it or is contained in it, whatever the
// case; else the one at `place`, if there is one. The view points into `map`.
template <typename T>
std::optional<std::string_view> find_name(std::string_view name, const OrderedMap<T>& map,
                                          std::optional<size_t> place = std::nullopt) {
  if (map.contains(name)) return name;
  const std::string lower = to_lower(name);
  for (const auto& [key, unused] : map) {
    const std::string other = to_lower(key);
    if (other.find(lower) != std::string::npos || lower.find(other) != std::string::npos)
      return key;
  }
  if (place && *place < map.size()) return map.at_index(*place).first;
  return std::nullopt;
}

}  // namespace polygraphy
