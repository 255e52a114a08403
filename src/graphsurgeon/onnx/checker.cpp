#include "graphsurgeon/onnx/checker.h"

#include <onnx/checker.h>
#include <onnx/onnx_pb.h>

#include <string_view>
#include <variant>
#include <vector>

#include "base/error.h"
#include "graphsurgeon/io/load.h"
#include "graphsurgeon/onnx/inference/type_inference.h"
#include "graphsurgeon/onnx/message_text.h"
#include "graphsurgeon/onnx/stripped_model.h"

namespace graphsurgeon {

namespace {

using polygraphy::Error;

// The checker prints a line on standard output about operators of the default domain that were
// experimental, and otherwise ignores these nodes. In a separate domain it ignores them silently.
constexpr char kExperimentalDomain[] = "experimental";

bool hide_experimental_ops(google::protobuf::RepeatedPtrField<onnx::NodeProto>& nodes) {
  bool found = false;
  for (auto& node : nodes) {
    if (onnx::checker::check_is_experimental_op(node)) {
      node.set_domain(kExperimentalDomain);
      found = true;
    }
    for (auto& attribute : *node.mutable_attribute()) {
      if (attribute.has_g()) found |= hide_experimental_ops(*attribute.mutable_g()->mutable_node());
      for (auto& graph : *attribute.mutable_graphs()) {
        found |= hide_experimental_ops(*graph.mutable_node());
      }
    }
  }
  return found;
}

template <typename Imports>
void import_experimental_domain(Imports* imports) {
  auto* import = imports->Add();
  import->set_domain(kExperimentalDomain);
  import->set_version(1);
}

// "message\n\n==> Context: Bad node spec for node. Name: conv1 OpType: Conv" -> "node 'conv1'
// (Conv): message"
std::string with_node(std::string_view text) {
  constexpr std::string_view kContext = "\n\n==> Context: Bad node spec for node. Name: ";
  constexpr std::string_view kOpType = " OpType: ";
  const size_t context = text.find(kContext);
  if (context == std::string_view::npos) return on_one_line(text);
  const std::string_view message = text.substr(0, context);
  const std::string_view node = text.substr(context + kContext.size());
  const size_t op = node.rfind(kOpType);
  if (op == std::string_view::npos) return on_one_line(text);
  return "node '" + std::string(node.substr(0, op)) + "' (" +
         std::string(node.substr(op + kOpType.size())) + "): " + on_one_line(message);
}

// Sizes of the payloads that the copy does not have.
void check_payloads(const Model& model) {
  const auto check = [](const PayloadPtr& payload, std::string_view name) {
    if (payload && payload->kind() == Payload::Kind::kInline && payload->nbytes() > kKeptBytes) {
      payload->load(name);
    }
  };
  std::vector<GraphRef> todo = {model.graph};
  for (const FunctionRef& function : model.functions) todo.emplace_back(function.get());
  while (!todo.empty()) {
    const GraphRef graph = std::move(todo.back());
    todo.pop_back();
    for (const TensorRef& tensor : graph->initializers()) check(tensor->payload(), tensor->name());
    for (const NodeRef& node : graph->nodes()) {
      for (const Attribute& attribute : node->attributes()) {
        if (const auto* tensor = std::get_if<TensorValue>(&attribute.value)) {
          check(tensor->values, attribute.name);
        } else if (const auto* tensors = std::get_if<std::vector<TensorValue>>(&attribute.value)) {
          for (const TensorValue& one : *tensors) check(one.values, attribute.name);
        }
      }
      for (GraphRef& subgraph : node->subgraphs()) todo.push_back(std::move(subgraph));
    }
  }
  check_external_data(model);
}

// The copy that the checker is given.
void to_checked_proto(const Model& model, onnx::ModelProto& proto) {
  to_stripped_proto(model, proto);
  if (hide_experimental_ops(*proto.mutable_graph()->mutable_node())) {
    import_experimental_domain(proto.mutable_opset_import());
  }
  for (auto& function : *proto.mutable_functions()) {
    if (hide_experimental_ops(*function.mutable_node())) {
      import_experimental_domain(function.mutable_opset_import());
    }
  }
}

}  // namespace

std::string checker_complaint(const Model& model) {
  onnx::ModelProto proto;
  to_checked_proto(model, proto);
  for (auto& output : *proto.mutable_graph()->mutable_output()) {
    auto& type = *output.mutable_type();
    const bool tensor =
        type.has_tensor_type() || type.value_case() == onnx::TypeProto::VALUE_NOT_SET;
    if (tensor && !type.tensor_type().has_shape()) {
      type.mutable_tensor_type()->mutable_shape()->add_dim();
    }
  }
  try {
    onnx::checker::check_model(proto, false, false, false);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    return error.what();
  }
  return {};
}

void check_model(const Model& model, const CheckOptions& options) {
  onnx::ModelProto proto;
  to_checked_proto(model, proto);
  try {
    onnx::checker::check_model(proto, false, false, options.custom_domains);
    if (options.payloads) check_payloads(model);
    if (options.shapes) {
      TypeInference inference(model, opsets_of(model.opset_imports),
                              {.follow_values = false, .check_types = true, .write = false});
      for (const NodeRef& node : model.graph->nodes()) {
        inference.infer(*node);
        if (!inference.problems().empty()) throw Error(inference.problems().front());
      }
    }
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    throw Error(display_name(model) + ": " + with_node(error.what()));
  }
}

}  // namespace graphsurgeon
