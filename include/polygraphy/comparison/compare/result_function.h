// User-defined functions of whole results, in place of the built-in ones.
#pragma once

#include <string>

#include "polygraphy/comparison/compare/metric_result.h"
#include "polygraphy/comparison/verdict/verdict.h"
#include "polygraphy/data/results/results.h"

namespace polygraphy {

// Replaces all comparison functions (`--compare-func-script`).
class ResultComparison {
 public:
  virtual ~ResultComparison() = default;
  // Returns a verdict, and figures if it has any, per judged output. Throws Error.
  virtual OutputResults compare(const IterationResult& result0, const IterationResult& result1) = 0;
  // True if it has threshold(), which averages need.
  virtual bool averages() const = 0;
  virtual Threshold threshold(const std::string& output) = 0;
  // The built-in metric of the figures that it returns; null: figures of an unknown metric, or no
  // figures.
  virtual const Metric* metric() const { return nullptr; }
  // The limits that decide, as Verdict::measure.
  virtual std::string measure() const { return "the comparison function"; }
  // True: it judges all samples together, and compare() returns no outputs.
  virtual bool judges_together() const { return false; }
  // Then: on the samples of two runners up to now, in the order of compare(); without measure, and
  // without names if the first is the reference.
  virtual Verdict verdict(const std::string& runner0, const std::string& runner1) const {
    static_cast<void>(runner0), static_cast<void>(runner1);
    return {};
  }
  // Further samples would hardly change that: the run may end.
  virtual bool decided() const { return false; }
};

// Replaces all post-processing (`--postprocess-func-script`).
class ResultEdit {
 public:
  virtual ~ResultEdit() = default;
  virtual std::string name() const = 0;  // in log lines
  // Replaces outputs of the result. Throws Error.
  virtual void apply(IterationResult& result) = 0;
};

}  // namespace polygraphy
