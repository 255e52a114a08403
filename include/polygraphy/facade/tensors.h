// Helpers for making tensors and reading results.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/arrays/array.h"
#include "base/error.h"
#include "base/ordered_map.h"

namespace polygraphy {

// Every element is `value`; T is float, double, (u)int8..64 or bool.
template <typename T>
Array full(Shape shape, T value) {
  const auto count = static_cast<size_t>(element_count(shape));
  const auto values = std::make_unique<T[]>(count);  // a std::vector<bool> has no array of bool
  for (size_t i = 0; i < count; ++i) values[i] = value;
  return Array::of<T>(std::move(shape), std::span<const T>(values.get(), count));
}

// The entry of this name. Throws Error, which lists the existing names, if it is missing.
template <typename T>
const T& at(const OrderedMap<T>& entries, std::string_view name) {
  if (const T* found = entries.find(name)) return *found;
  std::string known;
  for (const auto& [key, entry] : entries) known += (known.empty() ? "" : ", ") + key;
  throw Error("No '" + std::string(name) + "' here.",
              "Names: " + (known.empty() ? "none" : known) + ".");
}

}  // namespace polygraphy
