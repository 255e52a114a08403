// Measures a group of nodes in place: behind the nodes that both sides have computed before it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/log.h"
#include "polygraphy/diagnosis/locate/judging/noise_verdict.h"
#include "polygraphy/diagnosis/locate/locate_run.h"
#include "polygraphy/diagnosis/locate/measuring/measurements.h"
#include "polygraphy/models/parts/exploded_model.h"
#include "polygraphy/models/parts/whole_model.h"

namespace polygraphy {

// The inputs of the model, by sample, as each side reads them. They are the same on all sides,
// unless the model is a part of another one and each side has computed them before.
struct SideFeeds {
  const std::vector<ValueMap>& reference;
  const std::vector<ValueMap>& target;
  const std::vector<ValueMap>& exact;  // of the runtime for noise
  // Of a stochastic evaluation.
  std::function<ValueMap(int64_t sample, int64_t evaluation)> noisy;
};

// The same feeds for all sides; rounded for stochastic evaluations. Both outlive it.
SideFeeds same_feeds(const LocateRun& run, const std::vector<ValueMap>& feeds);

// Tensors that a part of a model makes for later parts, or that are outputs of the model.
struct Borders {
  std::unordered_set<std::string> names = {};
  // Their values where no other tensor is an output, so that engines fuse nodes; by sample.
  std::vector<ArrayMap> reference = {}, target = {};
};

// Tensors of the group, by sample.
struct ValuesInPlace {
  std::vector<ArrayMap> reference = {};  // that its nodes read or make
  // Only of borders:
  std::vector<ArrayMap> target = {}, exact = {};
  std::vector<std::vector<ArrayMap>> noisy = {};  // and by evaluation
  // Errors of Borders::target, judged by the noise.
  std::vector<MeasuredOutputs> of_borders = {};
};

// `positions`: nodes of the main graph. `borders`: all sides return their values. Keeps the values
// of what the nodes make, of all samples, while it runs, and one session at a time. Adds to
// `measurements`, in which the nodes before it are: the noise of elements for outputs of the model
// only. Throws what locate() throws.
ValuesInPlace measure_in_place(const LocateRun& run, const WholeModel& model,
                               const SideFeeds& feeds, const NodePart& positions,
                               const Borders& borders, Measurements& measurements, Logger& log);

}  // namespace polygraphy
