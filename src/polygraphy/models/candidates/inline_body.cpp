#include "polygraphy/models/candidates/inline_body.h"

#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/arrays/array.h"
#include "graphsurgeon/ir/arg.h"
#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/ir/domain.h"
#include "graphsurgeon/ir/int_attribute.h"
#include "graphsurgeon/ir/nested_graphs.h"
#include "graphsurgeon/ir/tensor_names.h"
#include "graphsurgeon/passes/splice.h"

namespace polygraphy {
namespace {

using graphsurgeon::Attribute;
using graphsurgeon::Graph;
using graphsurgeon::GraphRef;
using graphsurgeon::Model;
using graphsurgeon::Node;
using graphsurgeon::NodeRef;
using graphsurgeon::Tensor;
using graphsurgeon::TensorRef;

constexpr int64_t kScanWithoutBatches = 9;  // opset versions
constexpr int64_t kUnsqueezeReadsItsAxes = 13;

GraphRef graph_in(const Node& node, std::string_view name) {
  const Attribute* attribute = node.attribute(name);
  const auto* graph = attribute ? std::get_if<GraphRef>(&attribute->value) : nullptr;
  return graph ? *graph : nullptr;
}

std::vector<int64_t> ints_of(const Node& node, std::string_view name) {
  const Attribute* attribute = node.attribute(name);
  const auto* value = attribute ? std::get_if<std::vector<int64_t>>(&attribute->value) : nullptr;
  return value ? *value : std::vector<int64_t>{};
}

class BodyInliner {
 public:
  BodyInliner(Model& model, Graph& graph, size_t position, int64_t iteration)
      : model_(model),
        graph_(graph),
        position_(position),
        iteration_(iteration),
        node_(graph.nodes()[position]) {}

  bool branch(const GraphRef& body) {
    if (!body || !body->inputs().empty()) return false;
    for (const TensorRef& output : node_->outputs().snapshot()) how_.results.push_back(output);
    return finish(*body);
  }

  bool loop(const GraphRef& body) {
    if (!body || node_->inputs().size() < 2 || body->inputs().size() != node_->inputs().size() ||
        body->outputs().size() != node_->outputs().size() + 1) {
      return false;
    }
    const std::vector<TensorRef> inputs = node_->inputs().snapshot();
    const size_t carried = inputs.size() - 2;
    if (node_->outputs().size() < carried) return false;
    how_.arguments = inputs;
    how_.arguments[0] = constant("iteration", Array::of<int64_t>({}, {iteration_}));
    if (inputs[1]->is_empty()) how_.arguments[1] = constant("goes_on", Array::of<bool>({}, {true}));
    how_.results.emplace_back();
    for (size_t i = 0; i < node_->outputs().size(); ++i) {
      TensorRef output(node_->outputs()[i]);
      how_.results.push_back(i < carried ? output : one_of_many(std::move(output), 0));
    }
    return finish(*body);
  }

  bool scan(const GraphRef& body) {
    const size_t slices = static_cast<size_t>(int_attribute(*node_, "num_scan_inputs", 0));
    if (!body || model_.opset().value_or(0) < kScanWithoutBatches ||
        node_->inputs().size() < slices || body->inputs().size() != node_->inputs().size() ||
        body->outputs().size() != node_->outputs().size()) {
      return false;
    }
    const size_t states = node_->inputs().size() - slices;
    if (node_->outputs().size() < states) return false;
    how_.arguments = node_->inputs().snapshot();
    const std::vector<int64_t> axes = ints_of(*node_, "scan_input_axes");
    const std::vector<int64_t> backwards = ints_of(*node_, "scan_input_directions");
    for (size_t i = 0; i < slices; ++i) {
      const bool from_end = i < backwards.size() && backwards[i] != 0;
      how_.arguments[states + i] =
          first_slice(how_.arguments[states + i], i < axes.size() ? axes[i] : 0, from_end ? -1 : 0);
    }
    const std::vector<int64_t> output_axes = ints_of(*node_, "scan_output_axes");
    for (size_t i = 0; i < node_->outputs().size(); ++i) {
      TensorRef output(node_->outputs()[i]);
      const size_t scan_output = i - states;
      how_.results.push_back(i < states
                                 ? output
                                 : one_of_many(std::move(output), scan_output < output_axes.size()
                                                                      ? output_axes[scan_output]
                                                                      : 0));
    }
    return finish(*body);
  }

 private:
  std::string name_for(std::string_view what) {
    if (taken_.empty()) taken_ = graphsurgeon::tensor_names(*model_.graph);
    return graphsurgeon::unused_name(
        taken_, std::string(what) + "_of_" + std::string(node_->outputs()[0]->name()));
  }

  TensorRef constant(std::string_view what, Array value) {
    TensorRef made = graph_.constant(name_for(what), std::move(value));
    constants_.push_back(made);
    return made;
  }

  // The slice of a tensor that the first iteration sees.
  TensorRef first_slice(const TensorRef& whole, int64_t axis, int64_t index) {
    NodeRef gather = Node::create(graph_.store(), "Gather");
    const std::string name = "first_of_" + std::string(whole->name());
    TensorRef slice = graph_.variable(name_for(name), whole->dtype());
    gather->inputs().append(whole);
    gather->inputs().append(constant(name + "_index", Array::of<int64_t>({}, {index})));
    gather->outputs().append(slice);
    gather->set_attribute("axis", axis);
    before_.push_back(std::move(gather));
    return slice;
  }

  // One iteration collects less than all of them, so later tensors are smaller, too.
  static void forget_shapes_from(Tensor& first) {
    std::unordered_set<Tensor*> seen = {&first};
    std::vector<Tensor*> open = {&first};
    while (!open.empty()) {
      Tensor* tensor = open.back();
      open.pop_back();
      if (tensor->declared_shape()) tensor->set_shape(std::nullopt);
      for (const Node* reader : tensor->consumers()) {
        for (Tensor* output : reader->outputs()) {
          if (!output->is_empty() && seen.insert(output).second) open.push_back(output);
        }
      }
    }
  }

  bool is_read(const Tensor& tensor) const { return !tensor.consumers().empty(); }

  // The collected values of all iterations, from a single one.
  TensorRef one_of_many(TensorRef output, int64_t axis) {
    if (output->is_empty()) return output;
    forget_shapes_from(*output);
    if (!is_read(*output)) return output;
    TensorRef one =
        graph_.variable(name_for("one_of_" + std::string(output->name())), output->dtype());
    NodeRef unsqueeze = Node::create(graph_.store(), "Unsqueeze");
    unsqueeze->inputs().append(one);
    if (model_.opset().value_or(0) >= kUnsqueezeReadsItsAxes) {
      unsqueeze->inputs().append(
          constant("axis_of_" + std::string(output->name()), Array::of<int64_t>({1}, {axis})));
    } else {
      unsqueeze->set_attribute("axes", std::vector<int64_t>{axis});
    }
    after_.emplace_back(std::move(unsqueeze), std::move(output));
    return one;
  }

  bool finish(Graph& body) {
    const GraphRef keep(&body);
    const size_t behind = graph_.nodes().size() - position_;
    graphsurgeon::splice(*model_.graph, graph_, position_, body, how_);
    const size_t end = graph_.nodes().size() - (behind - 1);
    std::vector<NodeRef>& nodes = graph_.mutable_nodes();
    std::vector<NodeRef> after;
    for (auto& [made, output] : after_) {
      made->outputs().append(output);
      after.push_back(made);
    }
    nodes.insert(nodes.begin() + static_cast<ptrdiff_t>(end), after.begin(), after.end());
    nodes.insert(nodes.begin() + static_cast<ptrdiff_t>(position_), before_.begin(), before_.end());
    for (const TensorRef& tensor : constants_) graph_.mutable_initializers().push_back(tensor);
    return true;
  }

  Model& model_;
  Graph& graph_;
  const size_t position_;
  const int64_t iteration_;
  const NodeRef node_;
  graphsurgeon::Splice how_;
  std::vector<NodeRef> before_;
  std::vector<std::pair<NodeRef, TensorRef>> after_;  // and their results
  std::vector<TensorRef> constants_;
  graphsurgeon::TensorNames taken_;  // read for the first new name
};

}  // namespace

size_t bodies_of(const Node& node) {
  if (!graphsurgeon::is_default_domain(node.domain())) return 0;
  if (node.op() == "If") return 2;
  return node.op() == "Loop" || node.op() == "Scan" ? 1 : 0;
}

std::string_view name_of_body(const Node& node, size_t body) {
  if (node.op() != "If") return "body";
  return body == 0 ? "then_branch" : "else_branch";
}

GraphRef body_of(const Node& node, size_t body) {
  return graph_in(node, name_of_body(node, body));
}

bool inline_body(Model& model, Graph& graph, size_t position, size_t body, int64_t iteration) {
  const Node& node = *graph.nodes()[position];
  if (body >= bodies_of(node) || node.outputs().empty()) return false;
  BodyInliner inliner(model, graph, position, iteration);
  const GraphRef inside = body_of(node, body);
  if (node.op() == "If") return inliner.branch(inside);
  return node.op() == "Loop" ? inliner.loop(inside) : inliner.scan(inside);
}

void set_iterations(Graph& graph, Node& loop, int64_t count) {
  graphsurgeon::TensorNames taken = graphsurgeon::tensor_names(graph);
  const TensorRef constant =
      graph.constant(graphsurgeon::unused_name(taken, std::to_string(count) + "_iterations_of_" +
                                                          std::string(loop.outputs()[0]->name())),
                     Array::of<int64_t>({}, {count}));
  graph.mutable_initializers().push_back(constant);
  loop.inputs().set(0, constant);
}

bool inline_last_iteration(Model& model, Graph& graph, size_t position, int64_t count) {
  const NodeRef loop = graph.nodes()[position];
  if (loop->op() != "Loop" || loop->outputs().empty() || loop->inputs().size() < 3) return false;
  if (count == 1) return inline_body(model, graph, position, 0);
  const size_t carried = loop->inputs().size() - 2;
  if (loop->outputs().size() < carried) return false;

  const std::vector<TensorRef> inputs = loop->inputs().snapshot();
  std::vector<TensorRef> before;
  graphsurgeon::TensorNames taken = graphsurgeon::tensor_names(*model.graph);
  for (size_t i = 0; i < loop->outputs().size(); ++i) {
    const Tensor& output = *loop->outputs()[i];
    const bool collects = i >= carried;
    if (collects && !output.consumers().empty()) return false;
    TensorRef made = graph.variable(
        graphsurgeon::unused_name(taken, "before_last_of_" + std::string(output.name())),
        output.dtype());
    if (const auto shape = output.shape(); shape && !collects) made->set_shape(shape);
    before.push_back(std::move(made));
  }
  // Its body reads the same tensors as the loop's.
  graphsurgeon::Captures captures;
  for (const GraphRef& body : loop->subgraphs()) {
    for (Graph* inner : graphsurgeon::inner_graphs_first(*body)) captures.add(*inner);
  }
  graphsurgeon::OuterTensors outer;
  captures.for_each(*loop, [&](Tensor& tensor) {
    if (!tensor.is_constant()) outer.emplace(std::string(tensor.name()), TensorRef(&tensor));
  });
  NodeRef others = graphsurgeon::copy(*loop, inputs, before, outer);
  set_iterations(graph, *others, count - 1);
  for (size_t i = 0; i < carried; ++i) loop->inputs().set(i + 2, before[i]);
  std::vector<NodeRef>& nodes = graph.mutable_nodes();
  nodes.insert(nodes.begin() + static_cast<ptrdiff_t>(position), std::move(others));
  return inline_body(model, graph, position + 1, 0, count - 1);
}

}  // namespace polygraphy
