// The interface that receives every pair of outputs as it is judged; reports and the library's
// Comparator implement it.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/arrays/array.h"
#include "polygraphy/comparison/compare/metric_result.h"

namespace polygraphy {

// One pair of outputs in one iteration, and the result of each comparison function. All references
// are valid during the call only.
struct ComparedOutput {
  int64_t iteration;
  std::string_view runner0, runner1;
  std::string_view name0, name1;
  const Array& a;
  const Array& b;
  std::vector<const OutputResult*> results;
  bool passed;  // by every function
};

class ComparisonObserver {
 public:
  virtual ~ComparisonObserver() = default;
  virtual void compared(const ComparedOutput& output) = 0;
  // `output` of `owner`, one of the two runners, has no partner and was not compared.
  virtual void unpaired(std::string_view runner0, std::string_view runner1, std::string_view owner,
                        std::string_view output) {
    static_cast<void>(runner0), static_cast<void>(runner1);
    static_cast<void>(owner), static_cast<void>(output);
  }
  // An output was checked for NaNs and infinities (`--validate`).
  virtual void validated(int64_t iteration, std::string_view runner, std::string_view output,
                         bool valid) {
    static_cast<void>(iteration), static_cast<void>(runner);
    static_cast<void>(output), static_cast<void>(valid);
  }
};

}  // namespace polygraphy
