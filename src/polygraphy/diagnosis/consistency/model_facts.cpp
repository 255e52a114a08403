#include "polygraphy/diagnosis/consistency/model_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string_view>

#include "graphsurgeon/io/model_visitor.h"
#include "graphsurgeon/ir/node_inputs.h"
#include "graphsurgeon/onnx/shape_inference.h"
#include "graphsurgeon/operators/operator_facts.h"
#include "polygraphy/data/tensors/graph_metadata.h"
#include "polygraphy/diagnosis/consistency/batch.h"
#include "polygraphy/models/decoder/decoder_names.h"
#include "polygraphy/models/quantized/takes_int8.h"

namespace polygraphy {
namespace {

using graphsurgeon::Attribute;
using graphsurgeon::AttributeType;
using graphsurgeon::Node;
using graphsurgeon::Tensor;

std::optional<int64_t> integer(const Node& node, std::string_view name) {
  const Attribute* attribute = node.attribute(name);
  if (!attribute || !std::holds_alternative<int64_t>(attribute->value)) return std::nullopt;
  return attribute->as_int();
}

// The integers of a constant input of few elements.
std::optional<std::vector<int64_t>> constant_integers(const Tensor* tensor) {
  if (!tensor || !tensor->is_constant() || tensor->payload()->size() > 64 ||
      !is_integral(tensor->dtype())) {
    return std::nullopt;
  }
  const Array values = tensor->values();
  std::vector<int64_t> integers;
  for (int64_t i = 0; i < values.size(); ++i) integers.push_back(values.get_int64(i));
  return integers;
}

// An axis counted from the end is the first one where the rank is known to be so.
bool is_first(int64_t axis, const Node& node) {
  if (axis >= 0) return axis == 0;
  const Tensor* reduced = input_at(node, 0);
  const auto shape = reduced ? reduced->shape() : std::nullopt;
  return shape && static_cast<int64_t>(shape->size()) == -axis;
}

// Time of a recurrent operator is the batch where its dimension has the batch's name.
std::string across_time(const Node& node, const std::string& batch) {
  const Tensor* steps = input_at(node, 0);
  const auto shape = steps ? steps->shape() : std::nullopt;
  const auto time = static_cast<size_t>(integer(node, "layout").value_or(0) == 0 ? 0 : 1);
  if (batch.empty() || !shape || shape->size() <= time || (*shape)[time].param() != batch)
    return "";
  return "with the batch as its steps";
}

// How the node computes across rows; empty: it does not. `batch`: the name of the dimension of
// rows.
std::string across(const Node& node, const std::string& batch) {
  const std::string_view op = node.op();
  const auto& facts = facts_of(node);
  if (facts.sums == graphsurgeon::Sums::kSequence) return across_time(node, batch);
  if (facts.axis != graphsurgeon::kNoAxis)
    return is_first(integer(node, "axis").value_or(facts.axis), node) ? "over axis 0" : "";
  if (op == "CumSum") {
    const auto axis = constant_integers(input_at(node, 1));
    return axis && axis->size() == 1 && is_first(axis->front(), node) ? "over axis 0" : "";
  }
  if (op.starts_with("Reduce")) {
    std::optional<std::vector<int64_t>> axes = constant_integers(input_at(node, 1));
    if (const Attribute* attribute = node.attribute("axes");
        attribute && attribute->type == AttributeType::kInts) {
      axes = std::get<std::vector<int64_t>>(attribute->value);
    }
    if (input_at(node, 1) && !axes) return "";
    if (!axes || axes->empty())
      return integer(node, "noop_with_empty_axes").value_or(0) == 0 ? "over all axes" : "";
    const bool first =
        std::any_of(axes->begin(), axes->end(), [&](int64_t axis) { return is_first(axis, node); });
    return first ? "over axis 0" : "";
  }
  if (op == "BatchNormalization")
    return integer(node, "training_mode").value_or(0) != 0 ? "in training" : "";
  if (op == "DynamicQuantizeLinear") return "with one scale for all rows";
  return "";
}

bool is_training_dropout(const Node& node) {
  const Tensor* training = input_at(node, 2);
  if (node.op() != "Dropout" || !training) return false;
  if (!training->is_constant()) return true;  // it may be
  const Array value = training->values();
  return value.size() == 1 && value.get_int64(0) != 0;
}

std::string named(const Node& node, std::string_view how) {
  std::string name(node.name());
  if (name.empty() && node.outputs().size() > 0) name = node.outputs()[0]->name();
  return fmt::format("'{}' ({}{}{})", name, node.op(), how.empty() ? "" : " ", how);
}

// Sizes and positions are computed from shapes, not from rows.
bool is_of_shapes(const Node& node) {
  const Tensor* data = input_at(node, 0);
  for (int depth = 0; data && depth < 8; ++depth) {
    if (data->is_constant()) return true;
    const Node* producer = data->producer();
    if (!producer) return false;
    if (producer->op() == "Shape" || producer->op() == "Size") return true;
    data = input_at(*producer, 0);
  }
  return false;
}

bool is_recurrent(const graphsurgeon::Model& model) {
  return std::ranges::any_of(graphsurgeon::all_graphs(model), [](const auto* graph) {
    return std::ranges::any_of(graph->nodes(), [](const auto& node) {
      return facts_of(*node).sums == graphsurgeon::Sums::kSequence;
    });
  });
}

void find_decoder(const graphsurgeon::Model& model, const std::string& names, ModelFacts& facts) {
  if (!names.empty()) {
    facts.decoder = decoder_form(model, load_decoder_names(names));
    return;
  }
  try {
    facts.decoder = decoder_form(model);
  } catch (const Error& error) {
    facts.no_decoder = error.what();
  }
}

}  // namespace

ModelFacts facts_of(graphsurgeon::Model& model, const std::string& decoder_names, Logger& log) {
  ModelFacts facts{.inputs = metadata_of_variables(model.graph->inputs()),
                   .outputs = metadata_of_variables(model.graph->outputs()),
                   .has_functions = !model.functions.empty()};
  find_decoder(model, decoder_names, facts);
  if (is_recurrent(model)) graphsurgeon::infer_shapes(model, {}, log);
  const std::string batch = find_batch_inputs(facts.inputs, {}).dimension;
  for (const graphsurgeon::Graph* graph : graphsurgeon::all_graphs(model)) {
    for (const auto& node : graph->nodes()) {
      facts.dynamic_steps |= node->op() == "DynamicQuantizeLinear" || takes_int8(*node);
      if (facts_of(*node).random) facts.random.push_back(named(*node, ""));
      if (is_training_dropout(*node)) facts.random.push_back(named(*node, "in training"));
      const std::string how = across(*node, batch);
      if (!how.empty() && !is_of_shapes(*node)) facts.across_rows.push_back(named(*node, how));
    }
  }
  for (const graphsurgeon::TensorRef& tensor : model.graph->initializers()) {
    const auto shape = tensor->shape();
    if (shape && !shape->empty() && shape->front().is_static())
      facts.constants.try_emplace(shape->front().value(), tensor->name());
  }
  return facts;
}

}  // namespace polygraphy
