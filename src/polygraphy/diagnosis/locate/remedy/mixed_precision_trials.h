// Evaluations of a model in which some nodes compute in float32, and the others in the target's
// format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "graphsurgeon/ir/graph.h"
#include "polygraphy/diagnosis/locate/locate_run.h"
#include "polygraphy/models/parts/whole_model.h"

namespace polygraphy {

using NodeSet = std::unordered_set<size_t>;  // positions

// Judged by the check of the job's remedy. All functions throw what locate() throws; a runner that
// fails is a model that does not pass.
class MixedPrecisionTrials {
 public:
  // `kept`: nodes that are in float32 in any case. The arguments outlive it.
  MixedPrecisionTrials(const LocateRun& run, const WholeModel& model,
                       const std::vector<ValueMap>& feeds, const NodeSet& kept, Logger& log);

  const std::string& measure() const { return measure_; }  // Verdict::measure of the check
  int64_t count() const { return count_; }                 // calls of pass()

  // Runs the reference, once, before all others.
  void keep_reference();
  // Whether the outputs agree in each of the stochastic evaluations of a model that rounds all
  // nodes but these.
  bool pass(const std::vector<size_t>& positions, int64_t seed);
  // The same of the model with Casts.
  bool pass_in_float16(const std::vector<size_t>& positions);
  bool written_passes(const std::string& path);
  // Why they differ with every node in float32: after pass().
  std::string reason_in_float32() const;
  // In float16, with Casts. Shares the weights, which are converted when they are read.
  graphsurgeon::Model mixed_model(const std::vector<size_t>& positions) const;

 private:
  void add_movers(NodeSet& exact) const;
  ValueMap feed(size_t sample, const NodeSet& exact) const;
  bool agree(const ModelSource& source, const NodeSet& exact, int64_t times);

  const LocateJob& job_;
  const OutputCheck check_;
  const std::string measure_;
  const NumberFormat format_;
  const LocateRun& run_;
  const WholeModel& model_;
  const std::vector<ValueMap>& feeds_;
  const NodeSet& kept_;
  Logger& log_;
  const graphsurgeon::Model marked_;
  std::vector<ArrayMap> reference_;  // outputs, by sample
  int64_t count_ = 0;
  Verdict verdict_;  // the last one
};

}  // namespace polygraphy
