// Nodes go from bodies that have to stay; zeros stand for what they made.

#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/silent_log.h"
#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/ir/nested_graphs.h"
#include "graphsurgeon/onnx/shape_inference.h"
#include "polygraphy/reduce/candidates/prune_unused.h"
#include "polygraphy/reduce/candidates/well_formed.h"
#include "polygraphy/reduce/search/ddmin.h"
#include "polygraphy/reduce/shrinker.h"

namespace polygraphy {
namespace {

using graphsurgeon::Dim;
using graphsurgeon::DimList;
using graphsurgeon::Graph;
using graphsurgeon::Model;
using graphsurgeon::NodeRef;
using graphsurgeon::Tensor;
using graphsurgeon::TensorRef;

// Zeros instead of a variable; false where its type or shape is not known.
bool make_zero(Tensor& tensor) {
  if (tensor.type_kind() != graphsurgeon::TypeKind::kTensor || !tensor.declared_shape()) {
    return false;
  }
  if (tensor.dtype() == DataType::kUndefined || tensor.dtype() == DataType::kString) return false;
  Shape shape;
  for (const Dim& dim : *tensor.declared_shape()) {
    if (!dim.is_static()) return false;
    shape.push_back(dim.value());
  }
  tensor.to_constant(
      graphsurgeon::splat_payload(Array::zeros(tensor.dtype(), {}), std::move(shape)));
  return true;
}

// Of the graph's nodes only these stay. False where that is not possible.
bool keep(Graph& graph, const Part& part) {
  std::vector<bool> kept(graph.nodes().size());
  for (const size_t index : part) kept[index] = true;
  std::vector<NodeRef> nodes;
  std::vector<TensorRef> made;  // by nodes that go
  for (size_t i = 0; i < kept.size(); ++i) {
    const NodeRef& node = graph.nodes()[i];
    if (kept[i]) {
      nodes.push_back(node);
      continue;
    }
    for (Tensor* output : node->outputs()) {
      if (!output->is_empty()) made.emplace_back(output);
    }
    // What its own bodies read, nobody reads any more.
    std::vector<Graph*> inside;
    for (const auto& body : node->subgraphs()) {
      for (Graph* inner : graphsurgeon::inner_graphs_first(*body)) inside.push_back(inner);
    }
    for (Graph* inner : inside) {
      for (const NodeRef& deeper : inner->nodes()) deeper->inputs().clear();
    }
    node->inputs().clear();
    node->outputs().clear();
  }
  graph.mutable_nodes() = std::move(nodes);
  std::unordered_set<const Tensor*> returned;
  for (const Graph* inner : graphsurgeon::inner_graphs_first(graph)) {
    for (const TensorRef& output : inner->outputs()) returned.insert(output.get());
  }
  for (const TensorRef& tensor : made) {
    if (tensor->consumers().empty() && !returned.contains(tensor.get())) continue;
    if (!make_zero(*tensor)) return false;
    graph.mutable_initializers().push_back(tensor);
  }
  std::unordered_set<const Tensor*> gone;
  for (const TensorRef& tensor : made) gone.insert(tensor.get());
  std::erase_if(graph.mutable_value_infos(),
                [&](const TensorRef& tensor) { return gone.contains(tensor.get()); });
  return true;
}

class BodySearch {
 public:
  BodySearch(const Model& model, ShrinkTools& tools)
      : tools_(tools), well_formed_(model, tools.judgements), left_(graphsurgeon::copy(model)) {
    graphsurgeon::infer_shapes(left_, {}, log_or_silence(nullptr));
  }

  std::unique_ptr<Model> run() {
    // Outer ones first: what is inside goes with them.
    for (size_t behind = 1;; ++behind) {
      const std::vector<Graph*> graphs = graphsurgeon::inner_graphs_first(*left_.graph);
      if (behind >= graphs.size()) break;
      thin_out(graphs.size() - 1 - behind);
    }
    return smaller_ ? std::make_unique<Model>(std::move(left_)) : nullptr;
  }

 private:
  std::optional<Model> with(size_t graph, const Part& part) const {
    Model candidate = graphsurgeon::copy(left_);
    if (!keep(*graphsurgeon::inner_graphs_first(*candidate.graph)[graph], part)) {
      return std::nullopt;
    }
    prune_unused(candidate);
    return candidate;
  }

  void thin_out(size_t graph) {
    const size_t count = graphsurgeon::inner_graphs_first(*left_.graph)[graph]->nodes().size();
    history_ += std::to_string(graph) + " of ";
    const Part needed = minimal_subset(count, [&](const Part& part) {
      Probe probe(well_formed_, history_ + to_text(part), [&] { return with(graph, part); });
      if (!probe.accepted()) return false;
      return tools_.test.fails({.key = history_ + to_text(part),
                                .about = "Keeping " + std::to_string(part.size()) + " of " +
                                         std::to_string(count) + " nodes of a body",
                                .make = [&] { return *with(graph, part); }});
    });
    if (needed.size() == count) return;
    left_ = *with(graph, needed);
    smaller_ = true;
    history_ += to_text(needed) + " ";
  }

  ShrinkTools& tools_;
  WellFormed well_formed_;
  Model left_;
  bool smaller_ = false;
  std::string history_;  // what became left_: questions about it depend on that
};

std::unique_ptr<Model> shrink(const Model& model, ShrinkTools& tools) {
  if (graphsurgeon::inner_graphs_first(*model.graph).size() == 1) return nullptr;
  return BodySearch(model, tools).run();
}

}  // namespace

extern const Shrinker shrinker_body_nodes;
constinit const Shrinker shrinker_body_nodes = {
    .name = "body nodes",
    .phrase = "Taking nodes away inside If, Loop and Scan",
    .order = 35,
    .shrink = shrink};

}  // namespace polygraphy
