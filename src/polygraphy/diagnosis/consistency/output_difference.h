// Compares outputs of an engine with its outputs in another variation.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/arrays/array_map.h"
#include "polygraphy/diagnosis/consistency/batch.h"
#include "polygraphy/diagnosis/consistency/consistency.h"

namespace polygraphy {

// nullopt: the same type, shape and bits; all NaNs count as equal. O(elements).
std::optional<OutputDifference> difference_of(const std::string& output, const Array& expected,
                                              const Array& observed, OutputTolerance tolerance);

// Of several comparisons, the worst.
class WorstDifference {
 public:
  // The absolute tolerance of an output that is beyond the usual one; null: the usual one decides.
  using Wider = std::function<double(const std::string& output)>;
  explicit WorstDifference(const std::function<OutputTolerance(const std::string&)>& tolerance,
                           Wider wider = nullptr)
      : tolerance_(tolerance), wider_(std::move(wider)) {}

  void compare(const std::string& output, const Array& expected, const Array& observed);
  // One row of the output, which has rows along this axis; it is in front in the arrays.
  void compare_row(const BatchAxis& output, int64_t row, const Array& expected,
                   const Array& observed);
  // Outputs by name; an output on one side only differs.
  void compare(const ArrayMap& expected, const ArrayMap& observed);
  // The same of several samples.
  void compare(const std::vector<ArrayMap>& expected, const std::vector<ArrayMap>& observed);

  const std::optional<OutputDifference>& worst() const { return worst_; }
  // kNotApplicable without comparisons, and if all arrays are equal and have no finite number.
  ConsistencyVerdict verdict() const;
  bool empty() const { return empty_; }            // some were equal and had no elements
  bool not_finite() const { return not_finite_; }  // some were equal, without a finite number
  // The widest absolute tolerance that outputs within it needed; 0: none did.
  double widened() const { return widened_; }

 private:
  std::optional<OutputDifference> difference(const std::string& output, const Array& expected,
                                             const Array& observed);
  void take(OutputDifference difference);

  const std::function<OutputTolerance(const std::string&)>& tolerance_;
  Wider wider_;
  std::optional<OutputDifference> worst_;
  bool compared_ = false, empty_ = false, not_finite_ = false;
  double widened_ = 0;
};

}  // namespace polygraphy
