#include "polygraphy/models/sharding/suggest_shard_hints.h"

#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "base/error.h"
#include "base/log_modules.h"
#include "graphsurgeon/ir/nested_graphs.h"
#include "polygraphy/models/sharding/attention_layers.h"

namespace polygraphy {
namespace {

using graphsurgeon::Captures;
using graphsurgeon::DimList;
using graphsurgeon::Graph;
using graphsurgeon::Model;
using graphsurgeon::Node;
using graphsurgeon::Tensor;

// The rank as the original knows it: a scalar has none.
std::optional<int64_t> rank_of(const Tensor& tensor) {
  const auto shape = tensor.shape();
  if (!shape || shape->empty()) return std::nullopt;
  return static_cast<int64_t>(shape->size());
}

std::optional<int64_t> sequence_axis(const Tensor& tensor) {
  const std::optional<DimList> shape = tensor.shape();
  for (size_t i = 0; shape && i < shape->size(); ++i) {
    const std::string& name = (*shape)[i].param();
    if (name == "seq_len" || name == "sequence_length") return static_cast<int64_t>(i);
  }
  return std::nullopt;
}

// Walks over the nodes of a graph; captures of their subgraphs count as their inputs.
class Walk {
 public:
  explicit Walk(Graph& graph) {
    for (const auto& input : graph.inputs()) inputs_.insert(input.get());
    for (const auto& output : graph.outputs()) outputs_.insert(output.get());
    for (const Graph* inner : graphsurgeon::inner_graphs_first(graph)) {
      if (inner != &graph) captures_.add(*inner);
    }
    for (const auto& node : graph.nodes()) {
      if (!node->has_subgraphs()) continue;
      for (const auto& inner : node->subgraphs_recursive()) {
        for (const auto& nested : inner->nodes()) outer_.emplace(nested.get(), node.get());
      }
    }
  }

  // The inputs of the graph that the node depends on and that no walk before came to.
  std::vector<Tensor*> inputs_of(Node& node) {
    std::vector<Tensor*> found;
    std::vector<Node*> queue;
    const auto visit = [&](Tensor& tensor) {
      if (!seen_backwards_.insert(&tensor).second) return;
      if (inputs_.contains(&tensor) && !tensor.is_constant()) found.push_back(&tensor);
      for (Node* producer : tensor.producers()) queue.push_back(producer);
    };
    const auto visit_inputs = [&](Node& of) {
      for (Tensor* input : of.inputs()) {
        if (!input->is_empty()) visit(*input);
      }
      captures_.for_each(of, visit);
    };
    visit_inputs(node);
    for (size_t i = 0; i < queue.size(); ++i) visit_inputs(*queue[i]);
    return found;
  }

  // The first outputs on each way from the node, of those that no walk before came to.
  std::vector<Tensor*> outputs_of(Node& node) {
    std::vector<Tensor*> found;
    std::vector<Node*> queue;
    const auto visit_outputs = [&](Node& of) {
      for (Tensor* output : of.outputs()) {
        if (!seen_forwards_.insert(output).second) continue;
        if (outputs_.contains(output)) {
          found.push_back(output);
          continue;
        }
        for (Node* consumer : output->consumers()) {
          const auto outer = outer_.find(consumer);
          queue.push_back(outer == outer_.end() ? consumer : outer->second);
        }
      }
    };
    visit_outputs(node);
    for (size_t i = 0; i < queue.size(); ++i) visit_outputs(*queue[i]);
    return found;
  }

 private:
  std::unordered_set<const Tensor*> inputs_, outputs_, seen_backwards_, seen_forwards_;
  Captures captures_;
  std::unordered_map<const Node*, Node*> outer_;  // of nodes in subgraphs: the one in this graph
};

void check_names(const Graph& graph) {
  std::unordered_map<std::string_view, const Node*> names;
  for (const auto& node : graph.nodes()) {
    const auto [first, is_new] = names.emplace(node->name(), node.get());
    if (is_new) continue;
    throw Error("All nodes in graph need to have unique names\nThe name '" +
                    std::string(node->name()) + "' belongs to a node " +
                    std::string(first->second->op()) + " and of a node " + std::string(node->op()) +
                    ".",
                "Give the nodes unique names.");
  }
}

// Axes and ranks of the tensors that a walk found.
std::vector<ShardTensor> describe(const std::vector<Tensor*>& tensors, int64_t index,
                                  std::optional<int64_t> rank, Logger& log) {
  std::vector<ShardTensor> described;
  for (const Tensor* tensor : tensors) {
    ShardTensor hint{.name = std::string(tensor->name()), .seq_len_idx = index, .rank = rank};
    if (const auto known = rank_of(*tensor)) hint.rank = known;
    if (const auto axis = sequence_axis(*tensor)) {
      hint.seq_len_idx = *axis;
      log.info(log_modules::kShardHints, "Found sequence_length index at " + std::to_string(*axis) +
                                             " for tensor " + hint.name);
    }
    described.push_back(std::move(hint));
  }
  return described;
}

}  // namespace

ShardHints suggest_shard_hints(const Model& model, const HintOptions& options, Logger& log) {
  Graph& graph = *model.graph;
  check_names(graph);
  ShardHints hints;
  hints.parallelism = options.parallelism;
  hints.pattern = options.pattern;
  hints.dist_collectives = options.collectives;
  hints.k_seq_len_idx = options.k_index;
  hints.v_seq_len_idx = options.v_index;
  const bool native = options.form == ContextParallelism::kNative;

  Walk walk(graph);
  std::vector<Tensor*> inputs, outputs;
  const auto add = [&log](std::vector<Tensor*>& all, const std::vector<Tensor*>& found) {
    for (Tensor* tensor : found) {
      log.info(log_modules::kShardHints, "Found dependent tensor " + std::string(tensor->name()));
      all.push_back(tensor);
    }
  };
  for (const AttentionLayer& layer : find_attention_layers(graph, options.pattern)) {
    const std::string q(layer.q.tensor().name());
    log.info(log_modules::kShardHints, "Found attention layer with Q tensor " + q);
    AttentionLayerHint hint{.q = q, .gather_kv = native, .gather_q = false};
    if (!native) hint.replace = options.fused;
    hints.attention_layers.push_back(std::move(hint));
    if (!hints.kv_rank) {
      log.info(log_modules::kShardHints, "Trying to find KV rank...");
      hints.kv_rank = rank_of(layer.k.tensor());
      if (!hints.kv_rank) hints.kv_rank = rank_of(layer.v.tensor());
      if (!hints.kv_rank) hints.kv_rank = options.kv_rank;
      if (hints.kv_rank) {
        log.info(log_modules::kShardHints, "KV has rank of " + std::to_string(*hints.kv_rank));
      }
    }
    if (!options.suggest_io) continue;
    add(inputs, walk.inputs_of(*layer.context));
    add(outputs, walk.outputs_of(*layer.context));
  }
  if (!hints.kv_rank) hints.kv_rank = options.kv_rank;
  hints.inputs = describe(inputs, options.input_index, options.input_rank, log);
  hints.outputs = describe(outputs, options.output_index, options.output_rank, log);
  return hints;
}

}  // namespace polygraphy
