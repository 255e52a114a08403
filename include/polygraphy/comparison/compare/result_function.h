// Functions of whole results, in place of the tool's own: what a script gives.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "polygraphy/comparison/compare/accuracy/accuracy_results.h"
#include "polygraphy/data/results/results.h"

namespace polygraphy {

// Takes the place of all comparison functions (`--compare-func-script`).
class ResultComparison {
 public:
  virtual ~ResultComparison() = default;
  // A verdict per output that it looked at, in its order; figures where it has any. Throws Error.
  virtual std::vector<std::pair<std::string, JudgedOutput>> compare(
      const IterationResult& result0, const IterationResult& result1) = 0;
  // Whether threshold() can be asked, as averages need it.
  virtual bool averages() const = 0;
  virtual Threshold threshold(const std::string& output) = 0;
  // Whose figures it makes; null: nobody's that we know.
  virtual const Metric* metric() const { return nullptr; }
};

// Takes the place of all post-processing (`--postprocess-func-script`).
class ResultEdit {
 public:
  virtual ~ResultEdit() = default;
  virtual std::string name() const = 0;  // in log lines
  // Replaces outputs of the result. Throws Error.
  virtual void apply(IterationResult& result) = 0;
};

}  // namespace polygraphy
