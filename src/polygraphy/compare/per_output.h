// Looking up options that are given per output.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/arrays/array_map.h"
#include "base/log.h"
#include "polygraphy/compare/metric.h"

namespace polygraphy {

// The key that holds for `name`: the name itself, else "", the default entry; null when there is
// neither.
template <typename T>
const std::string* key_for(const PerOutput<T>& values, const std::string& name) {
  static const std::string kDefault;
  if (values.contains(name)) return &name;
  return values.contains(kDefault) ? &kDefault : nullptr;
}

template <typename T>
T value_for(const PerOutput<T>& values, const std::string& name, T fallback) {
  const std::string* key = key_for(values, name);
  return key == nullptr ? fallback : *values.find(*key);
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
