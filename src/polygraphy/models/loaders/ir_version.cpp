#include "polygraphy/models/loaders/ir_version.h"

#include <fmt/format.h>

#include <unordered_set>

#include "graphsurgeon/io/model_visitor.h"
#include "graphsurgeon/wire/reader.h"

namespace polygraphy {
namespace {

using graphsurgeon::Attribute;
using graphsurgeon::AttributeType;
using graphsurgeon::Function;
using graphsurgeon::Graph;
using graphsurgeon::Model;
using graphsurgeon::NodeRef;
using graphsurgeon::Payload;
using graphsurgeon::PayloadUse;
using graphsurgeon::Tensor;
using graphsurgeon::TensorRef;
using graphsurgeon::TypeKind;
namespace wire = graphsurgeon::wire;

class Needs {
 public:
  template <typename Reason>
  void raise(int64_t version, Reason&& reason) {
    if (version > need_.version) need_ = {version, reason()};
  }
  IrNeed take() { return std::move(need_); }

  void type(DataType type, std::string_view name) {
    raise(ir_version_of(type),
          [&] { return fmt::format("tensor '{}' is {}", name, name_of(type)); });
  }
  void tensor(const Tensor& tensor) {
    type(tensor.dtype(), tensor.name());
    if (!tensor.type_proto().empty()) type_proto(tensor.type_proto(), tensor.name());
  }
  void attribute(const Attribute& attribute, std::string_view op);

 private:
  // Types within types. Iterative, and damaged ones were refused on load.
  void type_proto(std::string_view encoded, std::string_view name);

  IrNeed need_;
};

void Needs::type_proto(std::string_view encoded, std::string_view name) {
  // TypeProto: 1 tensor, 4 sequence, 5 map, 8 sparse tensor, 9 optional.
  std::vector<std::string_view> pending{encoded};
  while (!pending.empty()) {
    wire::Reader kind(pending.back());
    pending.pop_back();
    while (kind.next()) {
      const uint32_t number = kind.number();
      if (kind.type() != wire::WireType::kBytes || number == 6) continue;  // 6: denotation
      if (number == 8 || number == 9) {
        raise(8, [&] {
          return fmt::format("'{}' is {}", name, number == 8 ? "a sparse tensor" : "an optional");
        });
      }
      wire::Reader inside(kind.bytes());
      while (inside.next()) {
        if (inside.type() == wire::WireType::kVarint) {
          if (inside.number() == 1) type(static_cast<DataType>(inside.as_int32()), name);
        } else if (inside.type() == wire::WireType::kBytes && number != 1 && number != 8) {
          pending.push_back(inside.bytes());
        }
      }
    }
  }
}

void Needs::attribute(const Attribute& attribute, std::string_view op) {
  switch (attribute.type) {
    case AttributeType::kSparseTensor:
    case AttributeType::kSparseTensors:
      raise(6, [&] {
        return fmt::format("attribute '{}' of a {} node is sparse", attribute.name, op);
      });
      break;
    case AttributeType::kTypeProto:
    case AttributeType::kTypeProtos:
      raise(8, [&] {
        return fmt::format("attribute '{}' of a {} node is a type", attribute.name, op);
      });
      break;
    case AttributeType::kInt:
      // Types that nodes name: Cast, RandomUniform, QuantizeLinear …
      if (attribute.name == "to" || attribute.name == "dtype" || attribute.name == "output_dtype") {
        if (const auto* value = std::get_if<int64_t>(&attribute.value)) {
          raise(ir_version_of(static_cast<DataType>(*value)), [&] {
            return fmt::format("a {} node produces {}", op, name_of(static_cast<DataType>(*value)));
          });
        }
      }
      break;
    default:
      break;
  }
}

}  // namespace

IrNeed needed_ir_version(const Model& model) {
  Needs needs;
  std::unordered_set<const Tensor*> inputs;
  for (const TensorRef& input : model.graph->inputs()) inputs.insert(input.get());
  for (const TensorRef& initializer : model.graph->initializers()) {
    if (!inputs.contains(initializer.get())) {
      needs.raise(
          4, [&] { return fmt::format("initializer '{}' is not an input", initializer->name()); });
    }
  }
  for (const auto& function : model.functions) {
    needs.raise(8, [&] { return fmt::format("it has a local function, {}", function->name()); });
    if (!function->default_attributes.empty()) {
      needs.raise(9, [&] {
        return fmt::format("function {} has attributes with defaults", function->name());
      });
    }
    if (!function->overload().empty()) {
      needs.raise(10, [&] { return fmt::format("function {} is overloaded", function->name()); });
    }
  }
  graphsurgeon::for_each_payload(model, [&](const PayloadUse& use) {
    needs.type(use.values->dtype(), use.name);
    if (use.values->kind() == Payload::Kind::kSparse) {
      needs.raise(6, [&] { return fmt::format("'{}' is sparse", use.name); });
    }
  });
  for (const Graph* graph : graphsurgeon::all_graphs(model)) {
    for (const auto* list : {&graph->inputs(), &graph->outputs(), &graph->value_infos()}) {
      for (const TensorRef& tensor : *list) needs.tensor(*tensor);
    }
    for (const NodeRef& node : graph->nodes()) {
      for (const Attribute& attribute : node->attributes()) needs.attribute(attribute, node->op());
    }
  }
  return needs.take();
}

}  // namespace polygraphy
