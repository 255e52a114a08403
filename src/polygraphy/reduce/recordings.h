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
// cannot run as a whole still tells what lies before the node on which it fails. Types and shapes
// are kept, values as far as 64 MiB go.
class Recordings {
 public:
  // What is handed in must outlive this. Nothing is run, and no input made, before the first
  // question.
  Recordings(const graphsurgeon::Model& model, BundledEngine& engine, FeedSource& feeds,
             Logger& log)
      : model_(model), engine_(engine), feeds_(feeds), log_(log) {}

  // Type and shape of tensors of the main graph on the first sample, found by one run, if possible.
  // Missing are those that cannot be computed (VERBOSE says why) or are no tensors.
  Metadata describe(const std::vector<std::string>& names);
  // The same, with their values.
  TensorMap values(const std::vector<std::string>& names);
  // The same for tensors of a model that was made from this one, in which equal names mean equal
  // tensors: what only that one has is computed from its inputs, and nothing of it is kept.
  TensorMap values_in(const graphsurgeon::Model& made, const std::vector<std::string>& names);

  // Whether there is more than one sample: then the value on the first tells nothing of the others.
  bool several_samples();

 private:
  void read_sample();
  TensorMap compute(const std::vector<graphsurgeon::TensorRef>& outputs);
  TensorMap run(const std::vector<graphsurgeon::TensorRef>& outputs);
  void keep(const std::string& name, const Array* value);

  const graphsurgeon::Model& model_;
  BundledEngine& engine_;
  FeedSource& feeds_;
  Logger& log_;
  std::optional<TensorMap> sample_;
  std::optional<bool> several_;
  std::map<std::string, std::optional<TensorInfo>> known_;  // nullopt: cannot be found out
  TensorMap kept_;
  int64_t kept_bytes_ = 0;
};

}  // namespace polygraphy
