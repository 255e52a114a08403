#include "polygraphy/models/sharding/shard_weights.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/arrays/py_repr.h"
#include "base/error.h"
#include "base/log_modules.h"
#include "graphsurgeon/ir/copy.h"
#include "polygraphy/models/sharding/collectives.h"
#include "polygraphy/models/sharding/split_constant.h"
#include "polygraphy/models/sharding/unique_node_names.h"

namespace polygraphy {
namespace {

using graphsurgeon::Attribute;
using graphsurgeon::Dim;
using graphsurgeon::DimList;
using graphsurgeon::Graph;
using graphsurgeon::Model;
using graphsurgeon::Node;
using graphsurgeon::NodeRef;
using graphsurgeon::Tensor;
using graphsurgeon::TensorRef;

constexpr size_t kPresentOutput = 1;
constexpr size_t kHeadsAxis = 2;  // of a cache: batch, keys and values, heads, sequence, size

// A product with a weight, and the nodes between it and the start of the search for it.
struct Projection {
  Node* product = nullptr;
  std::vector<Node*> between;

  Tensor& weight() const { return *product->inputs()[1]; }
};

struct SplitAttention {
  Node* node = nullptr;
  size_t past = 0;  // the input that is the cache
  Projection q, k, v, o;
};

struct SplitBlock {
  Projection gate, up, down;
  std::vector<Node*> between;
};

std::string named(const Node& node) {
  return "node '" + std::string(node.name()) + "' (" + std::string(node.op()) + ")";
}

std::string quoted(std::string_view name) {
  return "'" + std::string(name) + "'";
}

bool is_product_with_weight(const Node& node) {
  return node.op() == "MatMul" && node.inputs().size() == 2 && node.outputs().size() == 1 &&
         node.inputs()[1]->is_constant() && node.inputs()[1]->shape()->size() >= 2;
}

// The input that is not a constant, if there is one; else null.
Tensor* data_input(const Node& node) {
  Tensor* data = nullptr;
  for (Tensor* input : node.inputs()) {
    if (input->is_empty() || input->is_constant()) continue;
    if (data != nullptr) return nullptr;
    data = input;
  }
  return data;
}

// Backwards from a tensor along nodes with one input that is not a constant.
std::optional<Projection> projection_before(const Tensor& tensor) {
  Projection found;
  std::unordered_set<const Node*> seen;
  for (const Tensor* at = &tensor; at != nullptr;) {
    Node* node = at->producer();
    if (node == nullptr || !seen.insert(node).second) return std::nullopt;
    if (is_product_with_weight(*node)) {
      found.product = node;
      return found;
    }
    found.between.push_back(node);
    at = data_input(*node);
  }
  return std::nullopt;
}

// Forwards, along nodes that are the only consumer.
std::optional<Projection> projection_behind(const Tensor& tensor) {
  Projection found;
  std::unordered_set<const Node*> seen;
  for (const Tensor* at = &tensor; at->consumers().size() == 1;) {
    Node* node = at->consumers().front();
    if (!seen.insert(node).second || node->inputs()[0] != at) return std::nullopt;
    if (is_product_with_weight(*node)) {
      found.product = node;
      return found;
    }
    if (data_input(*node) != at || node->outputs().size() != 1) return std::nullopt;
    found.between.push_back(node);
    at = node->outputs()[0];
  }
  return std::nullopt;
}

class WeightSharder {
 public:
  WeightSharder(Model& model, const ShardHints& hints, const ShardOptions& options, int64_t rank,
                Logger& log)
      : graph_(*model.graph),
        devices_(hints.dist_collectives.nb_rank),
        rank_(rank),
        options_(options),
        log_(log),
        new_nodes_(model, hints.dist_collectives, log) {}

  void run() {
    find_attention();
    find_blocks();
    if (attention_.empty() && blocks_.empty()) {
      log_.warning(log_modules::kShard,
                   "The model cannot be split: it has neither AttentionPlugin nodes between "
                   "products with weights nor gated blocks. All devices get the whole model.");
      return;
    }
    for (const SplitAttention& attention : attention_) split(attention);
    for (const SplitBlock& block : blocks_) split(block);
    for (const SplitAttention& attention : attention_) reduce(attention.o);
    for (const SplitBlock& block : blocks_) reduce(block.down);
    for (const SplitAttention& attention : attention_) divide_heads(attention);
    new_nodes_.finish();
    replace_weights();
    forget_dimensions();
  }

 private:
  void say_found(const Node& node) {
    log_.info(log_modules::kShard, "Found node " + std::string(node.name()));
  }

  // --- the split tensors

  void find_attention() {
    for (const NodeRef& node : graph_.nodes()) {
      if (node->op() != "AttentionPlugin") continue;
      // Queries, keys and values are three inputs, or one that puts them side by side.
      Node* packed = node->inputs().empty() ? nullptr : node->inputs()[0]->producer();
      if (packed != nullptr && (packed->op() != "Concat" || packed->inputs().size() != 3)) {
        packed = nullptr;
      }
      const auto& sources = packed != nullptr ? packed->inputs() : node->inputs();
      if (sources.size() < 3 || node->outputs().empty()) {
        throw Error("The " + named(*node) + " has " + std::to_string(node->inputs().size()) +
                        " inputs and " + std::to_string(node->outputs().size()) +
                        " outputs: queries, keys and values are expected, and one output.",
                    "Only plugins of this form can be split.");
      }
      if (packed != nullptr) say_found(*packed);
      const auto before = [&](size_t i, const char* what) {
        const auto found = projection_before(*sources[i]);
        if (!found) {
          throw Error("The " + std::string(what) + " " + quoted(sources[i]->name()) + " of " +
                          named(*node) +
                          " do not come from a MatMul with a constant, so they cannot be split.",
                      "Fold constants first, or make the projection a MatMul.");
        }
        say_found(*found->product);
        return *found;
      };
      SplitAttention attention;
      attention.node = node.get();
      attention.past = packed != nullptr ? 1 : 3;
      attention.q = before(0, "queries");
      attention.k = before(1, "keys");
      attention.v = before(2, "values");
      const auto behind = projection_behind(*node->outputs()[0]);
      if (!behind) {
        throw Error(
            "The result " + quoted(node->outputs()[0]->name()) + " of " + named(*node) +
                " has other consumers than a MatMul with a constant, so its parts cannot be added.",
            "Fold constants first, or make the projection a MatMul.");
      }
      attention.o = *behind;
      say_found(*behind->product);
      attention_.push_back(std::move(attention));
    }
  }

  // gate -> Sigmoid (-> Mul with gate) -> Mul with up -> down
  std::optional<SplitBlock> block_around(Node& sigmoid) {
    if (sigmoid.inputs().size() != 1 || sigmoid.outputs().size() != 1) return std::nullopt;
    const auto gate = projection_before(*sigmoid.inputs()[0]);
    if (!gate) return std::nullopt;
    SplitBlock block;
    block.gate = *gate;
    block.between = {&sigmoid};
    const Tensor* at = sigmoid.outputs()[0];
    for (int i = 0; i < 2 && at->consumers().size() == 1; ++i) {
      Node* product = at->consumers().front();
      if (product->op() != "Mul" || product->inputs().size() != 2) return std::nullopt;
      const Tensor* other = product->inputs()[product->inputs()[0] == at ? 1 : 0];
      block.between.push_back(product);
      at = product->outputs()[0];
      if (other == sigmoid.inputs()[0]) continue;
      const auto up = projection_before(*other);
      const auto down = projection_behind(*at);
      if (!up || !down || up->product == gate->product) return std::nullopt;
      block.up = *up;
      block.down = *down;
      return block;
    }
    return std::nullopt;
  }

  void find_blocks() {
    for (const NodeRef& node : graph_.nodes()) {
      if (node->op() != "Sigmoid") continue;
      auto block = block_around(*node);
      if (!block) continue;
      say_found(*block->gate.product);
      for (size_t i = 1; i < block->between.size(); ++i) say_found(*block->between[i]);
      say_found(*block->up.product);
      say_found(*block->down.product);
      blocks_.push_back(std::move(*block));
    }
  }

  // --- splitting

  // Constants are split once for each axis.
  TensorRef part(Tensor& constant, size_t axis) {
    const auto [found, is_new] = parts_.try_emplace({&constant, axis});
    if (is_new) {
      const Array values = constant.values();
      found->second = graph_.constant(constant.name(),
                                      part_of(values, static_cast<int64_t>(axis), rank_, devices_));
      order_.emplace_back(TensorRef(&constant), found->second);
    }
    return found->second;
  }

  // `from_end`: 1 for columns, 2 for rows.
  void split_weight(const Projection& projection, size_t from_end) {
    Tensor& weight = projection.weight();
    const Shape shape = weight.payload()->shape();
    const size_t axis = shape.size() - from_end;
    if (shape[axis] % devices_ != 0) {
      throw Error(std::string(weight.name()) + " cannot be TP sharded on " +
                      std::to_string(devices_) + " ranks with shape " +
                      py_list_repr(std::span<const int64_t>(shape)) + "\nThe weight of " +
                      named(*projection.product) + " has " + std::to_string(shape[axis]) +
                      (from_end == 1 ? " columns." : " rows."),
                  "Choose a number of devices that divides it.");
    }
    Shape divided = shape;
    divided[axis] /= devices_;
    log_.info(log_modules::kShard, std::string(weight.name()) + " going from " +
                                       py_tuple_repr(std::span<const int64_t>(shape)) + " -> " +
                                       py_tuple_repr(std::span<const int64_t>(divided)));
    projection.product->inputs().set(1, part(weight, axis));
    split_from_.push_back(projection.product);
  }

  void split_columns(const Projection& projection) {
    const int64_t columns = projection.weight().payload()->shape().back();
    split_weight(projection, 1);
    for (Node* node : projection.between) split_between(*node, columns);
  }

  void split_rows(const Projection& projection) {
    const Shape shape = projection.weight().payload()->shape();
    const int64_t rows = shape[shape.size() - 2];
    split_weight(projection, 2);
    for (Node* node : projection.between) split_between(*node, rows);
  }

  // Constants with a value for each of `size` columns are split with them; shapes are divided.
  void split_between(Node& node, int64_t size) {
    if (!split_nodes_.insert(&node).second) return;
    for (size_t i = 0; i < node.inputs().size(); ++i) {
      Tensor* constant = node.inputs()[i];
      if (!constant->is_constant()) continue;
      const Shape shape = constant->payload()->shape();
      if (node.op() == "Reshape" && i == 1) {
        divide_shape(node, *constant, size);
      } else if (!shape.empty() && shape.back() == size && size > 1) {
        node.inputs().set(i, part(*constant, shape.size() - 1));
      }
    }
  }

  // [0, 0, heads, size] and [0, 0, heads * size] of all devices: of one. A -1 follows by itself.
  void divide_shape(Node& node, Tensor& constant, int64_t size) {
    const Array values = constant.values();
    std::vector<int64_t> dims;
    for (int64_t i = 0; i < values.size(); ++i) dims.push_back(values.get_int64(i));
    std::optional<size_t> divided;
    if (dims.size() >= 4 && dims.back() > 0 && dims[dims.size() - 2] > 0 &&
        dims.back() * dims[dims.size() - 2] == size) {
      divided = dims.size() - 2;
    } else if (!dims.empty() && dims.back() == size) {
      divided = dims.size() - 1;
    }
    if (!divided) return;
    if (dims[*divided] % devices_ != 0) {
      throw Error("The shape " + py_list_repr(std::span<const int64_t>(dims)) + " of " +
                      named(node) + " cannot be split among " + std::to_string(devices_) +
                      " devices: " + std::to_string(dims[*divided]) + " is not divisible.",
                  "Choose a number of devices that divides the number of heads.");
    }
    dims[*divided] /= devices_;
    const auto [found, is_new] = parts_.try_emplace({&constant, *divided});
    if (is_new) {
      found->second = graph_.constant(
          constant.name(),
          Array::of<int64_t>({static_cast<int64_t>(dims.size())}, std::span<const int64_t>(dims)));
      order_.emplace_back(TensorRef(&constant), found->second);
    }
    node.inputs().set(1, found->second);
  }

  void split(const SplitAttention& attention) {
    split_columns(attention.q);
    split_columns(attention.k);
    split_columns(attention.v);
    split_rows(attention.o);
  }

  void split(const SplitBlock& block) {
    split_columns(block.up);
    split_rows(block.down);
    split_columns(block.gate);
  }

  // Everything that reads the sum of the parts reads it from all devices.
  void reduce(const Projection& projection) {
    Tensor& part = *projection.product->outputs()[0];
    if (!reduced_.insert(&part).second) return;
    const std::vector<NodeRef> consumers = part.consumers().snapshot();
    const TensorRef sum = new_nodes_.collective(TensorRef(&part), CollectiveOperation::kAllReduce);
    replace_in(consumers, part, sum);
    for (size_t at = 0; at < graph_.outputs().size(); ++at) {
      if (graph_.outputs()[at].get() != &part) continue;
      graph_.mutable_outputs()[at] = sum;
      if (!options_.keep_output_names) continue;
      const std::string name(part.name());
      part.set_name(sum->name());
      sum->set_name(name);
    }
  }

  // --- heads

  int64_t heads(const Node& node, const char* attribute) {
    const Attribute* found = node.attribute(attribute);
    if (found == nullptr || !std::holds_alternative<int64_t>(found->value)) {
      throw Error(
          "The " + named(node) + " has no attribute " + attribute + " with a number of heads.",
          "Only plugins with attributes for their numbers of heads can be split.");
    }
    return found->as_int();
  }

  void divide_heads(const SplitAttention& attention) {
    Node& node = *attention.node;
    const int64_t q_heads = heads(node, "num_q_heads"), kv_heads = heads(node, "num_kv_heads");
    if (q_heads % devices_ != 0 || kv_heads % devices_ != 0) {
      throw Error("Q heads or KV heads are not evenly divisible by " + std::to_string(devices_) +
                      "\nThe " + named(node) + " has " + std::to_string(q_heads) +
                      " heads of queries and " + std::to_string(kv_heads) + " of keys and values.",
                  "Choose a number of devices that divides both.");
    }
    node.set_attribute("num_q_heads", q_heads / devices_);
    node.set_attribute("num_kv_heads", kv_heads / devices_);
    if (node.inputs().size() > attention.past) {
      Tensor& past = *node.inputs()[attention.past];
      if (past.is_constant() && past.payload()->shape().size() > kHeadsAxis) {
        check_cache(node, past, kv_heads);
        node.inputs().set(attention.past, part(past, kHeadsAxis));
      } else {
        divide_cache(node, past, kv_heads);
      }
    }
    if (node.outputs().size() > kPresentOutput) {
      divide_cache(node, *node.outputs()[kPresentOutput], kv_heads);
    }
  }

  // Whether the cache says its number of heads.
  bool check_cache(const Node& node, const Tensor& cache, int64_t kv_heads) {
    const auto shape = cache.shape();
    if (!shape || shape->size() <= kHeadsAxis) return false;
    const Dim& dim = (*shape)[kHeadsAxis];
    if (!dim.is_static()) return false;
    if (dim.value() == kv_heads) return true;
    throw Error("The cache " + quoted(cache.name()) + " of " + named(node) + " has " +
                    std::to_string(dim.value()) + " in axis " + std::to_string(kHeadsAxis) +
                    ", but the node has " + std::to_string(kv_heads) + " heads of keys and values.",
                "Correct num_kv_heads or the shape of the cache.");
  }

  void divide_cache(const Node& node, Tensor& cache, int64_t kv_heads) {
    if (cache.is_empty() || !caches_.insert(&cache).second) return;
    if (check_cache(node, cache, kv_heads)) cache.set_dim(kHeadsAxis, kv_heads / devices_);
  }

  // --- the end

  // A part has the name of the whole, unless that is still needed or has several parts.
  void replace_weights() {
    std::unordered_map<const Tensor*, std::vector<TensorRef>> by_whole;
    for (const auto& [whole, part] : order_) by_whole[whole.get()].push_back(part);
    std::unordered_set<const Tensor*> outputs;
    for (const auto& output : graph_.outputs()) outputs.insert(output.get());
    std::vector<TensorRef> initializers;
    std::unordered_set<const Tensor*> done;
    const auto add_parts = [&](const TensorRef& whole) {
      if (!done.insert(whole.get()).second) return;
      const bool needed = !whole->consumers().empty() || outputs.contains(whole.get());
      std::vector<TensorRef>& parts = by_whole[whole.get()];
      if (needed) initializers.push_back(whole);
      for (size_t i = 0; i < parts.size(); ++i) {
        if (needed || i != 0) parts[i]->set_name(new_nodes_.next_name());
        initializers.push_back(parts[i]);
      }
    };
    for (const TensorRef& initializer : graph_.initializers()) {
      by_whole.contains(initializer.get()) ? add_parts(initializer)
                                           : initializers.push_back(initializer);
    }
    // Values of Constant nodes.
    for (const auto& [whole, part] : order_) add_parts(whole);
    graph_.mutable_initializers() = std::move(initializers);
  }

  // Between column splits and row splits, each device has smaller dimensions.
  void forget_dimensions() {
    std::unordered_set<const Tensor*> kept = caches_;
    kept.insert(reduced_.begin(), reduced_.end());
    std::vector<Tensor*> queue;
    std::unordered_set<const Tensor*> seen;
    const auto visit = [&](Node& node) {
      for (Tensor* output : node.outputs()) {
        if (!output->is_empty() && !kept.contains(output) && seen.insert(output).second) {
          queue.push_back(output);
        }
      }
    };
    for (Node* product : split_from_) visit(*product);
    for (size_t i = 0; i < queue.size(); ++i) {
      Tensor& tensor = *queue[i];
      if (const auto shape = tensor.shape()) tensor.set_shape(DimList(shape->size()));
      for (Node* consumer : tensor.consumers()) visit(*consumer);
    }
  }

  Graph& graph_;
  const int64_t devices_, rank_;
  const ShardOptions& options_;
  Logger& log_;
  NewNodes new_nodes_;
  std::vector<SplitAttention> attention_;
  std::vector<SplitBlock> blocks_;
  std::vector<Node*> split_from_;
  std::unordered_set<const Node*> split_nodes_;
  std::map<std::pair<const Tensor*, size_t>, TensorRef> parts_;
  std::vector<std::pair<TensorRef, TensorRef>> order_;  // wholes and parts, as they were made
  std::unordered_set<const Tensor*> reduced_, caches_;
};

}  // namespace

Model shard_weights(const Model& model, const ShardHints& hints, const ShardOptions& options,
                    int64_t rank, Logger& log) {
  Model shard = graphsurgeon::copy(model);
  make_node_names_unique(shard, log);
  WeightSharder(shard, hints, options, rank, log).run();
  return shard;
}

}  // namespace polygraphy
