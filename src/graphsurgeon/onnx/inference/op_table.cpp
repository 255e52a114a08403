#include "graphsurgeon/onnx/inference/op_table.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <limits>

#include "base/log_modules.h"
#include "graphsurgeon/ir/domain.h"
#include "graphsurgeon/onnx/inference/contrib_ops.h"
#include "graphsurgeon/onnx/inference/sharper_shapes.h"
#include "graphsurgeon/onnx/schema.h"
#include "graphsurgeon/onnx/schema_table.h"
#include "graphsurgeon/onnx/stripped_model.h"

namespace graphsurgeon {

namespace {

bool uses_default_domain(const Model& model) {
  std::vector<GraphRef> todo = {model.graph};  // functions have separate imports
  while (!todo.empty()) {
    const GraphRef graph = std::move(todo.back());
    todo.pop_back();
    for (const NodeRef& node : graph->nodes()) {
      if (is_default_domain(node->domain())) return true;
      for (GraphRef& subgraph : node->subgraphs()) todo.push_back(std::move(subgraph));
    }
  }
  return false;
}

// A model that holds the operator's body as its only function.
Model model_of(const onnx::OpSchema& schema, const onnx::FunctionProto& body) {
  onnx::ModelProto proto;
  proto.set_ir_version(onnx::Version::IR_VERSION);
  proto.mutable_graph();
  onnx::FunctionProto& function = *proto.add_functions();
  function = body;
  const auto is_told = [&](const std::string& name) {
    const auto& defaults = function.attribute_proto();
    return std::any_of(defaults.begin(), defaults.end(),
                       [&](const auto& attribute) { return attribute.name() == name; });
  };
  for (const auto& [name, attribute] : schema.attributes()) {
    if (attribute.default_value.has_type() && !is_told(name)) {
      auto& added = *function.add_attribute_proto();
      added = attribute.default_value;
      added.set_name(name);
    }
  }
  return from_proto(proto, "the body of " + schema.Name());
}

}  // namespace

Opsets opsets_of(const std::vector<OpsetImport>& imports) {
  Opsets opsets;
  for (const OpsetImport& import : imports) {
    opsets[std::string(normalized_domain(import.domain))] =
        std::clamp<int64_t>(import.version, 0, std::numeric_limits<int>::max());
  }
  return opsets;
}

Opsets opsets_of(const Model& model, polygraphy::Logger& logger) {
  Opsets opsets = opsets_of(model.opset_imports);
  if (opsets.contains("") || !uses_default_domain(model)) return opsets;
  const int64_t version = model.ir_version < 3 ? 1 : latest_opset().value();
  opsets[""] = version;
  if (model.ir_version >= 3) {
    logger.warning(
        polygraphy::log_modules::kOnnxLoader,
        display_name(model) +
            " does not import a version of the ONNX operators; shape inference uses opset " +
            std::to_string(version));
  }
  return opsets;
}

const OpEntry& OpTable::find(std::string_view op, std::string_view domain) {
  domain = normalized_domain(domain);
  const auto found = entries_.find(View{domain, op});
  if (found != entries_.end()) return found->second;
  Key key{std::string(domain), std::string(op)};
  return entries_.emplace(std::move(key), look_up(op, domain)).first->second;
}

OpEntry OpTable::look_up(std::string_view op, std::string_view domain) {
  OpEntry entry;
  const auto version = opsets_.find(domain);
  if (version == opsets_.end()) return entry;
  entry.schema = schema_of(op, static_cast<int>(version->second), domain);
  if (entry.schema == nullptr) {
    entry.infer = contrib_inference(op, domain);
    return entry;
  }
  if (is_default_domain(domain)) {
    entry.sharpen = sharpening_function(op);
    entry.follow_values = value_function(op);
  }
  if (entry.schema->has_type_and_shape_inference_function()) {
    entry.infer = entry.schema->GetTypeAndShapeInferenceFunction();
  } else if (entry.schema->HasFunction()) {
    bodies_.push_back(model_of(*entry.schema, *entry.schema->GetFunction()));
    entry.body = bodies_.back().functions.front().get();
  }
  return entry;
}

}  // namespace graphsurgeon
