// Optimization profiles: ranges of the shapes and shape values of inputs.
#pragma once

#include <NvInfer.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "forward.h"
#include "types.h"

namespace tensorrt_double {

// Of one input, by OptProfileSelector: minimum, optimum, maximum.
struct ProfileRange {
  std::array<std::optional<nvinfer1::Dims>, 3> dims;
  std::array<std::vector<int64_t>, 3> values;
};

struct ProfileImpl {
  nvinfer1::IOptimizationProfile* self = nullptr;
  std::map<std::string, ProfileRange> ranges;
  float extra_memory = 1;
  std::map<std::pair<std::string, int>, std::vector<int32_t>> narrow_values;

  static size_t index(nvinfer1::OptProfileSelector select) { return static_cast<size_t>(select); }

  // Ranges that contradict each other are found by isValid() only.
  bool setDimensions(const char* input, nvinfer1::OptProfileSelector select,
                     const nvinfer1::Dims& dims) {
    if (!is_static(dims)) return false;
    ranges[input].dims[index(select)] = dims;
    return true;
  }
  nvinfer1::Dims getDimensions(const char* input, nvinfer1::OptProfileSelector select) const {
    nvinfer1::Dims none{};
    none.nbDims = -1;
    const auto found = ranges.find(input);
    return found == ranges.end() ? none : found->second.dims[index(select)].value_or(none);
  }
  // From small to large only: rejects values before the minimum, or in contradiction to it, at
  // once.
  template <class T>
  bool set_values(const char* input, nvinfer1::OptProfileSelector select, const T* values,
                  int32_t count) {
    auto changed = ranges[input].values;
    changed[index(select)].assign(values, values + count);
    const auto fits = [&](size_t low, size_t high) {
      return changed[low].empty() || changed[high].empty() ||
             (changed[low].size() == changed[high].size() &&
              std::equal(changed[low].begin(), changed[low].end(), changed[high].begin(),
                         std::less_equal<>()));
    };
    if (changed[kMin].empty() || !fits(kMin, kOpt) || !fits(kOpt, kMax) || !fits(kMin, kMax)) {
      return false;
    }
    ranges[input].values = changed;
    return true;
  }
  bool setShapeValues(const char* input, nvinfer1::OptProfileSelector select, const int32_t* values,
                      int32_t count) {
    narrow_values[{input, static_cast<int>(select)}].assign(values, values + count);
    return set_values(input, select, values, count);
  }
  bool setShapeValuesV2(const char* input, nvinfer1::OptProfileSelector select,
                        const int64_t* values, int32_t count) {
    return set_values(input, select, values, count);
  }
  int32_t getNbShapeValues(const char* input) const {
    const auto found = ranges.find(input);
    if (found == ranges.end() || found->second.values[0].empty()) return -1;
    return static_cast<int32_t>(found->second.values[0].size());
  }
  const int32_t* getShapeValues(const char* input, nvinfer1::OptProfileSelector select) const {
    const auto found = narrow_values.find({input, static_cast<int>(select)});
    return found == narrow_values.end() ? nullptr : found->second.data();
  }
  const int64_t* getShapeValuesV2(const char* input, nvinfer1::OptProfileSelector select) const {
    const auto found = ranges.find(input);
    if (found == ranges.end() || found->second.values[index(select)].empty()) return nullptr;
    return found->second.values[index(select)].data();
  }
  bool setExtraMemoryTarget(float target) { return extra_memory = target, true; }
  float getExtraMemoryTarget() const { return extra_memory; }
  bool isValid() const { return contradiction().empty(); }
  // The first input with an invalid range; empty: all are valid.
  std::string contradiction() const {
    for (const auto& [input, range] : ranges) {
      const bool all_dims = range.dims[kMin] && range.dims[kOpt] && range.dims[kMax];
      const bool all_values =
          !range.values[kMin].empty() && !range.values[kOpt].empty() && !range.values[kMax].empty();
      if (!all_dims && !all_values) return input;
      if (all_dims && !(in_order(*range.dims[kMin], *range.dims[kOpt]) &&
                        in_order(*range.dims[kOpt], *range.dims[kMax]))) {
        return input;
      }
    }
    return {};
  }

 private:
  static constexpr size_t kMin = static_cast<size_t>(nvinfer1::OptProfileSelector::kMIN);
  static constexpr size_t kOpt = static_cast<size_t>(nvinfer1::OptProfileSelector::kOPT);
  static constexpr size_t kMax = static_cast<size_t>(nvinfer1::OptProfileSelector::kMAX);
  static bool in_order(const nvinfer1::Dims& low, const nvinfer1::Dims& high) {
    return low.nbDims == high.nbDims &&
           std::equal(low.d, low.d + low.nbDims, high.d, std::less_equal<>());
  }
};
using ProfileObject =
    Made<nvinfer1::IOptimizationProfile, ForwardVOptimizationProfile<ProfileImpl>>;

}  // namespace tensorrt_double
