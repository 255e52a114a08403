// Looking up options that are given per output.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/arrays/array_map.h"
#include "base/log.h"
#include "polygraphy/comparison/compare/metric.h"
#include "polygraphy/data/tensors/flat_names.h"

namespace polygraphy {

// The entry for `name`: under this name, else of the sequence whose item it is, else the default
// entry ""; null: no entry.
template <typename T>
const T* entry_for(const PerOutput<T>& values, std::string_view name) {
  if (const T* own = values.find(name)) return own;
  if (const auto item = item_of_array(name)) {
    if (const T* all = values.find(item->sequence)) return all;
  }
  return values.find("");
}

template <typename T>
T value_for(const PerOutput<T>& values, const std::string& name, T fallback) {
  const T* entry = entry_for(values, name);
  return entry == nullptr ? fallback : *entry;
}

// Warns of keys that name no output of either result.
void warn_of_extra_items(std::string_view option, const std::vector<std::string>& keys,
                         const ArrayMap& outputs0, const ArrayMap& outputs1, Logger& log);

template <typename T>
void warn_of_extra_items(std::string_view option, const PerOutput<T>& values,
                         const ArrayMap& outputs0, const ArrayMap& outputs1, Logger& log) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : values) keys.push_back(key);
  warn_of_extra_items(option, keys, outputs0, outputs1, log);
}

}  // namespace polygraphy
