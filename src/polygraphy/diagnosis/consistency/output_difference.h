// Compares outputs of an engine with its outputs in another variation.
#pragma once

#include <functional>
#include <string>
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
  explicit WorstDifference(const std::function<OutputTolerance(const std::string&)>& tolerance)
      : tolerance_(tolerance) {}

  void compare(const std::string& output, const Array& expected, const Array& observed);
  // One row of the output, which has rows along this axis; it is in front in the arrays.
  void compare_row(const BatchAxis& output, int64_t row, const Array& expected,
                   const Array& observed);
  // Outputs by name; an output on one side only differs.
  void compare(const ArrayMap& expected, const ArrayMap& observed);
  // The same of several samples.
  void compare(const std::vector<ArrayMap>& expected, const std::vector<ArrayMap>& observed);

  const std::optional<OutputDifference>& worst() const { return worst_; }
  // kNotApplicable without comparisons, and if all arrays are equal and have no elements.
  ConsistencyVerdict verdict() const;
  bool empty() const { return empty_; }  // some were equal and had no elements

 private:
  std::optional<OutputDifference> difference(const std::string& output, const Array& expected,
                                             const Array& observed);
  void take(OutputDifference difference);

  const std::function<OutputTolerance(const std::string&)>& tolerance_;
  std::optional<OutputDifference> worst_;
  bool compared_ = false, empty_ = false;
};

}  // namespace polygraphy
