// Assigns outputs of one result to those of another.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/arrays/array_map.h"
#include "base/log.h"

namespace polygraphy {

class OutputPairing {
 public:
  struct Partner {
    std::string_view name;
    size_t place;  // in the second result
  };

  // Both must stay alive.
  OutputPairing(const ArrayMap& outputs0, const ArrayMap& outputs1)
      : outputs0_(outputs0), outputs1_(outputs1) {}

  // The partner in the second result of the first result's output `index`: the same name, else
  // output_INDEX or arr_INDEX if all names have that form, else the first name that contains it or
  // that it contains, in any case, else the same position. Skips an inexact partner that has an
  // exact one. nullopt: no partner. Logs guesses. O(1) for equal names, O(names) otherwise.
  std::optional<Partner> partner(size_t index, std::string_view runner1, Logger& log);

 private:
  std::optional<size_t> namesake(size_t index, const std::string& name);
  std::optional<size_t> numbered(size_t index);
  std::string_view numbers();
  std::optional<size_t> similar(const std::string& name);

  const ArrayMap& outputs0_;
  const ArrayMap& outputs1_;
  std::unordered_map<std::string_view, size_t> places1_;  // made when first needed
  // the prefix of numbered names; nullopt: names are not numbers
  std::optional<std::string_view> numbers_;
  std::vector<std::string> lower1_;  // names of the second result, made when first needed
};

}  // namespace polygraphy
