// The errors of all sets of few layers, predicted from the runs of some.
#pragma once

#include <vector>

#include "polygraphy/diagnosis/sensitivity/output_differences.h"
#include "polygraphy/diagnosis/sensitivity/set_process.h"

namespace polygraphy {

// Changes of the outputs by sets that ran.
struct MeasuredSets {
  std::vector<Differences> alone = {};    // each layer quantised alone
  Differences all = {};                   // empty: not known
  std::vector<Differences> all_but = {};  // all but each layer; empty: not known
};

class SetPrediction {
 public:
  // Of one layer or more, at most kListedLayers. Errors persist from set to set as suits the
  // measured ones best.
  explicit SetPrediction(MeasuredSets measured);

  size_t layers() const { return squares_.size(); }
  // Rough squares of the errors of all sets, by their bits, in O(layers 2^layers): as if squares of
  // layers added up, which they do where errors hardly persist; and as if vectors did: the change
  // by each layer alone and, by the share of quantised layers, that where all others are quantised.
  std::vector<double> sums_of_squares() const;
  std::vector<double> sums_of_vectors() const;
  // For squares of errors, each in O(measured sets^2).
  const SetProcess& process() const { return process_; }
  // `observed` may have the first samples only: the others count as expected.
  void learn(LayerBits set, Differences observed);

 private:
  void add(LayerBits set, Differences differences);
  SetProcess likeliest_process() const;

  const MeasuredSets measured_;
  std::vector<double> squares_;  // of each layer alone
  std::vector<LayerBits> sets_;
  std::vector<Differences> known_;
  std::vector<std::vector<double>> products_;  // of each of known_ with those before it, and itself
  SetProcess process_;
};

}  // namespace polygraphy
