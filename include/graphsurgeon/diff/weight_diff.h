// Differences between the values of two constants.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graphsurgeon/ir/payloads/payload.h"

namespace graphsurgeon {

// Without tolerances, elements are equal when their bits are. Otherwise they are equal when
// |a - b| <= absolute + relative * |b|; equal infinities and two NaNs are equal then.
struct WeightTolerances {
  std::optional<double> absolute, relative;
  bool exact() const { return !absolute && !relative; }
};

struct WeightDiff {
  int64_t size = 0;  // elements
  // elements that differ; 0: not counted (not read, stripped on one side, sparse and too large)
  int64_t different = 0;
  // The largest differences. NaN if one element is NaN and the other is not. nullopt: texts.
  std::optional<double> max_abs;
  // In steps between neighbouring numbers of the type, -0 and 0 being one number, without NaN.
  // nullopt: not a floating-point type with a sign bit, or all differing elements are NaN.
  std::optional<uint64_t> max_ulp;
  std::vector<int64_t> first;  // index of the first differing element
  std::string before, after;   // its values
};

// True if both are one object or the same range of the same file, so that the values are equal
// without a read.
bool same_bytes(const Payload& a, const Payload& b, std::string_view tensor);

// nullopt: equal. Types and shapes are the same (checked by assertion). Reads raw_data and external
// data block by block, in bounded memory; decodes other encodings first. Throws what
// Payload::load() throws.
std::optional<WeightDiff> compare_weights(const Payload& a, const Payload& b,
                                          std::string_view tensor,
                                          const WeightTolerances& tolerances);

}  // namespace graphsurgeon
