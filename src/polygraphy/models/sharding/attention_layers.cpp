#include "polygraphy/models/sharding/attention_layers.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "graphsurgeon/ir/nested_graphs.h"
#include "graphsurgeon/operators/operator_facts.h"
#include "graphsurgeon/pattern/graph_pattern.h"

namespace polygraphy {
namespace {

using graphsurgeon::Graph;
using graphsurgeon::GraphPattern;
using graphsurgeon::Node;
using graphsurgeon::NodeRef;
using graphsurgeon::PatternMapping;
using graphsurgeon::PatternTensor;
using graphsurgeon::Tensor;

GraphPattern plain_pattern() {
  GraphPattern pattern;
  const PatternTensor q = pattern.variable(), k = pattern.variable(), v = pattern.variable();
  const PatternTensor scores = pattern.add("scores", "MatMul", {q, k});
  const PatternTensor weights = pattern.add("softmax", "Softmax", {scores});
  pattern.set_output_tensors({pattern.add("context", "MatMul", {weights, v})});
  return pattern;
}

// 1 / sqrt(head size); its root scales queries and keys, so that float16 does not overflow.
GraphPattern scaled_pattern() {
  GraphPattern pattern;
  const PatternTensor q = pattern.variable(), k = pattern.variable(), v = pattern.variable();
  const PatternTensor start = pattern.variable(), end = pattern.variable();
  const PatternTensor one = pattern.variable();
  const PatternTensor shape = pattern.add("shape", "Shape", {q});
  const PatternTensor size = pattern.add("slice", "Slice", {shape, start, end});
  const PatternTensor size_as_float = pattern.add("cast_size", "Cast", {size});
  const PatternTensor root = pattern.add("root", "Sqrt", {size_as_float});
  const PatternTensor cast_root = pattern.add("cast_root", "Cast", {root});
  const PatternTensor scale = pattern.add("div", "Div", {one, cast_root});
  const PatternTensor cast_scale = pattern.add("cast_scale", "Cast", {scale});
  const PatternTensor q_scale = pattern.add("q_scale", "Sqrt", {cast_scale});
  const PatternTensor k_scale = pattern.add("k_scale", "Sqrt", {cast_scale});
  const PatternTensor scaled_q = pattern.add("q_mul", "Mul", {q, q_scale});
  const PatternTensor scaled_k = pattern.add("k_mul", "Mul", {k, k_scale});
  const PatternTensor scores = pattern.add("scores", "MatMul", {scaled_q, scaled_k});
  const PatternTensor weights = pattern.add("softmax", "Softmax", {scores});
  pattern.set_output_tensors({pattern.add("context", "MatMul", {weights, v})});
  return pattern;
}

std::vector<AttentionLayer> match(const Graph& graph, AttentionPattern form) {
  const bool scaled = form == AttentionPattern::kScaled;
  std::vector<AttentionLayer> layers;
  for (const PatternMapping& found :
       (scaled ? scaled_pattern() : plain_pattern()).match_all(graph)) {
    AttentionLayer layer;
    layer.scores = NodeRef(&found.node("scores"));
    layer.softmax = NodeRef(&found.node("softmax"));
    layer.context = NodeRef(&found.node("context"));
    layer.q = {scaled ? &found.node("q_mul") : layer.scores.get(), 0};
    layer.k = scaled ? Use{&found.node("k_mul"), 0} : Use{layer.scores.get(), 1};
    layer.v = {layer.context.get(), 1};
    layers.push_back(std::move(layer));
  }
  return layers;
}

// --- any form

// Longer chains are not attention; so a search is bounded.
constexpr size_t kMaxNodes = 32;

bool is_product_of_values(const Node& node) {
  return node.op() == "MatMul" && node.inputs().size() == 2 && node.outputs().size() == 1 &&
         !node.inputs()[0]->is_constant() && !node.inputs()[1]->is_constant();
}

class AnyForm {
 public:
  explicit AnyForm(const Graph& graph) : graph_(graph), index_(graph) {
    for (const auto& output : graph.outputs()) outputs_.insert(output.get());
  }

  std::vector<AttentionLayer> find() {
    std::vector<AttentionLayer> layers;
    for (const NodeRef& node : graph_.nodes()) {
      if (node->op() != "Softmax" || node->inputs().empty() || node->outputs().size() != 1)
        continue;
      AttentionLayer layer;
      layer.softmax = node;
      if (find_scores(layer) && find_context(layer)) layers.push_back(std::move(layer));
    }
    std::stable_sort(layers.begin(), layers.end(),
                     [&](const AttentionLayer& a, const AttentionLayer& b) {
                       return *index_.find(*a.scores) < *index_.find(*b.scores);
                     });
    return layers;
  }

 private:
  // Nothing else sees the tensor.
  bool is_internal(const Tensor& tensor) const {
    return tensor.consumers().size() == 1 && !outputs_.contains(&tensor);
  }

  // Backwards over all operands, the nearest MatMul first; the way to it is kept.
  bool find_scores(AttentionLayer& layer) const {
    std::vector<Node*> queue;
    std::unordered_map<const Node*, Node*> next;  // towards the Softmax
    const auto look_at = [&](Node& node, size_t operands) {
      for (size_t i = 0; i < std::min(operands, node.inputs().size()); ++i) {
        Node* producer = node.inputs()[i]->producer();
        if (producer == nullptr || !index_.find(*producer) || !is_internal(*node.inputs()[i]) ||
            next.contains(producer)) {
          continue;
        }
        next.emplace(producer, &node);
        queue.push_back(producer);
      }
    };
    look_at(*layer.softmax, 1);
    for (size_t i = 0; i < queue.size() && i < kMaxNodes; ++i) {
      Node& node = *queue[i];
      if (is_product_of_values(node)) {
        layer.scores = NodeRef(&node);
        layer.q = {&node, 0};
        layer.k = {&node, 1};
        for (Node* at = next[&node]; at != layer.softmax.get(); at = next[at]) {
          layer.between.emplace_back(at);
        }
        return true;
      }
      const auto& facts = facts_of(node);
      if (facts.elementwise && !facts.steps) look_at(node, node.inputs().size());
    }
    return false;
  }

  bool find_context(AttentionLayer& layer) const {
    Tensor* weights = layer.softmax->outputs()[0];
    for (size_t i = 0; i < kMaxNodes && is_internal(*weights); ++i) {
      Node& node = *weights->consumers().front();
      if (!index_.find(node) || node.inputs().empty() || node.inputs()[0] != weights) return false;
      if (is_product_of_values(node)) {
        layer.context = NodeRef(&node);
        layer.v = {&node, 1};
        return true;
      }
      const bool passes = node.op() == "Cast" || node.op() == "Dropout" || node.op() == "Identity";
      if (!passes || node.outputs().empty()) return false;
      layer.between.emplace_back(&node);
      weights = node.outputs()[0];
    }
    return false;
  }

  const Graph& graph_;
  graphsurgeon::NodeIndex index_;
  std::unordered_set<const Tensor*> outputs_;
};

}  // namespace

std::vector<AttentionLayer> find_attention_layers(const Graph& graph, AttentionPattern pattern) {
  return pattern == AttentionPattern::kAny ? AnyForm(graph).find() : match(graph, pattern);
}

}  // namespace polygraphy
