// What the tensors of a model are when it runs on the inputs at hand: types, shapes and values.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/backend/bundled_engine.h"
#include "polygraphy/compare/comparator.h"

namespace polygraphy {

// Runs as little as possible, and only when asked: what a tensor depends on, so that a model that
// cannot run as a whole still tells what lies before the node on which it fails. What was found is
// kept.
class Recordings {
 public:
  // What is handed in must outlive this. Nothing is run, and no input made, before the first
  // question.
  Recordings(const graphsurgeon::Model& model, BundledEngine& engine, FeedSource& feeds,
             Logger& log)
      : model_(model), engine_(engine), feeds_(feeds), log_(log) {}

  // The value of a tensor of the main graph on the first sample; null when it cannot be computed
  // (VERBOSE says why), or is no tensor. All of `wanted` are computed by one run, if possible.
  const Array* value(const std::string& name);
  void prepare(const std::vector<std::string>& wanted);

  // Whether there is more than one sample: then the value on the first tells nothing of the others.
  bool several_samples();

 private:
  void read_sample();
  TensorMap run(const std::vector<graphsurgeon::TensorRef>& outputs);

  const graphsurgeon::Model& model_;
  BundledEngine& engine_;
  FeedSource& feeds_;
  Logger& log_;
  std::optional<TensorMap> sample_;
  std::optional<bool> several_;
  std::map<std::string, std::optional<Array>> known_;
};

}  // namespace polygraphy
