#include "polygraphy/diagnosis/precision/mixed_model.h"

#include <numeric>

#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/onnx/shape_inference.h"
#include "graphsurgeon/passes/float16.h"
#include "graphsurgeon/passes/multiplications.h"
#include "polygraphy/models/loaders/prepare_model.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;
using graphsurgeon::Node;

std::vector<double> count_multiplications(const Model& model) {
  Model inferred = graphsurgeon::copy(model);
  Logger silent;
  graphsurgeon::infer_shapes(inferred, {}, silent);
  std::vector<double> counts;
  for (const auto& node : inferred.graph->nodes())
    counts.push_back(graphsurgeon::multiplications(*node));
  return counts;
}

}  // namespace

MixedModel::MixedModel(const Model& model, Logger& log)
    : model_(model),
      nodes_(graphsurgeon::nodes_in_float16(model, {}, log)),
      multiplications_(count_multiplications(model)) {}

PreciseNode MixedModel::node(size_t position) const {
  const Node& node = *model_.graph->nodes()[nodes_[position]];
  const bool nameless = node.name().empty() && !node.outputs().empty();
  return {.name = std::string(nameless ? node.outputs().front()->name() : node.name()),
          .op = std::string(node.op())};
}

std::vector<std::string> MixedModel::operators() const {
  std::vector<std::string> operators;
  for (size_t i = 0; i < size(); ++i) operators.push_back(node(i).op);
  return operators;
}

Model MixedModel::make(const Part& in_float32, Logger& log) const {
  Model mixed = graphsurgeon::copy(model_);
  std::unordered_set<const Node*> kept;
  for (const size_t position : in_float32)
    kept.insert(mixed.graph->nodes()[nodes_[position]].get());
  make_float16(mixed, log, std::move(kept));
  return mixed;
}

std::optional<double> MixedModel::share(const Part& in_float32) const {
  const double all = std::accumulate(multiplications_.begin(), multiplications_.end(), 0.0);
  if (all <= 0) return std::nullopt;
  double in_float16 = 0;
  for (const size_t node : nodes_) in_float16 += multiplications_[node];
  for (const size_t position : in_float32) in_float16 -= multiplications_[nodes_[position]];
  return (all - in_float16) / all;
}

}  // namespace polygraphy
