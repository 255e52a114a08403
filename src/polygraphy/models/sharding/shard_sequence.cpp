#include "polygraphy/models/sharding/shard_sequence.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/log_modules.h"
#include "base/text.h"
#include "graphsurgeon/ir/nested_graphs.h"
#include "graphsurgeon/passes/tensor_lookup.h"
#include "polygraphy/models/sharding/attention_layers.h"
#include "polygraphy/models/sharding/collectives.h"
#include "polygraphy/models/sharding/unique_node_names.h"

namespace polygraphy {
namespace {

using graphsurgeon::Dim;
using graphsurgeon::DimList;
using graphsurgeon::Graph;
using graphsurgeon::Model;
using graphsurgeon::Node;
using graphsurgeon::NodeRef;
using graphsurgeon::Tensor;
using graphsurgeon::TensorRef;

constexpr int64_t kMaxRank = 1024;  // far beyond the limits of runtimes

// The place of a hint for a tensor, for messages.
struct Place {
  std::string hint;  // "input 0 of the hints"
  std::string axis_key, rank_key;
};

std::string named(const Node& node) {
  return "node '" + std::string(node.name()) + "' (" + std::string(node.op()) + ")";
}

std::string quoted(std::string_view name) {
  return "'" + std::string(name) + "'";
}

class SequenceSharder {
 public:
  SequenceSharder(Model& model, const ShardHints& hints, const ShardOptions& options, Logger& log)
      : graph_(*model.graph),
        hints_(hints),
        options_(options),
        log_(log),
        tensors_(graph_),
        new_nodes_(model, hints.dist_collectives, log) {}

  void run() {
    // By the names of the model, before the first edit.
    std::vector<AttentionLayer> layers = find_attention_layers(graph_, options_.pattern);
    std::unordered_map<std::string, std::vector<AttentionLayer*>> by_queries;
    for (AttentionLayer& layer : layers) {
      by_queries[std::string(layer.q.tensor().name())].push_back(&layer);
    }
    for (size_t i = 0; i < hints_.inputs.size(); ++i) scatter_input(i);
    if (hints_.inputs.empty() && hints_.attention_layers.empty() && hints_.outputs.empty())
      warn_of_nothing();
    log_.info(log_modules::kShard, "Found " + std::to_string(layers.size()) +
                                       " attention pattern matches in the graph.");
    std::unordered_set<std::string_view> done;
    for (size_t i = 0; i < hints_.attention_layers.size(); ++i) {
      const AttentionLayerHint& hint = hints_.attention_layers[i];
      log_.info(log_modules::kShard, "Processing attention layer: q=" + hint.q +
                                         ", gather_q=" + (hint.gather_q ? "True" : "False") +
                                         ", gather_kv=" + (hint.gather_kv ? "True" : "False"));
      const auto found = by_queries.find(hint.q);
      if (found == by_queries.end()) refuse_layer(i, layers);
      if (!done.insert(hint.q).second) continue;
      for (AttentionLayer* layer : found->second) {
        hint.replace ? fuse(i, *layer) : gather(i, *layer);
      }
    }
    const bool gathers_queries =
        std::any_of(hints_.attention_layers.begin(), hints_.attention_layers.end(),
                    [](const AttentionLayerHint& layer) { return layer.gather_q; });
    if (!gathers_queries) {
      for (size_t i = 0; i < hints_.outputs.size(); ++i) gather_output(i);
    }
    new_nodes_.finish();
    forget_dimensions(gathers_queries);
    name_outputs();
  }

 private:
  void warn_of_nothing() {
    std::string text =
        "The hints have no attention layers, inputs or outputs: the model is not split, and each "
        "device computes all of it.";
    const size_t others = options_.pattern == AttentionPattern::kAny
                              ? 0
                              : find_attention_layers(graph_, AttentionPattern::kAny).size();
    if (others > 0) {
      text += " It has " + std::to_string(others) +
              (others == 1 ? " attention layer" : " attention layers") +
              " with scales, masks or casts in between: --attention-pattern 2 matches " +
              (others == 1 ? "it." : "them.");
    }
    log_.warning(log_modules::kShard, text);
  }

  // --- axes and ranks

  std::optional<int64_t> rank_of(const Tensor& tensor, std::optional<int64_t> hinted,
                                 const Place& place) {
    const auto shape = tensor.shape();
    if (!shape) return hinted;
    const auto rank = static_cast<int64_t>(shape->size());
    if (hinted && *hinted != rank) {
      throw Error(place.hint + ": " + place.rank_key + " is " + std::to_string(*hinted) +
                      ", but the tensor " + quoted(tensor.name()) + " has rank " +
                      std::to_string(rank) + " in the model.",
                  "Correct the rank, or leave it null.");
    }
    return rank;
  }

  // The permutation that swaps the axis and the first one; empty: it is the first.
  std::vector<int64_t> permutation(const Tensor& tensor, int64_t axis,
                                   std::optional<int64_t> hinted, const Place& place) {
    const std::optional<int64_t> rank = rank_of(tensor, hinted, place);
    if (rank && *rank > kMaxRank) {
      throw Error(place.hint + ": " + place.rank_key + " is " + std::to_string(*rank) +
                      ", but no tensor has more than " + std::to_string(kMaxRank) + " axes.",
                  "Correct the rank.");
    }
    if (rank && (axis < 0 || axis >= *rank)) {
      throw Error("Transpose idx for tensor " + std::string(tensor.name()) +
                      " is out of range for rank\n" + place.hint + ": " + place.axis_key + " is " +
                      std::to_string(axis) + ", and the tensor has rank " + std::to_string(*rank) +
                      ".",
                  "Axes count from 0.");
    }
    if (axis == 0) return {};
    if (!rank) {
      throw Error(kShardRankUnknown,
                  "Transpose for tensor " + std::string(tensor.name()) +
                      " is missing rank information in tensor or configuration\n" + place.hint +
                      ": " + place.axis_key + " is " + std::to_string(axis) + ", but neither " +
                      place.rank_key + " nor the model has the rank.",
                  "Infer the shapes of the model, or write the rank into the hints.");
    }
    if (!hinted) {
      log_.info(log_modules::kShard, "Specified rank for " + std::string(tensor.name()) +
                                         " was missing but shape was provided in model");
    }
    std::vector<int64_t> permutation(static_cast<size_t>(*rank));
    std::iota(permutation.begin(), permutation.end(), 0);
    std::swap(permutation[0], permutation[static_cast<size_t>(axis)]);
    return permutation;
  }

  // The collective along `axis`, between two transposes where that is not the first.
  TensorRef along(const TensorRef& tensor, CollectiveOperation operation, int64_t axis,
                  std::optional<int64_t> hinted_rank, const Place& place) {
    const std::vector<int64_t> swap = permutation(*tensor, axis, hinted_rank, place);
    if (swap.empty()) return new_nodes_.collective(tensor, operation);
    const TensorRef front = new_nodes_.transpose(tensor, swap);
    return new_nodes_.transpose(new_nodes_.collective(front, operation), swap);
  }

  Tensor& find(const std::string& name, const Place& place) {
    if (Tensor* tensor = tensors_.find(name)) return *tensor;
    try {
      return tensors_.get(name);
    } catch (const Error& error) {
      throw Error(place.hint + ": " + error.what(), error.hint());
    }
  }

  // --- inputs

  void scatter_input(size_t i) {
    const ShardTensor& hint = hints_.inputs[i];
    const Place place{"Input " + std::to_string(i) + " of the hints", "'seq_len_idx'", "'rank'"};
    Tensor& input = find(hint.name, place);
    if (scattered_.contains(&input)) return;
    const int64_t devices = hints_.dist_collectives.nb_rank;
    if (const auto shape = input.shape();
        shape && hint.seq_len_idx >= 0 && hint.seq_len_idx < static_cast<int64_t>(shape->size())) {
      const Dim& length = (*shape)[static_cast<size_t>(hint.seq_len_idx)];
      if (length.is_static() && length.value() % devices != 0) {
        throw Error(place.hint + ": the tensor " + quoted(input.name()) + " has length " +
                        std::to_string(length.value()) + " in axis " +
                        std::to_string(hint.seq_len_idx) + ", which cannot be split evenly among " +
                        std::to_string(devices) + " devices.",
                    "Correct the axis or 'nb_rank', or pad the sequence.");
      }
    }
    const std::vector<NodeRef> consumers = input.consumers().snapshot();
    const TensorRef part = along(TensorRef(&input), CollectiveOperation::kReduceScatter,
                                 hint.seq_len_idx, hint.rank, place);
    replace_in(consumers, input, part);
    scattered_.emplace(&input, part);
  }

  // --- attention layers

  [[noreturn]] void refuse_layer(size_t i, const std::vector<AttentionLayer>& layers) {
    const Place place{"Attention layer " + std::to_string(i) + " of the hints", "", ""};
    const Tensor& queries = find(hints_.attention_layers[i].q, place);
    std::string known;
    for (const AttentionLayer& layer : layers) {
      if (!known.empty()) known += ", ";
      known += quoted(layer.q.tensor().name());
    }
    throw Error(place.hint + ": no attention layer has its queries in " + quoted(queries.name()) +
                    ": " +
                    (known.empty() ? "there are no attention layers"
                                   : "the queries of the layers are in " + known) +
                    ".",
                "Use the attention pattern of the hints.");
  }

  // A tensor is gathered once along an axis.
  TensorRef gathered(const TensorRef& tensor, int64_t axis, std::optional<int64_t> rank,
                     const Place& place) {
    TensorRef& whole = gathered_[{tensor.get(), axis}];
    if (!whole) whole = along(tensor, CollectiveOperation::kAllGather, axis, rank, place);
    return whole;
  }

  void gather(const Use& use, int64_t axis, const Place& place) {
    const TensorRef part(&use.tensor());
    use.node->inputs().set(use.slot, gathered(part, axis, hints_.kv_rank, place));
  }

  // `from_end`: where MatMul has the sequence.
  void check_axis(const Use& use, int64_t axis, int64_t from_end, const Place& place) {
    const auto shape = use.tensor().shape();
    if (!shape) return;
    const auto rank = static_cast<int64_t>(shape->size());
    if (rank < from_end || axis == rank - from_end) return;
    log_.warning(log_modules::kShard, place.hint + ": " + place.axis_key + " is " +
                                          std::to_string(axis) + ", but " + named(*use.node) +
                                          " uses axis " + std::to_string(rank - from_end) + " of " +
                                          quoted(use.tensor().name()) + " for the sequence.");
  }

  void gather(size_t i, AttentionLayer& layer) {
    const AttentionLayerHint& hint = hints_.attention_layers[i];
    check_masks(i, layer);
    Place place{"Attention layer " + std::to_string(i) + " of the hints", "'v_seq_len_idx'",
                "'kv_rank'"};
    // Queries have their sequence where values have it: in the rows of their matrices.
    if (hint.gather_q) gather(layer.q, hints_.v_seq_len_idx, place);
    if (!hint.gather_kv) return;
    Place keys = place;
    keys.axis_key = "'k_seq_len_idx'";
    check_axis(layer.k, hints_.k_seq_len_idx, 1, keys);
    check_axis(layer.v, hints_.v_seq_len_idx, 2, place);
    gather(layer.k, hints_.k_seq_len_idx, keys);
    gather(layer.v, hints_.v_seq_len_idx, place);
  }

  // Each device has some rows of the scores, and would add all rows of a constant.
  void check_masks(size_t i, const AttentionLayer& layer) {
    if (hints_.attention_layers[i].gather_q) return;
    for (const NodeRef& node : layer.between) {
      for (const Tensor* operand : node->inputs()) {
        if (!operand->is_constant()) continue;
        const auto shape = operand->shape();
        if (!shape || shape->size() < 2) continue;
        const Dim& rows = (*shape)[shape->size() - 2];
        if (rows.is_static() && rows.value() == 1) continue;
        throw Error("Attention layer " + std::to_string(i) + " of the hints: the constant " +
                        quoted(operand->name()) + " of " + named(*node) + " has " +
                        std::to_string(rows.value()) +
                        " rows, one per query, but each device has only a part of the queries.",
                    "Make the constant an input of the model, and scatter it along its rows.");
      }
    }
  }

  TensorRef shuffled(const TensorRef& tensor, const std::optional<std::vector<int64_t>>& shuffle,
                     const std::string& where) {
    if (!shuffle || shuffle->empty()) return tensor;
    std::vector<int64_t> sorted = *shuffle;
    std::sort(sorted.begin(), sorted.end());
    for (size_t axis = 0; axis < sorted.size(); ++axis) {
      if (sorted[axis] == static_cast<int64_t>(axis)) continue;
      throw Error(where + " is not a permutation of the axes 0 to " +
                      std::to_string(sorted.size() - 1) + ".",
                  "Name each axis once.");
    }
    const auto shape = tensor->shape();
    if (shape && shape->size() != shuffle->size()) {
      throw Error(where + " has " + std::to_string(shuffle->size()) + " axes, but the tensor " +
                      quoted(tensor->name()) + " has rank " + std::to_string(shape->size()) + ".",
                  "Name each axis once.");
    }
    return new_nodes_.transpose(tensor, *shuffle);
  }

  void fuse(size_t i, AttentionLayer& layer) {
    const AttentionLayerHint& hint = hints_.attention_layers[i];
    const std::string where = "Attention layer " + std::to_string(i) + " of the hints";
    if (hint.gather_q) {
      throw Error(where +
                      ": 'gather_q' and 'replace' exclude each other: an Attention node already "
                      "gathers its operands.",
                  "Set 'gather_q' to false, or 'replace' to null.");
    }
    if (!layer.between.empty()) {
      throw Error(where + ": " + named(*layer.between.front()) +
                      " is between the MatMuls, and an Attention node would lose it.",
                  "Set 'replace' to null, so that keys and values are gathered.");
    }
    const FusedAttention& fused = *hint.replace;
    const TensorRef q =
        shuffled(TensorRef(layer.scores->inputs()[0]), fused.q_shuffle, where + ": 'q_shuffle'");
    const TensorRef k =
        shuffled(TensorRef(layer.scores->inputs()[1]), fused.k_shuffle, where + ": 'k_shuffle'");
    const TensorRef v =
        shuffled(TensorRef(layer.context->inputs()[1]), fused.v_shuffle, where + ": 'v_shuffle'");
    const TensorRef output(layer.context->outputs()[0]);
    new_nodes_.remove(*layer.scores);
    new_nodes_.remove(*layer.softmax);
    new_nodes_.remove(*layer.context);
    NodeRef node = Node::create(graph_.store(), "Attention", new_nodes_.next_name());
    node->inputs().assign({q, k, v});
    node->outputs().append(output);
    node->set_attribute("is_causal", fused.is_causal ? 1 : 0);
    node->set_attribute("scale", 1.0);
    node->set_attribute("TRT_decomposable", 0);
    node->set_attribute("nb_rank", fused.nb_rank);
    new_nodes_.add_behind(*layer.context, std::move(node));
  }

  // --- outputs

  void gather_output(size_t i) {
    const ShardTensor& hint = hints_.outputs[i];
    const Place place{"Output " + std::to_string(i) + " of the hints", "'seq_len_idx'", "'rank'"};
    TensorRef part(&find(hint.name, place));
    const auto scattered = scattered_.find(part.get());
    std::vector<size_t> positions;
    for (size_t at = 0; at < graph_.outputs().size(); ++at) {
      if (graph_.outputs()[at] == part) positions.push_back(at);
    }
    if (!outputs_.insert(part.get()).second) return;
    // Nodes that go on with their part keep it; those that gather it, too.
    std::vector<NodeRef> consumers;
    if (positions.empty()) consumers = part->consumers().snapshot();
    std::erase_if(consumers, [&](const NodeRef& node) { return new_nodes_.has_made(*node); });
    if (positions.empty() && consumers.empty()) {
      throw Error(
          place.hint + ": the tensor " + quoted(hint.name) +
              " is neither an output nor used by a node: the gathered tensor would be unused.",
          "Name an output of the graph.");
    }
    const auto declared = part->shape();
    const TensorRef local = scattered == scattered_.end() ? part : scattered->second;
    const TensorRef whole =
        along(local, CollectiveOperation::kAllGather, hint.seq_len_idx, hint.rank, place);
    whole->set_shape(declared);
    whole_.insert(whole.get());
    replace_in(consumers, *part, whole);
    for (const size_t at : positions) {
      graph_.mutable_outputs()[at] = whole;
      renamed_.emplace_back(part, whole);
    }
  }

  void name_outputs() {
    if (!options_.keep_output_names) return;
    for (const auto& [part, whole] : renamed_) {
      if (scattered_.contains(part.get())) continue;  // an input of the graph, which has the name
      const std::string name(part->name());
      part->set_name(whole->name());
      whole->set_name(name);
    }
  }

  // --- dimensions

  // Each device has fewer than the model says.
  void forget_dimensions(bool outputs_are_whole) {
    if (scattered_.empty()) return;
    std::unordered_set<const Tensor*> kept = whole_;
    for (const auto& input : graph_.inputs()) kept.insert(input.get());
    if (outputs_are_whole) {
      for (const auto& output : graph_.outputs()) kept.insert(output.get());
    }
    std::unordered_map<const Node*, Node*> outer;
    for (const auto& node : graph_.nodes()) {
      if (!node->has_subgraphs()) continue;
      for (const auto& inner : node->subgraphs_recursive()) {
        for (const auto& nested : inner->nodes()) outer.emplace(nested.get(), node.get());
      }
    }
    std::vector<Tensor*> queue;
    std::unordered_set<const Tensor*> seen;
    const auto visit = [&](Tensor* tensor) {
      if (!tensor->is_empty() && seen.insert(tensor).second) queue.push_back(tensor);
    };
    for (const auto& hint : hints_.inputs) {
      if (Tensor* input = tensors_.find(hint.name)) visit(scattered_.at(input).get());
    }
    for (size_t i = 0; i < queue.size(); ++i) {
      Tensor& tensor = *queue[i];
      if (const auto shape = tensor.shape(); shape && !kept.contains(&tensor)) {
        tensor.set_shape(DimList(shape->size()));
      }
      for (Node* consumer : tensor.consumers()) {
        for (Tensor* output : consumer->outputs()) visit(output);
        if (const auto around = outer.find(consumer); around != outer.end()) {
          for (Tensor* output : around->second->outputs()) visit(output);
        }
      }
    }
  }

  Graph& graph_;
  const ShardHints& hints_;
  const ShardOptions& options_;
  Logger& log_;
  graphsurgeon::TensorLookup tensors_;
  NewNodes new_nodes_;
  std::unordered_map<const Tensor*, TensorRef> scattered_;  // inputs, and each device's part
  std::map<std::pair<const Tensor*, int64_t>, TensorRef> gathered_;
  std::unordered_set<const Tensor*> outputs_, whole_;
  std::vector<std::pair<TensorRef, TensorRef>> renamed_;
};

}  // namespace

void shard_sequence(Model& model, const ShardHints& hints, const ShardOptions& options,
                    Logger& log) {
  make_node_names_unique(model, log);
  SequenceSharder(model, hints, options, log).run();
}

}  // namespace polygraphy
