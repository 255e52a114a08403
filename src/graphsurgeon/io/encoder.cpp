#include "graphsurgeon/io/encoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <unordered_set>

#include "base/error.h"
#include "graphsurgeon/wire/onnx_fields.h"

namespace graphsurgeon {
namespace {

// Deeper than any real model and any other reader (protobuf's own limit is 100 messages, which is
// 33 graphs), and safe for the stack.
constexpr int kMaxNesting = 1000;

}  // namespace

void ValueInfoEncoder::begin(const Graph& graph) {
  for (auto& told : told_) told.clear();
  for (const auto& declaration : GraphAccess::declarations(graph)) {
    told_[static_cast<size_t>(declaration.list)][declaration.tensor].encoded.push_back(
        declaration.encoded);
  }
}

void ValueInfoEncoder::write(uint32_t field, const Tensor& t, GraphList list) {
  namespace f = wire::value_info;
  auto& told = told_[static_cast<size_t>(list)];
  if (!told.empty() && !TensorAccess::edited(t)) {
    if (const auto found = told.find(&t); found != told.end()) {
      auto& [encoded, next] = found->second;
      if (next < encoded.size() && encoded[next].data() != nullptr) {
        return out_.bytes(field, encoded[next++]);
      }
      ++next;
    }
  }
  out_.begin(field);
  const auto* extra = TensorAccess::find_extra(t);
  FieldMerger fields(out_, extra ? extra->unknown : std::string_view());
  fields.text(f::kName, t.name());
  fields.at(f::kType);
  const bool of_values = t.is_constant() && !TensorAccess::declared(t);
  if (t.type_proto().data() != nullptr) {
    out_.bytes(f::kType, t.type_proto());
  } else if (const DataType dtype = of_values ? t.dtype() : t.declared_dtype();
             dtype != DataType::kUndefined) {  // no reader takes a shape of unknown elements
    const auto dim = [&](const Dim& d) {
      out_.begin(wire::shape::kDim);
      if (d.has_value()) {
        out_.int64(wire::dim::kValue, d.value());
      } else if (!d.param().empty()) {
        out_.bytes(wire::dim::kParam, d.param());
      }
      out_.end();
    };
    out_.begin(f::kType);
    out_.begin(wire::type::kTensor);
    out_.int32(wire::tensor_type::kElemType, static_cast<int32_t>(dtype));
    if (of_values || t.declared_shape()) {
      out_.begin(wire::tensor_type::kShape);
      if (of_values) {
        for (const int64_t d : t.payload()->shape()) dim(Dim(d));
      } else {
        for (const Dim& d : *t.declared_shape()) dim(d);
      }
      out_.end();
    }
    out_.end();
    out_.end();
  }
  if (extra) fields.text(f::kDocString, extra->doc);
  fields.rest();
  out_.end();
}

const std::vector<const Tensor*>& ValueInfoEncoder::unlisted(const Graph& graph) {
  const auto [entry, is_new] = unlisted_.try_emplace(&graph);
  std::vector<const Tensor*>& unlisted = entry->second;
  if (!is_new) return unlisted;
  std::unordered_set<const Tensor*> repeated;
  for (const NodeRef& n : graph.nodes()) {
    for (const Tensor* t : n->outputs()) {
      const bool typed =
          t->type_proto().data() != nullptr || t->declared_dtype() != DataType::kUndefined;
      if (!typed || t->is_empty() || t->is_constant()) continue;
      // One that is produced twice is described once.
      if (t->producers().size() == 1 || repeated.insert(t).second) unlisted.push_back(t);
    }
  }
  if (unlisted.empty()) return unlisted;
  std::vector<const Tensor*> listed;
  for (const auto* list : {&graph.inputs(), &graph.outputs(), &graph.value_infos()}) {
    for (const TensorRef& t : *list) listed.push_back(t.get());
  }
  std::sort(listed.begin(), listed.end(), std::less<>());
  std::erase_if(unlisted, [&](const Tensor* t) {
    return std::binary_search(listed.begin(), listed.end(), t, std::less<>());
  });
  return unlisted;
}

void Encoder::encode(const Model& model) {
  namespace f = wire::model;
  if (!implicit_) {
    implicit_.emplace(model);
    missing_.emplace(model);
  }
  FieldMerger fields(out_, model.unknown_fields);
  if (model.ir_version != 0) fields.at(f::kIrVersion).int64(f::kIrVersion, model.ir_version);
  fields.non_empty(f::kProducerName, model.producer_name);
  fields.non_empty(f::kProducerVersion, model.producer_version);
  fields.non_empty(f::kDomain, model.domain);
  if (model.has_model_version || model.model_version != 0) {
    fields.at(f::kModelVersion).int64(f::kModelVersion, model.model_version);
  }
  fields.non_empty(f::kDocString, model.doc_string);
  if (model.graph) {
    fields.at(f::kGraph).begin(f::kGraph);
    graph_fields(*model.graph);
    out_.end();
  }
  fields.at(f::kOpsetImport);
  for (const OpsetImport& import : model.opset_imports) opset_import(f::kOpsetImport, import);
  for (const OpsetImport& import : missing_->of_model) opset_import(f::kOpsetImport, import);
  fields.at(f::kMetadataProps);
  for (const auto& [key, value] : model.metadata) {
    out_.begin(f::kMetadataProps);
    out_.bytes(wire::entry::kKey, key);
    out_.bytes(wire::entry::kValue, value);
    out_.end();
  }
  fields.at(f::kFunctions);
  for (const FunctionRef& function : model.functions) {
    out_.begin(f::kFunctions);
    function_fields(*function);
    out_.end();
  }
  fields.rest();
}

void Encoder::opset_import(uint32_t field, const OpsetImport& import) {
  out_.begin(field);
  FieldMerger fields(out_, import.unknown_fields);
  fields.non_empty(wire::opset::kDomain, import.domain);
  if (import.version != 0) {
    fields.at(wire::opset::kVersion).int64(wire::opset::kVersion, import.version);
  }
  fields.rest();
  out_.end();
}

// --- graphs

void Encoder::graph_fields(const Graph& graph) {
  namespace f = wire::graph;
  using List = GraphList;
  FieldMerger fields(out_, graph.unknown_fields());
  fields.at(f::kNode);
  for (const NodeRef& n : graph.nodes()) node(f::kNode, *n);
  fields.text(f::kName, graph.name());
  fields.at(f::kInitializer);
  initializers(graph, false);
  fields.text(f::kDocString, graph.doc_string());
  value_infos_.begin(graph);
  fields.at(f::kInput);
  for (const TensorRef& t : graph.inputs()) value_infos_.write(f::kInput, *t, List::kInputs);
  fields.at(f::kOutput);
  for (const TensorRef& t : graph.outputs()) value_infos_.write(f::kOutput, *t, List::kOutputs);
  fields.at(f::kValueInfo);
  for (const TensorRef& t : graph.value_infos()) {
    value_infos_.write(f::kValueInfo, *t, List::kValueInfos);
  }
  for (const Tensor* t : value_infos_.unlisted(graph)) {
    value_infos_.write(f::kValueInfo, *t, List::kValueInfos);
  }
  fields.at(f::kSparseInitializer);
  initializers(graph, true);
  fields.rest();
}

void Encoder::initializers(const Graph& graph, bool sparse) {
  for (const TensorRef& t : graph.initializers()) {
    if (t->is_constant()) initializer(*t, sparse);
  }
  for (const Tensor* t : implicit_->of(graph)) initializer(*t, sparse);
}

void Encoder::initializer(const Tensor& constant, bool sparse) {
  const Payload& payload = *constant.payload();
  if (tensors_.stays_sparse(payload) != sparse) return;
  if (sparse) {
    tensors_.sparse_tensor(wire::graph::kSparseInitializer, constant.name(), payload, true);
  } else {
    const auto* extra = TensorAccess::find_extra(constant);
    tensors_.tensor(wire::graph::kInitializer, constant.name(), constant.payload(),
                    extra ? extra->initializer_unknown : std::string_view(), true);
  }
}

void Encoder::function_fields(const Function& function) {
  namespace f = wire::function;
  using List = GraphList;
  FieldMerger fields(out_, function.unknown_fields());
  fields.text(f::kName, function.name());
  fields.at(f::kInput);
  for (const TensorRef& t : function.inputs()) out_.bytes(f::kInput, t->name());
  fields.at(f::kOutput);
  for (const TensorRef& t : function.outputs()) out_.bytes(f::kOutput, t->name());
  fields.at(f::kAttribute);
  for (const std::string_view name : function.required_attributes) {
    out_.bytes(f::kAttribute, name);
  }
  fields.at(f::kNode);
  for (const Tensor* t : implicit_->of(function)) constant_node(*t);
  for (const NodeRef& n : function.nodes()) node(f::kNode, *n);
  fields.text(f::kDocString, function.doc_string());
  fields.at(f::kOpsetImport);
  for (const OpsetImport& import : function.opset_imports) opset_import(f::kOpsetImport, import);
  if (const auto missing = missing_->of_functions.find(&function);
      missing != missing_->of_functions.end()) {
    for (const OpsetImport& import : missing->second) opset_import(f::kOpsetImport, import);
  }
  fields.text(f::kDomain, function.domain());
  fields.at(f::kAttributeProto);
  for (const Attribute& a : function.default_attributes) attribute(f::kAttributeProto, a);
  value_infos_.begin(function);
  fields.at(f::kValueInfo);
  for (const TensorRef& t : function.value_infos()) {
    value_infos_.write(f::kValueInfo, *t, List::kValueInfos);
  }
  for (const Tensor* t : value_infos_.unlisted(function)) {
    value_infos_.write(f::kValueInfo, *t, List::kValueInfos);
  }
  fields.text(f::kOverload, function.overload());
  fields.rest();
}

void Encoder::nested_graph(uint32_t field, const GraphRef& graph) {
  if (!graph) return;
  if (++depth_ > kMaxNesting) {
    throw polygraphy::Error(
        fmt::format("graphs are nested more than {} deep, beyond the limit of readers",
                    kMaxNesting),
        "Check whether an attribute of the graph's nodes contains the graph itself.");
  }
  out_.begin(field);
  graph_fields(*graph);
  out_.end();
  --depth_;
}

void Encoder::node(uint32_t field, const Node& n) {
  namespace f = wire::node;
  out_.begin(field);
  const auto* extra = NodeAccess::find_extra(n);
  FieldMerger fields(out_, extra ? extra->unknown : std::string_view());
  fields.at(f::kInput);
  for (const Tensor* t : n.inputs()) out_.bytes(f::kInput, t->name());
  fields.at(f::kOutput);
  for (const Tensor* t : n.outputs()) out_.bytes(f::kOutput, t->name());
  fields.text(f::kName, n.name());
  fields.text(f::kOpType, n.op());
  fields.at(f::kAttribute);
  for (const Attribute& a : n.attributes()) attribute(f::kAttribute, a);
  if (extra) fields.text(f::kDocString, extra->doc);
  fields.text(f::kDomain, n.domain());
  if (extra) fields.text(f::kOverload, extra->overload);
  fields.rest();
  out_.end();
}

// A function has no initializers.
void Encoder::constant_node(const Tensor& constant) {
  namespace f = wire::node;
  namespace a = wire::attribute;
  const Payload& payload = *constant.payload();
  const bool sparse = payload.kind() == Payload::Kind::kSparse;
  out_.begin(wire::function::kNode);
  out_.bytes(f::kOutput, constant.name());
  out_.bytes(f::kOpType, "Constant");
  out_.begin(f::kAttribute);
  out_.bytes(a::kName, sparse ? "sparse_value" : "value");
  if (!sparse) tensors_.tensor(a::kTensor, constant.name(), constant.payload(), {}, false);
  out_.int32(a::kType,
             static_cast<int32_t>(sparse ? AttributeType::kSparseTensor : AttributeType::kTensor));
  if (sparse) tensors_.sparse_tensor(a::kSparseTensor, constant.name(), payload, false);
  out_.end();
  out_.end();
}

// --- attributes

void Encoder::attribute(uint32_t field, const Attribute& a) {
  namespace f = wire::attribute;
  out_.begin(field);
  if (!a.encoded.empty()) {
    out_.raw(a.encoded);
  } else {
    FieldMerger fields(out_, a.unknown_fields);
    fields.text(f::kName, a.name);
    attribute_value(a, fields);
    const bool sparse =
        a.type == AttributeType::kSparseTensor || a.type == AttributeType::kSparseTensors;
    if (a.typed) fields.at(f::kType).int32(f::kType, static_cast<int32_t>(a.type));
    fields.text(f::kRefAttrName, a.ref_attr_name);
    if (sparse) {
      if (const auto* t = std::get_if<TensorValue>(&a.value); t && t->values) {
        fields.at(f::kSparseTensor);
        tensors_.sparse_tensor(f::kSparseTensor, t->name, *t->values, false);
      } else if (const auto* list = std::get_if<std::vector<TensorValue>>(&a.value)) {
        fields.at(f::kSparseTensors);
        for (const TensorValue& v : *list) {
          if (v.values) tensors_.sparse_tensor(f::kSparseTensors, v.name, *v.values, false);
        }
      }
    }
    fields.rest();
  }
  out_.end();
}

// Calls `write` where the value is of this type.
template <typename T, typename Write>
void if_holds(const Attribute& a, Write write) {
  if (const auto* value = std::get_if<T>(&a.value)) write(*value);
}

// The values with fields before the type.
void Encoder::attribute_value(const Attribute& a, FieldMerger& fields) {
  namespace f = wire::attribute;
  switch (a.type) {
    case AttributeType::kFloat:
      return if_holds<float>(a, [&](float v) { fields.at(f::kFloat).float32(f::kFloat, v); });
    case AttributeType::kInt:
      return if_holds<int64_t>(a, [&](int64_t v) { fields.at(f::kInt).int64(f::kInt, v); });
    case AttributeType::kString:
      return if_holds<std::string_view>(
          a, [&](std::string_view v) { fields.at(f::kString).bytes(f::kString, v); });
    case AttributeType::kTensor:
      return if_holds<TensorValue>(a, [&](const TensorValue& v) {
        fields.at(f::kTensor);
        tensors_.tensor(f::kTensor, v.name, v.values, v.unknown_fields, false);
      });
    case AttributeType::kGraph:
      return if_holds<GraphRef>(a, [&](const GraphRef& v) {
        fields.at(f::kGraph);
        nested_graph(f::kGraph, v);
      });
    default:
      return attribute_values(a, fields);
  }
}

void Encoder::attribute_values(const Attribute& a, FieldMerger& fields) {
  namespace f = wire::attribute;
  switch (a.type) {
    case AttributeType::kFloats:
      return if_holds<std::vector<float>>(a, [&](const auto& list) {
        fields.at(f::kFloats);
        for (const float value : list) out_.float32(f::kFloats, value);
      });
    case AttributeType::kInts:
      return if_holds<std::vector<int64_t>>(a, [&](const auto& list) {
        fields.at(f::kInts);
        for (const int64_t value : list) out_.int64(f::kInts, value);
      });
    case AttributeType::kStrings:
      return if_holds<std::vector<std::string_view>>(a, [&](const auto& list) {
        fields.at(f::kStrings);
        for (const std::string_view value : list) out_.bytes(f::kStrings, value);
      });
    case AttributeType::kTensors:
      return if_holds<std::vector<TensorValue>>(a, [&](const auto& list) {
        fields.at(f::kTensors);
        for (const TensorValue& value : list)
          tensors_.tensor(f::kTensors, value.name, value.values, value.unknown_fields, false);
      });
    case AttributeType::kGraphs:
      return if_holds<std::vector<GraphRef>>(a, [&](const auto& list) {
        fields.at(f::kGraphs);
        for (const GraphRef& value : list) nested_graph(f::kGraphs, value);
      });
    default:
      break;  // sparse ones come later; type protos are kept encoded
  }
}

}  // namespace graphsurgeon
