// Differences between the values of two constants.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graphsurgeon/ir/payloads/payload.h"

namespace graphsurgeon {

// Without either, elements are equal when their bits are. Else where |a - b| <= absolute + relative
// * |b|; equal infinities and two NaNs are equal then.
struct WeightTolerances {
  std::optional<double> absolute, relative;
  bool exact() const { return !absolute && !relative; }
};

struct WeightDiff {
  int64_t size = 0;  // elements
  int64_t different =
      0;  // of them; 0: not counted (not read, stripped on one side, sparse and too large)
  // Of those that differ. NaN where one is NaN and the other is not. nullopt: texts.
  std::optional<double> max_abs;
  // Steps between neighbours in the type, -0 and 0 being one number; of the floating types of one
  // sign bit, without NaN. nullopt: there is no such thing, or all that differ are NaN.
  std::optional<uint64_t> max_ulp;
  std::vector<int64_t> first;  // index of the first one
  std::string before, after;   // its values
};

// True when the values are known to be the same without reading them: one object, or the same range
// of the same file.
bool same_bytes(const Payload& a, const Payload& b, std::string_view tensor);

// nullopt: equal. Types and shapes are the same (checked by assertion). Reads in blocks: bounded
// memory for values that lie in files as they are (raw_data, external data); others are decoded
// first. Throws what Payload::load() throws.
std::optional<WeightDiff> compare_weights(const Payload& a, const Payload& b,
                                          std::string_view tensor,
                                          const WeightTolerances& tolerances);

}  // namespace graphsurgeon
