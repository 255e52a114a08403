#include "graphsurgeon/diff/structure.h"

#include <bit>
#include <functional>
#include <string_view>
#include <unordered_map>

#include "base/error.h"
#include "graphsurgeon/ir/domain.h"

namespace graphsurgeon {

namespace {

uint64_t mix(uint64_t a, uint64_t b) {
  uint64_t x = a * 0x9e3779b97f4a7c15u + b + 0x632be59bd9b4e019u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

uint64_t of_text(std::string_view text) {
  return std::hash<std::string_view>()(text);
}

uint64_t of_payload(const Payload& payload) {
  uint64_t key = mix(static_cast<uint64_t>(payload.dtype()), payload.shape().size());
  for (const int64_t dim : payload.shape()) key = mix(key, static_cast<uint64_t>(dim));
  // Shapes and axes are structure, wherever they lie; weights are not.
  constexpr int64_t kShort = 64;  // bytes
  if (!polygraphy::is_integral(payload.dtype()) || payload.nbytes() > kShort) return key;
  try {
    const Array values = payload.load("").contiguous_aligned(1);
    const std::span<const std::byte> bytes = values.bytes();
    return mix(key, of_text({reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
  } catch (const polygraphy::Error&) {
    return key;  // the comparison of values reports the error
  }
}

struct ValueKey {
  uint64_t operator()(std::monostate) const { return 1; }
  uint64_t operator()(float v) const { return std::bit_cast<uint32_t>(v); }
  uint64_t operator()(int64_t v) const { return static_cast<uint64_t>(v); }
  uint64_t operator()(std::string_view v) const { return of_text(v); }
  uint64_t operator()(const TensorValue& v) const { return v.values ? of_payload(*v.values) : 2; }
  uint64_t operator()(const GraphRef&) const { return 3; }
  template <typename T>
  uint64_t operator()(const std::vector<T>& list) const {
    uint64_t key = list.size();
    for (const T& v : list) key = mix(key, (*this)(v));
    return key;
  }
};

// Producers before consumers; nodes on a cycle, or behind one, come last.
std::vector<uint32_t> sorted_nodes(const Graph& graph, const NodeIndex& index) {
  const auto& nodes = graph.nodes();
  std::vector<uint32_t> waits(nodes.size(), 0), order;
  order.reserve(nodes.size());
  for (size_t i = 0; i < nodes.size(); ++i) {
    for (const Tensor* tensor : nodes[i]->inputs()) {
      for (const Node* producer : tensor->producers()) waits[i] += index.find(*producer) ? 1 : 0;
    }
    if (waits[i] == 0) order.push_back(static_cast<uint32_t>(i));
  }
  std::vector<bool> done(nodes.size(), false);
  for (size_t next = 0; next < order.size(); ++next) {
    done[order[next]] = true;
    for (const Tensor* tensor : nodes[order[next]]->outputs()) {
      for (const Node* consumer : tensor->consumers()) {
        const auto at = index.find(*consumer);
        if (at && --waits[*at] == 0) order.push_back(static_cast<uint32_t>(*at));
      }
    }
  }
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (!done[i]) order.push_back(static_cast<uint32_t>(i));
  }
  return order;
}

// Which output it is; of nodes with very many, that does not matter.
uint64_t output_slot(const Node& node, const Tensor& tensor) {
  constexpr size_t kMany = 8;
  if (node.outputs().size() > kMany) return kMany;
  for (size_t i = 0; i < node.outputs().size(); ++i) {
    if (node.outputs()[i] == &tensor) return i;
  }
  return kMany;
}

}  // namespace

NodeKeys operator_keys(const Graph& graph) {
  NodeKeys keys;
  keys.reserve(graph.nodes().size());
  for (const NodeRef& node : graph.nodes()) {
    keys.push_back(mix(of_text(node->op()),
                       mix(of_text(normalized_domain(node->domain())), of_text(node->overload()))));
  }
  return keys;
}

NodeKeys node_keys(const Graph& graph) {
  NodeKeys keys = operator_keys(graph);
  for (size_t i = 0; i < keys.size(); ++i) {
    uint64_t sum = 0;  // in any order
    for (const Attribute& attribute : graph.nodes()[i]->attributes()) {
      const uint64_t name = mix(of_text(attribute.name), of_text(attribute.ref_attr_name));
      sum += mix(name, std::visit(ValueKey(), attribute.value));
    }
    keys[i] = mix(keys[i], sum);
  }
  return keys;
}

NodeKeys keys_of_sources(const Graph& graph, const NodeIndex& index, const NodeKeys& nodes) {
  std::unordered_map<const Tensor*, uint64_t> inputs;
  for (size_t i = 0; i < graph.inputs().size(); ++i) inputs.emplace(graph.inputs()[i].get(), i);
  NodeKeys keys(nodes.size(), 0);
  for (const uint32_t i : sorted_nodes(graph, index)) {
    uint64_t key = nodes[i];
    for (const Tensor* tensor : graph.nodes()[i]->inputs()) {
      uint64_t source = 11;  // an outer tensor
      if (tensor->is_empty()) {
        source = 12;
      } else if (tensor->is_constant()) {
        source = mix(13, of_payload(*tensor->payload()));
      } else if (const Node* producer = tensor->producer()) {
        if (const auto at = index.find(*producer)) {
          source = mix(keys[*at], output_slot(*producer, *tensor));
        }
      } else if (const auto at = inputs.find(tensor); at != inputs.end()) {
        source = mix(14, at->second);
      }
      key = mix(key, source);
    }
    keys[i] = key;
  }
  return keys;
}

NodeKeys keys_of_uses(const Graph& graph, const NodeIndex& index, const NodeKeys& nodes) {
  NodeKeys uses(nodes.size(), 0);  // sums, so that the order of consumers does not matter
  for (size_t i = 0; i < graph.outputs().size(); ++i) {
    const Node* producer = graph.outputs()[i]->producer();
    const auto at = producer ? index.find(*producer) : std::nullopt;
    if (at) uses[*at] += mix(mix(21, i), output_slot(*producer, *graph.outputs()[i]));
  }
  const std::vector<uint32_t> order = sorted_nodes(graph, index);
  for (size_t n = order.size(); n-- > 0;) {
    const uint32_t i = order[n];
    uses[i] = mix(nodes[i], uses[i]);
    uint64_t slot = 0;
    for (const Tensor* tensor : graph.nodes()[i]->inputs()) {
      const Node* producer = tensor->producer();
      const auto at = producer ? index.find(*producer) : std::nullopt;
      // On a cycle some keys are final already; they stay.
      if (at) uses[*at] += mix(mix(uses[i], slot), output_slot(*producer, *tensor));
      ++slot;
    }
  }
  return uses;
}

NodeKeys keys_of_surroundings(const Graph& graph, const NodeIndex& index, const NodeKeys& nodes,
                              int radius) {
  NodeKeys keys = nodes;
  for (int round = 0; round < radius; ++round) {
    NodeKeys next(keys.size());
    for (size_t i = 0; i < keys.size(); ++i) next[i] = mix(keys[i], 31);
    for (size_t i = 0; i < keys.size(); ++i) {
      uint64_t slot = 0;
      for (const Tensor* tensor : graph.nodes()[i]->inputs()) {
        const Node* producer = tensor->producer();
        const auto at = producer ? index.find(*producer) : std::nullopt;
        if (at) {
          next[*at] += mix(mix(keys[i], 32), slot);
          next[i] += mix(mix(keys[*at], 33), slot);
        }
        ++slot;
      }
    }
    keys = std::move(next);
  }
  return keys;
}

NodeKeys combined(const NodeKeys& a, const NodeKeys& b) {
  NodeKeys keys(a.size());
  for (size_t i = 0; i < a.size(); ++i) keys[i] = mix(a[i], b[i]);
  return keys;
}

}  // namespace graphsurgeon
