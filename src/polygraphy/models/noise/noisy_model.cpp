#include "polygraphy/models/noise/noisy_model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/error.h"
#include "graphsurgeon/ir/constant_inputs.h"
#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/ir/layer.h"
#include "graphsurgeon/ir/nested_graphs.h"
#include "graphsurgeon/onnx/shape_inference.h"
#include "graphsurgeon/operators/operator_facts.h"
#include "polygraphy/models/noise/approximation.h"
#include "polygraphy/models/noise/cache_formats.h"
#include "polygraphy/models/noise/exact_arithmetic.h"
#include "polygraphy/models/noise/moved_weights.h"
#include "polygraphy/models/noise/noise_nodes.h"
#include "polygraphy/models/noise/rounding.h"
#include "polygraphy/models/quantized/takes_int8.h"

namespace polygraphy {
namespace {

using graphsurgeon::DataType;
using graphsurgeon::Graph;
using graphsurgeon::Model;
using graphsurgeon::Node;
using graphsurgeon::NodeRef;
using graphsurgeon::PayloadPtr;
using graphsurgeon::Store;
using graphsurgeon::Tensor;
using graphsurgeon::TensorRef;

// Numbers of elements of tensors of the main graph, by name. Declared shapes of results do not
// count: engines run models with wrong ones, too. The noisy model does not get them: ONNX
// Runtime 1.32 refuses some models with known shapes (a Range up to an element of one).
std::unordered_map<std::string, int64_t> certain_sizes(const Model& model,
                                                       const NoiseOptions& options) {
  std::unordered_map<std::string, int64_t> certain;
  if (!options.stochastic) return certain;
  if (!options.sizes.empty()) return options.sizes;
  Model sized = graphsurgeon::copy(model);
  std::vector<TensorRef> tensors;
  for (const TensorRef& input : sized.graph->inputs()) {
    tensors.push_back(input);
    const auto found = options.input_shapes.find(std::string(input->name()));
    if (found == options.input_shapes.end() || input->is_constant()) continue;
    input->set_shape(graphsurgeon::DimList(found->second.begin(), found->second.end()));
  }
  for (const NodeRef& node : sized.graph->nodes()) {
    for (const TensorRef& output : node->outputs().snapshot()) {
      if (output->declared_shape()) output->set_shape(std::nullopt);
      tensors.push_back(output);
    }
  }
  Logger quiet;
  graphsurgeon::infer_shapes(sized, {}, quiet);
  for (const TensorRef& tensor : tensors) {
    const auto shape = tensor->shape();
    if (!shape || !std::ranges::all_of(*shape, &graphsurgeon::Dim::is_static)) continue;
    int64_t& size = certain.emplace(std::string(tensor->name()), 1).first->second;
    for (const graphsurgeon::Dim& dimension : *shape) size *= dimension.value();
  }
  return certain;
}

class Roundings {
 public:
  Roundings(Model& model, const NoiseOptions& options)
      : model_(model),
        options_(options),
        sizes_(certain_sizes(model, options)),
        opset_(model.opset().value_or(1)),
        noise_(opset_, options.seed) {
    const bool float8 = options.format == NumberFormat::kFloat8E4M3FN ||
                        options.format == NumberFormat::kFloat8E5M2;
    if (float8 && opset_ < 19) {
      throw Error("The model is of opset " + std::to_string(opset_) + ", which lacks the format " +
                      std::string(name_of(options.format)),
                  "Use opset 19 or newer.");
    }
  }

  void add() {
    Graph& main = *model_.graph;
    rounded_by_caches_ = nodes_that_round_caches(main, options_.caches);
    for (const Node* node : shape_arithmetic(main)) add_exact(*node);
    for (const size_t position : options_.exact_nodes) {
      if (position < main.nodes().size()) add_exact(*main.nodes()[position]);
    }
    for (Graph* graph : graphsurgeon::inner_graphs_first(main)) {
      if (options_.format != NumberFormat::kFloat32) round_weights(*graph);
      if (options_.format == NumberFormat::kFloat32 && opset_ >= 9)
        counted_.merge(exact_arithmetic(*graph));
      add_to(*graph);
    }
  }

 private:
  // With the nodes in its bodies.
  void add_exact(const Node& node) {
    exact_.insert(&node);
    if (!node.has_subgraphs()) return;
    for (const graphsurgeon::GraphRef& body : node.subgraphs()) {
      if (!body) continue;
      for (const Graph* graph : graphsurgeon::inner_graphs_first(*body)) {
        for (const NodeRef& inner : graph->nodes()) exact_.insert(inner.get());
      }
    }
  }

  // Rounding a weight and a result of another node to nearest twice changes nothing.
  void round_weights(Graph& graph) {
    for (const TensorRef& weight : graph.initializers()) {
      if (!weight->is_constant() ||
          weight->payload()->kind() == graphsurgeon::Payload::Kind::kSparse)
        continue;
      if (!coarser(options_.format, weight->dtype()) || only_exact(*weight)) continue;
      weight->replace_values(graphsurgeon::owned_payload(
          round_to(weight->payload()->load(weight->name()), options_.format)));
    }
  }

  bool only_exact(const Tensor& tensor) const {
    return !exact_.empty() && !tensor.consumers().empty() &&
           std::all_of(tensor.consumers().begin(), tensor.consumers().end(),
                       [&](const Node* node) { return exact_.contains(node); });
  }

  void add_to(Graph& graph) {
    std::vector<NodeRef> nodes;
    nodes.reserve(graph.nodes().size() * 4);
    const std::vector<NodeRef> old = graph.nodes();
    for (const NodeRef& node : old) {
      disturb_terms(graph, *node, nodes);
      disturb_steps(graph, *node, nodes);
      nodes.push_back(node);
      const std::vector<TensorRef> outputs = node->outputs().snapshot();
      const bool rounds = !moves_numbers(*node) && !is_wide_sum(*node);
      for (size_t i = 0; rounds && i < outputs.size(); ++i) {
        if (i > 0 && returns_cache(*node)) break;
        if (!outputs[i]->is_empty() && coarser(options_.format, outputs[i]->dtype()))
          round_output(graph, *node, i, outputs[i], nodes);
      }
      for (const TensorRef& output : outputs) {
        const auto found = rounded_by_caches_.find(output.get());
        if (found != rounded_by_caches_.end())
          read_from_cache(graph, output, *found->second, nodes);
      }
    }
    noise_.finish();
    graph.mutable_nodes() = std::move(nodes);
  }

  // Inside of a loop, it may change.
  int64_t certain_size(const Graph& graph, const Tensor& tensor) const {
    const auto found = sizes_.find(std::string(tensor.name()));
    return found == sizes_.end() || &graph != model_.graph.get() ? 0 : found->second;
  }

  // Readers of the value, but for the node that writes the cache, get the cache's numbers.
  void read_from_cache(Graph& graph, const TensorRef& value, Node& writer,
                       std::vector<NodeRef>& nodes) {
    const std::vector<NodeRef> readers = value->consumers().snapshot();
    if (readers.size() < 2) return;
    noise_.begin(graph, nodes, "cache of " + std::string(value->name()), 0);
    const TensorRef kept = noise_.as_written(value, writer);
    for (const NodeRef& reader : readers) {
      if (reader.get() == &writer) continue;
      for (size_t i = 0; i < reader->inputs().size(); ++i) {
        if (reader->inputs()[i] == value.get()) reader->inputs().set(i, kept);
      }
    }
  }

  // A sum of products of 8-bit integers, before it is scaled: engines of a format that cannot hold
  // it scale it first.
  bool is_wide_sum(const Node& node) const {
    if (largest_number(options_.format) >= std::numeric_limits<int32_t>::max()) return false;
    if (node.op() == "MatMul") return is_inside_of_moved(*node.outputs()[0]);
    if (node.op() != "Cast" || node.inputs().empty()) return false;
    const Node* producer = node.inputs()[0]->producer();
    if (!producer) return false;
    const bool stands_for_one =
        producer->op() == "Cast" && is_inside_of_moved(*producer->inputs()[0]);
    return stands_for_one || facts_of(*producer).sums_codes();
  }

  // Its further outputs are keys and values, as they came in.
  static bool returns_cache(const Node& node) {
    return facts_of(node).layer == graphsurgeon::LayerKind::kAttention;
  }

  // A sum in another order is off in proportion to its terms, which may cancel in the result.
  void disturb_terms(Graph& graph, Node& node, std::vector<NodeRef>& nodes) {
    // The terms of a Softmax are not its inputs, and do not cancel.
    const bool adds_inputs = node.op() != "Softmax" && node.op() != "LogSoftmax";
    // A quotient by a scale may be a product with its inverse: two roundings.
    const bool divides = node.op() == "QuantizeLinear";
    if (options_.format != NumberFormat::kFloat32 || !options_.stochastic || !adds_inputs ||
        exact_.contains(&node) || (counted_.contains(&node) && !divides))
      return;
    double times = divides ? 2 : 1;
    for (const TensorRef& output : node.outputs().snapshot())
      times = std::max(times, factor_of(*output));
    if (times == 1) return;
    const std::vector<TensorRef> inputs = node.inputs().snapshot();
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i]->is_constant() || inputs[i]->dtype() != DataType::kFloat32) continue;
      noise_.begin(graph, nodes, "terms of " + std::string(node.outputs()[0]->name()),
                   certain_size(graph, *inputs[i]));
      node.inputs().set(i, noise_.disturb(inputs[i], NumberFormat::kFloat32, times));
      return;
    }
  }

  // The rounded result gets the old name, so that its readers need not change.
  void round_output(Graph& graph, Node& node, size_t slot, const TensorRef& result,
                    std::vector<NodeRef>& nodes) {
    const DataType type = result->dtype();
    if (exact_.contains(&node)) {
      // Those that are exact, too, and the model's outputs have it as it is.
      std::vector<NodeRef> others;
      for (const NodeRef& consumer : result->consumers().snapshot()) {
        if (!exact_.contains(consumer.get())) others.push_back(consumer);
      }
      if (others.empty()) return;
      const TensorRef rounded = graph.variable(noise_.name("rounded"), type);
      round(graph, node, result, rounded, *result, nodes);
      for (const NodeRef& consumer : others) {
        for (size_t i = 0; i < consumer->inputs().size(); ++i) {
          if (consumer->inputs()[i] == result.get()) consumer->inputs().set(i, rounded);
        }
      }
      return;
    }
    const TensorRef exact = graph.variable(noise_.name("exact"), type);
    node.outputs().set(slot, exact);
    round(graph, node, exact, result, *result, nodes);
  }

  // `result`: the tensor of the model.
  void round(Graph& graph, const Node& node, const TensorRef& from, const TensorRef& to,
             const Tensor& result, std::vector<NodeRef>& nodes) {
    const DataType type = result.dtype();
    noise_.begin(graph, nodes, std::string(result.name()), certain_size(graph, result));
    TensorRef value = from;
    if (type != DataType::kFloat32)
      value = noise_.apply("Cast", {value}, DataType::kFloat32, "to", 1);
    const NumberFormat format = *coarser(options_.format, type);
    if (options_.stochastic && format != NumberFormat::kInt8) {
      const TensorRef disturbed = noise_.disturb(value, format, times_of(node, result, format));
      // Other formats are rounded to below, and keep the numbers that they hold.
      const bool may_be_whole = format == NumberFormat::kFloat32 && counted_.contains(&node);
      value = may_be_whole ? noise_.unless_short(value, disturbed) : disturbed;
      value = approximate(node, value);
      if (options_.quantization) value = requantize(node, value);
    }
    value = noise_.rounded(value, format);
    if (type != DataType::kFloat32) {
      value = noise_.apply("Cast", {value}, type, "to", static_cast<int64_t>(type));
    } else if (value == from) {
      value = noise_.apply("Identity", {value}, type);
    }
    nodes.back()->outputs().set(0, to);
  }

  double times_of(const Node& node, const Tensor& result, NumberFormat format) const {
    if (format == NumberFormat::kFloat32) return factor_of(result);
    if (node.op() != "CumSum") return 1;
    // An engine of the format holds each sum in it before it adds the next number.
    int64_t longest = 1;
    for (const auto& dimension : result.shape().value_or(graphsurgeon::DimList{}))
      longest = std::max(longest, dimension.has_value() ? dimension.value() : 1);
    return std::max(1.0, std::sqrt(static_cast<double>(longest)) / 2);
  }

  double factor_of(const Tensor& result) const {
    const auto found = options_.factors.find(std::string(result.name()));
    return found == options_.factors.end() ? 1 : found->second;
  }

  // Small results, too, of a function that engines approximate.
  TensorRef approximate(const Node& node, const TensorRef& value) {
    const Approximation off = approximation_of(node);
    if (opset_ < 7 || (off.of_one == 0 && off.of_input == 0)) return value;
    const bool by_input = off.of_input > 0;
    const double reach = by_input ? off.of_input : off.of_one;
    TensorRef error = noise_.random_like(value, 0, static_cast<float>(reach));
    if (by_input) {
      TensorRef input = node.inputs().snapshot().front();
      if (input->dtype() != DataType::kFloat32)
        input = noise_.apply("Cast", {input}, DataType::kFloat32, "to", 1);
      error = noise_.apply("Mul", {error, input}, DataType::kFloat32);
    }
    const TensorRef moved = noise_.apply("Add", {value, error}, DataType::kFloat32);
    return off.positive ? noise_.apply("Relu", {moved}, DataType::kFloat32) : moved;
  }

  // An engine that quantises an input itself rounds it to steps: 255 of a whole tensor, 127 on each
  // side for a row.
  void disturb_steps(Graph& graph, Node& node, std::vector<NodeRef>& nodes) {
    const bool whole = node.op() == "DynamicQuantizeLinear" && options_.dynamic_steps;
    if (!options_.stochastic || exact_.contains(&node) || (!whole && !takes_int8(node))) return;
    const TensorRef input = node.inputs().snapshot().front();
    if (!coarser(NumberFormat::kFloat32, input->dtype()) || opset_ < 7) return;
    noise_.begin(graph, nodes, "steps of " + std::string(node.outputs()[0]->name()),
                 certain_size(graph, *input));
    const bool wide = input->dtype() == DataType::kFloat32;
    const TensorRef value =
        wide ? input : noise_.apply("Cast", {input}, DataType::kFloat32, "to", 1);
    const TensorRef magnitude = noise_.apply("Abs", {value}, DataType::kFloat32);
    const TensorRef largest =
        noise_.apply("ReduceMax", {magnitude}, DataType::kFloat32, "keepdims", 1);
    if (!whole) reduce_rows(nodes.back());
    const TensorRef step = noise_.apply("Div", {largest, noise_.scalar(127)}, DataType::kFloat32);
    const TensorRef error =
        noise_.apply("Mul", {noise_.random_like(value, 0, 0.5f), step}, DataType::kFloat32);
    TensorRef moved = noise_.apply("Add", {value, error}, DataType::kFloat32);
    if (!wide)
      moved =
          noise_.apply("Cast", {moved}, input->dtype(), "to", static_cast<int64_t>(input->dtype()));
    node.inputs().set(0, moved);
  }

  // The last axis only, which is an input since opset 18.
  void reduce_rows(const NodeRef& reduction) {
    if (opset_ < 18) {
      reduction->set_attribute("axes", std::vector<int64_t>{-1});
    } else {
      reduction->inputs().append(noise_.integers({-1}));
    }
  }

  // Other numbers of the same steps are as near to the unquantised ones: steps per tensor only,
  // which activations have.
  TensorRef requantize(const Node& node, const TensorRef& value) {
    if (node.op() != "DequantizeLinear" || node.inputs().size() < 2 || opset_ < 7) return value;
    const TensorRef scale = node.inputs().snapshot()[1];
    const bool steps = is_integral(node.inputs()[0]->dtype());
    const auto shape =
        scale->is_constant() ? std::optional(scale->payload()->shape()) : std::optional<Shape>();
    if (node.inputs()[0]->is_constant() || !steps || (shape && element_count(*shape) != 1))
      return value;
    TensorRef step = scale;
    if (step->dtype() != DataType::kFloat32)
      step = noise_.apply("Cast", {step}, DataType::kFloat32, "to", 1);
    const TensorRef error =
        noise_.apply("Mul", {noise_.random_like(value, 0, 0.5f), step}, DataType::kFloat32);
    return noise_.apply("Add", {value, error}, DataType::kFloat32);
  }

  Model& model_;
  const NoiseOptions& options_;
  const std::unordered_map<std::string, int64_t> sizes_;  // of tensors of the main graph
  const int64_t opset_;
  std::unordered_set<const Node*> exact_;
  std::unordered_set<const Node*> counted_;  // with results that may be whole numbers
  std::unordered_map<const Tensor*, NodeRef> rounded_by_caches_;
  NoiseNodes noise_;
};

}  // namespace

Model noisy_model(const Model& model, const NoiseOptions& options) {
  Model noisy = graphsurgeon::copy(model);
  graphsurgeon::take_constants_from_inputs(noisy);
  Logger quiet;
  graphsurgeon::infer_shapes(noisy, {}, quiet);
  Roundings(noisy, options).add();
  noisy.graph->mutable_value_infos().clear();
  return noisy;
}

}  // namespace polygraphy
