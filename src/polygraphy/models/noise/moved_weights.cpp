#include "polygraphy/models/noise/moved_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "base/arrays/convert.h"
#include "base/fingerprint.h"
#include "base/thread_pool.h"
#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/ir/layer.h"
#include "graphsurgeon/ir/nested_graphs.h"
#include "polygraphy/models/noise/random_number.h"
#include "polygraphy/models/quantized/dequantized_weight.h"
#include "polygraphy/models/quantized/rearranged_weight.h"

namespace polygraphy {
namespace {

using graphsurgeon::Graph;
using graphsurgeon::Model;
using graphsurgeon::Node;
using graphsurgeon::NodeRef;
using graphsurgeon::TensorRef;

constexpr int64_t kGrain = 1 << 16;
// No model has names with control characters by accident.
constexpr std::string_view kPrefix = "quantized\x1f";

Array moved(DequantizedWeight weight, uint64_t seed) {
  auto* values = reinterpret_cast<float*>(weight.values.mutable_data());
  const auto steps = weight.half_steps.as<float>();
  parallel_for(weight.values.size(), kGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      values[i] += steps[static_cast<size_t>(i)] * random_number(seed, i);
  });
  return weight.values;
}

class Weights {
 public:
  Weights(Graph& graph, int64_t seed, int64_t& count) : graph_(graph), seed_(seed), count_(count) {}

  void move() {
    std::vector<NodeRef> nodes;
    const std::vector<NodeRef> old = graph_.nodes();
    for (const NodeRef& node : old) {
      if (auto weight = dequantized_weight(*node)) {
        // By the result's name: the same in every model that is cut from this one.
        const uint64_t seed = seed_of(node->outputs()[0]->name());
        replace(*node, moved(std::move(*weight), seed), nodes);
      } else if (const auto rearranged = rearranged_weight(*node)) {
        // By the weight's: all that read it read the same numbers.
        auto numbers = dequantized_with_one_scale(*rearranged->numbers, *node);
        const uint64_t seed = seed_of(rearranged->numbers->name());
        rearrange(*rearranged, moved(std::move(numbers), seed), *node, nodes);
      } else {
        nodes.push_back(node);
      }
    }
    graph_.mutable_nodes() = std::move(nodes);
  }

 private:
  void replace(Node& node, Array values, std::vector<NodeRef>& nodes) {
    const std::vector<TensorRef> inputs = node.inputs().snapshot();
    const TensorRef result = node.outputs().snapshot().front();
    node.outputs().clear();
    if (node.op() == "DequantizeLinear") {
      add(nodes, "Identity", {constant(std::move(values), inputs[1]->dtype())}, result);
    } else if (node.op() == "MatMulNBits") {
      const TensorRef weight = constant(std::move(values), inputs[2]->dtype());
      const bool bias = inputs.size() > 5 && !inputs[5]->is_empty();
      const TensorRef product = bias ? variable(inputs[2]->dtype()) : result;
      add(nodes, "MatMul", {inputs[0], weight}, product);
      if (bias) add(nodes, "Add", {product, inputs[5]}, result);
    } else {
      // The left matrix in units of its scale, too: noise of activations is added behind it.
      std::vector<TensorRef> left{inputs[0],
                                  constant(Array::of<float>({}, {1}), DataType::kFloat32)};
      if (inputs.size() > 2 && !inputs[2]->is_empty()) left.push_back(inputs[2]);
      const TensorRef numbers = variable(DataType::kFloat32), sum = variable(DataType::kFloat32);
      add(nodes, "DequantizeLinear", std::move(left), numbers);
      add(nodes, "MatMul", {numbers, constant(std::move(values), DataType::kFloat32)}, sum);
      add(nodes, "Cast", {sum}, result)
          ->set_attribute("to", static_cast<int64_t>(DataType::kInt32));
    }
  }

  // The same nodes move or choose the numbers.
  void rearrange(const RearrangedWeight& weight, Array values, Node& dequantize,
                 std::vector<NodeRef>& nodes) {
    const DataType type = dequantize.inputs()[1]->dtype();
    const TensorRef result = dequantize.outputs().snapshot().front();
    dequantize.outputs().clear();
    TensorRef numbers = constant(std::move(values), type);
    for (const Node* node : weight.nodes) {
      std::vector<TensorRef> inputs = node->inputs().snapshot();
      inputs.front() = numbers;
      numbers = node == weight.nodes.back() ? result : variable(type);
      nodes.push_back(graphsurgeon::copy(*node, inputs, {numbers}));
      nodes.back()->set_name(name("node"));
    }
  }

  uint64_t seed_of(std::string_view tensor) const {
    return fingerprint(tensor).low + static_cast<uint64_t>(seed_) * 1000003;
  }

  NodeRef add(std::vector<NodeRef>& nodes, std::string_view op, std::vector<TensorRef> inputs,
              const TensorRef& output) {
    const NodeRef node = Node::create(graph_.store(), op, name("node"));
    for (const TensorRef& input : inputs) node->inputs().append(input);
    node->outputs().append(output);
    nodes.push_back(node);
    return node;
  }

  TensorRef variable(DataType type) { return graph_.variable(name("value"), type); }

  TensorRef constant(Array values, DataType type) {
    const DataType wide = type == DataType::kUndefined ? DataType::kFloat32 : type;
    const TensorRef tensor = graph_.constant(name("weight"), convert(values, wide));
    graph_.mutable_initializers().push_back(tensor);
    return tensor;
  }

  std::string name(std::string_view what) {
    return std::string(kPrefix) + std::string(what) + "_" + std::to_string(count_++);
  }

  Graph& graph_;
  const int64_t seed_;
  int64_t& count_;
};

}  // namespace

bool has_quantized_weights(const Model& model) {
  const auto graphs = graphsurgeon::inner_graphs_first(*model.graph);
  return std::any_of(graphs.begin(), graphs.end(), [](const Graph* graph) {
    return std::any_of(graph->nodes().begin(), graph->nodes().end(), [](const NodeRef& node) {
      return has_dequantized_weight(*node) || rearranged_weight(*node);
    });
  });
}

void require_float_model(const Model& original, const std::string& path, const Model& quantized,
                         const std::string& path_of_quantized, ErrorCode code) {
  if (!has_quantized_weights(original) || has_quantized_weights(quantized)) return;
  throw Error(code,
              fmt::format("The float model '{}' has quantised weights, and the model '{}' has none",
                          path, path_of_quantized),
              "Swap the models: the float model must be the unquantised one.");
}

bool is_inside_of_moved(const graphsurgeon::Tensor& tensor) {
  return tensor.name().starts_with(kPrefix);
}

Model with_moved_weights(const Model& model, int64_t seed) {
  Model copy = graphsurgeon::copy(model);
  int64_t count = 0;
  for (Graph* graph : graphsurgeon::inner_graphs_first(*copy.graph))
    Weights(*graph, seed, count).move();
  return copy;
}

}  // namespace polygraphy
