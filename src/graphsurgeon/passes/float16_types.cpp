#include "graphsurgeon/passes/float16_types.h"

#include <algorithm>
#include <string_view>

#include "graphsurgeon/io/model_visitor.h"
#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/ir/domain.h"
#include "graphsurgeon/onnx/schema.h"
#include "graphsurgeon/onnx/shape_inference.h"

namespace graphsurgeon {

namespace {

std::string key_of(std::string_view domain, std::string_view name) {
  return std::string(normalized_domain(domain)) + ':' + std::string(name);
}

bool holds(const std::vector<std::string_view>& types, std::string_view type) {
  return std::find(types.begin(), types.end(), type) != types.end();
}

}  // namespace

TensorTypes::TensorTypes(const Model& model, polygraphy::Logger& logger) {
  Model inferring = copy(model);
  infer_shapes(inferring, {.data_propagation = false}, logger);

  // The copy has the same graphs with the same nodes in the same order.
  const auto graphs = all_graphs(model), inferred = all_graphs(inferring);
  for (size_t g = 0; g < graphs.size(); ++g) {
    const auto each = [&](const auto& tensors, const auto& types) {
      for (size_t i = 0; i < tensors.size(); ++i) take(*tensors[i], *types[i]);
    };
    each(graphs[g]->inputs(), inferred[g]->inputs());
    each(graphs[g]->outputs(), inferred[g]->outputs());
    for (size_t n = 0; n < graphs[g]->nodes().size(); ++n) {
      const Node &node = *graphs[g]->nodes()[n], &same = *inferred[g]->nodes()[n];
      each(node.inputs(), same.inputs());
      each(node.outputs(), same.outputs());
    }
  }
}

void TensorTypes::take(const Tensor& tensor, const Tensor& inferred) {
  const auto kind = inferred.type_kind();
  const bool is_tensor = kind == TypeKind::kTensor || kind == TypeKind::kNone;
  if (is_tensor && inferred.dtype() == DataType::kUndefined && !inferred.is_empty()) {
    unknown_.insert(&tensor);
  }
  if (!is_tensor) no_tensors_.insert(&tensor);
  if (inferred.dtype() == DataType::kFloat32 && kind == TypeKind::kTensor) {
    float32_.insert(&tensor);
  }
}

OperatorTypes::OperatorTypes(const Model& model) {
  for (const OpsetImport& import : model.opset_imports) {
    opsets_[std::string(normalized_domain(import.domain))] = import.version;
  }
  // Models of the first days import nothing.
  opsets_.try_emplace("", model.ir_version < 3 ? 1 : latest_opset().value_or(1));
  for (const FunctionRef& function : model.functions) {
    functions_.insert(key_of(function->domain(), function->name()));
  }
}

bool OperatorTypes::is_call(const Node& node) const {
  return !functions_.empty() && functions_.contains(key_of(node.domain(), node.op()));
}

Precision OperatorTypes::input(const Node& node, size_t slot) {
  const auto& inputs = slots_of(node).inputs;
  return inputs.empty() ? Precision::kFloat16 : inputs[std::min(slot, inputs.size() - 1)];
}

Precision OperatorTypes::output(const Node& node, size_t slot) {
  const auto& outputs = slots_of(node).outputs;
  return outputs.empty() ? Precision::kFloat16 : outputs[std::min(slot, outputs.size() - 1)];
}

const OperatorTypes::Slots& OperatorTypes::slots_of(const Node& node) {
  std::string key = key_of(node.domain(), node.op());
  if (const auto found = slots_.find(key); found != slots_.end()) return found->second;
  return slots_.emplace(std::move(key), look_up(node)).first->second;
}

OperatorTypes::Slots OperatorTypes::look_up(const Node& node) const {
  const auto opset = opsets_.find(std::string(normalized_domain(node.domain())));
  const auto schema =
      opset == opsets_.end() ? std::nullopt : find_schema(node.op(), opset->second, node.domain());
  if (!schema) return {};
  const auto inputs = schema->inputs(), outputs = schema->outputs();
  const auto uses = [&](std::string_view type) {
    size_t count = 0;
    for (const auto* parameters : {&inputs, &outputs}) {
      for (const OpParameter& parameter : *parameters) {
        count += parameter.type != type ? 0 : parameter.arity == Arity::kVariadic ? 2 : 1;
      }
    }
    return count;
  };
  // An output's type that no type variable shares may still follow an input's (DequantizeLinear's
  // the scale's), unless an attribute says it.
  const bool may_follow =
      node.op() != "Cast" &&
      std::any_of(outputs.begin(), outputs.end(), [&](const OpParameter& parameter) {
        return holds(schema->types_of(parameter.type), "tensor(float16)");
      });
  const auto precision = [&](const OpParameter& parameter, bool is_input) {
    const auto types = schema->types_of(parameter.type);
    if (!holds(types, "tensor(float16)")) return Precision::kFloat32;
    const bool either =
        is_input && !may_follow && holds(types, "tensor(float)") && uses(parameter.type) == 1;
    return either ? Precision::kEither : Precision::kFloat16;
  };
  Slots slots;
  for (const OpParameter& one : inputs) slots.inputs.push_back(precision(one, true));
  for (const OpParameter& one : outputs) slots.outputs.push_back(precision(one, false));
  return slots;
}

}  // namespace graphsurgeon
