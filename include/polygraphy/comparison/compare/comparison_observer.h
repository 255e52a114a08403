// Who wants to see every pair of outputs as it is judged: reports, the library's Comparator.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "base/arrays/array.h"
#include "polygraphy/comparison/compare/metric_result.h"

namespace polygraphy {

struct Metric;

// One pair of outputs in one iteration, and what each comparison function found. Everything is
// borrowed for the call.
struct ComparedOutput {
  int64_t iteration;
  std::string_view runner0, runner1;
  std::string_view name0, name1;
  const Array& a;
  const Array& b;
  std::vector<std::pair<const Metric*, const OutputResult*>> results;
  bool passed;  // by all of them
};

class ComparisonObserver {
 public:
  virtual ~ComparisonObserver() = default;
  virtual void compared(const ComparedOutput& output) = 0;
  // `output` of `owner`, one of the two, has no partner: it was not compared.
  virtual void unpaired(std::string_view runner0, std::string_view runner1, std::string_view owner,
                        std::string_view output) {
    static_cast<void>(runner0), static_cast<void>(runner1);
    static_cast<void>(owner), static_cast<void>(output);
  }
  // An output was looked at for NaNs and infinities (`--validate`).
  virtual void validated(int64_t iteration, std::string_view runner, std::string_view output,
                         bool valid) {
    static_cast<void>(iteration), static_cast<void>(runner);
    static_cast<void>(output), static_cast<void>(valid);
  }
};

}  // namespace polygraphy
