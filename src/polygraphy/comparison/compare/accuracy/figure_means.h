// The means of figures over iterations, as --check-average judges them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/ordered_map.h"
#include "polygraphy/comparison/compare/metric_result.h"

namespace polygraphy {

// The means of figures over iterations, output by output. NaN propagates.
class FigureMeans {
 public:
  void add(const std::string& output, const OutputResult& result);
  const std::string& output(size_t index) const { return sums_.at_index(index).first; }
  // Of the last iteration; null: it had nothing to measure.
  const Metric* metric(size_t index) const { return sums_.at_index(index).second.metric; }
  size_t size() const { return sums_.size(); }
  // With the metric and threshold of the last iteration. Throws Error in the original's words when
  // an iteration had nothing to measure.
  OutputResult mean(size_t index) const;

 private:
  struct Sums {
    Figures sums;
    Threshold threshold;
    const Metric* metric = nullptr;
    int64_t iterations = 0;
    bool comparable = true;
  };
  OrderedMap<Sums> sums_;
};

}  // namespace polygraphy
