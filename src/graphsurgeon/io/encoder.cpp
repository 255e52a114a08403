#include "graphsurgeon/io/encoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "base/error.h"
#include "graphsurgeon/io/payload_bytes.h"
#include "graphsurgeon/ir/encoded_payload.h"
#include "graphsurgeon/ir/external_payload.h"
#include "graphsurgeon/ir/sparse_payload.h"
#include "graphsurgeon/wire/onnx_fields.h"
#include "graphsurgeon/wire/reader.h"

namespace graphsurgeon {

namespace {

// Deeper than any real model and any other reader (protobuf's own limit is 100 messages, which is 33
// graphs), and safe for the stack.
constexpr int kMaxNesting = 1000;

// Texts that are there, though empty, have a non-null view.
bool present(std::string_view text) { return text.data() != nullptr; }

// `fields` without external_data and data_location.
std::string without_location(std::string_view fields) {
  std::string rest;
  for (wire::Reader reader(fields); reader.next();) {
    if (reader.number() != wire::tensor::kExternalData &&
        reader.number() != wire::tensor::kDataLocation) {
      rest += reader.raw();
    }
  }
  return rest;
}

}  // namespace

// The known fields of one message in ascending order, the unknown ones sorted in. Fields that a
// reader kept as unknown because they say their default come before the known one of the same
// number, so that a value set since then wins.
class Encoder::Fields {
 public:
  Fields(wire::Writer& out, std::string_view unknown) : out_(out), unknown_(unknown) {}

  wire::Writer& at(uint32_t number) {
    out_.raw_range(unknown_, next_, number + 1);
    next_ = number + 1;
    return out_;
  }
  void text(uint32_t number, std::string_view value) {
    if (present(value)) at(number).bytes(number, value);
  }
  // For std::string members, where an explicit empty one is among the unknown fields.
  void non_empty(uint32_t number, std::string_view value) {
    if (!value.empty()) at(number).bytes(number, value);
  }
  void rest() { out_.raw_range(unknown_, next_, UINT32_MAX); }

 private:
  wire::Writer& out_;
  std::string_view unknown_;
  uint32_t next_ = 0;
};

void Encoder::encode(const Model& model) {
  namespace f = wire::model;
  Fields fields(out_, model.unknown_fields);
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
  Fields fields(out_, import.unknown_fields);
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
  Fields fields(out_, graph.unknown_fields());
  fields.at(f::kNode);
  for (const NodeRef& n : graph.nodes()) node(f::kNode, *n);
  fields.text(f::kName, graph.name());
  fields.at(f::kInitializer);
  initializers(graph, false);
  fields.text(f::kDocString, graph.doc_string());
  begin_lists(graph);
  fields.at(f::kInput);
  for (const TensorRef& t : graph.inputs()) value_info(f::kInput, *t, List::kInputs);
  fields.at(f::kOutput);
  for (const TensorRef& t : graph.outputs()) value_info(f::kOutput, *t, List::kOutputs);
  fields.at(f::kValueInfo);
  for (const TensorRef& t : graph.value_infos()) {
    value_info(f::kValueInfo, *t, List::kValueInfos);
  }
  for (const Tensor* t : further_value_infos(graph)) {
    value_info(f::kValueInfo, *t, List::kValueInfos);
  }
  fields.at(f::kSparseInitializer);
  initializers(graph, true);
  fields.rest();
}

void Encoder::function_fields(const Function& function) {
  namespace f = wire::function;
  using List = GraphList;
  Fields fields(out_, function.unknown_fields());
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
  for (const NodeRef& n : function.nodes()) node(f::kNode, *n);
  fields.text(f::kDocString, function.doc_string());
  fields.at(f::kOpsetImport);
  for (const OpsetImport& import : function.opset_imports) opset_import(f::kOpsetImport, import);
  fields.text(f::kDomain, function.domain());
  fields.at(f::kAttributeProto);
  for (const Attribute& a : function.default_attributes) attribute(f::kAttributeProto, a);
  begin_lists(function);
  fields.at(f::kValueInfo);
  for (const TensorRef& t : function.value_infos()) {
    value_info(f::kValueInfo, *t, List::kValueInfos);
  }
  for (const Tensor* t : further_value_infos(function)) {
    value_info(f::kValueInfo, *t, List::kValueInfos);
  }
  fields.text(f::kOverload, function.overload());
  fields.rest();
}

void Encoder::nested_graph(uint32_t field, const GraphRef& graph) {
  if (!graph) return;
  if (++depth_ > kMaxNesting) {
    throw polygraphy::Error(
        fmt::format("graphs are nested more than {} deep, which no reader takes", kMaxNesting),
        "A graph that holds itself, by way of its nodes' attributes, looks like this.");
  }
  out_.begin(field);
  graph_fields(*graph);
  out_.end();
  --depth_;
}

const std::vector<const Tensor*>& Encoder::further_value_infos(const Graph& graph) {
  const auto [entry, is_new] = further_.try_emplace(&graph);
  std::vector<const Tensor*>& further = entry->second;
  if (!is_new) return further;
  std::unordered_set<const Tensor*> repeated;
  for (const NodeRef& n : graph.nodes()) {
    for (const Tensor* t : n->outputs()) {
      const bool typed = t->type_proto().data() != nullptr || t->declared_shape() != nullptr ||
                         t->declared_dtype() != DataType::kUndefined;
      if (!typed || t->is_empty() || t->is_constant()) continue;
      // One that is produced twice is described once.
      if (t->producers().size() == 1 || repeated.insert(t).second) further.push_back(t);
    }
  }
  if (further.empty()) return further;
  std::vector<const Tensor*> listed;
  for (const auto* list : {&graph.inputs(), &graph.outputs(), &graph.value_infos()}) {
    for (const TensorRef& t : *list) listed.push_back(t.get());
  }
  std::sort(listed.begin(), listed.end(), std::less<>());
  std::erase_if(further, [&](const Tensor* t) {
    return std::binary_search(listed.begin(), listed.end(), t, std::less<>());
  });
  return further;
}

void Encoder::node(uint32_t field, const Node& n) {
  namespace f = wire::node;
  out_.begin(field);
  const auto* extra = NodeAccess::find_extra(n);
  Fields fields(out_, extra ? extra->unknown : std::string_view());
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

// --- attributes

void Encoder::attribute(uint32_t field, const Attribute& a) {
  namespace f = wire::attribute;
  out_.begin(field);
  if (!a.encoded.empty()) {
    out_.raw(a.encoded);
  } else {
    Fields fields(out_, a.unknown_fields);
    fields.text(f::kName, a.name);
    attribute_value(a, fields);
    const bool sparse =
        a.type == AttributeType::kSparseTensor || a.type == AttributeType::kSparseTensors;
    if (a.typed) fields.at(f::kType).int32(f::kType, static_cast<int32_t>(a.type));
    fields.text(f::kRefAttrName, a.ref_attr_name);
    if (sparse) {
      if (const auto* t = std::get_if<TensorValue>(&a.value); t && t->values) {
        fields.at(f::kSparseTensor);
        sparse_tensor(f::kSparseTensor, t->name, *t->values, false);
      } else if (const auto* list = std::get_if<std::vector<TensorValue>>(&a.value)) {
        fields.at(f::kSparseTensors);
        for (const TensorValue& v : *list) {
          if (v.values) sparse_tensor(f::kSparseTensors, v.name, *v.values, false);
        }
      }
    }
    fields.rest();
  }
  out_.end();
}

// The values whose fields come before the type.
void Encoder::attribute_value(const Attribute& a, Fields& fields) {
  namespace f = wire::attribute;
  switch (a.type) {
    case AttributeType::kFloat:
      if (const auto* v = std::get_if<float>(&a.value)) fields.at(f::kFloat).float32(f::kFloat, *v);
      break;
    case AttributeType::kInt:
      if (const auto* v = std::get_if<int64_t>(&a.value)) fields.at(f::kInt).int64(f::kInt, *v);
      break;
    case AttributeType::kString:
      if (const auto* v = std::get_if<std::string_view>(&a.value)) {
        fields.at(f::kString).bytes(f::kString, *v);
      }
      break;
    case AttributeType::kTensor:
      if (const auto* v = std::get_if<TensorValue>(&a.value)) {
        fields.at(f::kTensor);
        tensor(f::kTensor, v->name, v->values, v->unknown_fields, false);
      }
      break;
    case AttributeType::kGraph:
      if (const auto* v = std::get_if<GraphRef>(&a.value)) {
        fields.at(f::kGraph);
        nested_graph(f::kGraph, *v);
      }
      break;
    case AttributeType::kFloats:
      if (const auto* v = std::get_if<std::vector<float>>(&a.value)) {
        fields.at(f::kFloats);
        for (const float value : *v) out_.float32(f::kFloats, value);
      }
      break;
    case AttributeType::kInts:
      if (const auto* v = std::get_if<std::vector<int64_t>>(&a.value)) {
        fields.at(f::kInts);
        for (const int64_t value : *v) out_.int64(f::kInts, value);
      }
      break;
    case AttributeType::kStrings:
      if (const auto* v = std::get_if<std::vector<std::string_view>>(&a.value)) {
        fields.at(f::kStrings);
        for (const std::string_view value : *v) out_.bytes(f::kStrings, value);
      }
      break;
    case AttributeType::kTensors:
      if (const auto* v = std::get_if<std::vector<TensorValue>>(&a.value)) {
        fields.at(f::kTensors);
        for (const TensorValue& value : *v) {
          tensor(f::kTensors, value.name, value.values, value.unknown_fields, false);
        }
      }
      break;
    case AttributeType::kGraphs:
      if (const auto* v = std::get_if<std::vector<GraphRef>>(&a.value)) {
        fields.at(f::kGraphs);
        for (const GraphRef& value : *v) nested_graph(f::kGraphs, value);
      }
      break;
    default: break;  // sparse ones come later; type protos are kept encoded
  }
}

// --- types

void Encoder::begin_lists(const Graph& graph) {
  for (auto& told : told_) told.clear();
  for (const auto& declaration : GraphAccess::declarations(graph)) {
    told_[static_cast<size_t>(declaration.list)][declaration.tensor].encoded.push_back(
        declaration.encoded);
  }
}

void Encoder::value_info(uint32_t field, const Tensor& t, GraphList list) {
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
  Fields fields(out_, extra ? extra->unknown : std::string_view());
  fields.text(f::kName, t.name());
  fields.at(f::kType);
  const bool of_values = t.is_constant() && !TensorAccess::declared(t);
  if (t.type_proto().data() != nullptr) {
    out_.bytes(f::kType, t.type_proto());
  } else if (const DataType dtype = of_values ? t.dtype() : t.declared_dtype();
             dtype != DataType::kUndefined || t.declared_shape()) {
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
    if (dtype != DataType::kUndefined) {
      out_.int32(wire::tensor_type::kElemType, static_cast<int32_t>(dtype));
    }
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

// --- values

void Encoder::initializers(const Graph& graph, bool sparse) {
  for (const TensorRef& t : graph.initializers()) {
    if (!t->is_constant()) continue;
    const Payload& payload = *t->payload();
    const bool stays_sparse = payload.kind() == Payload::Kind::kSparse &&
                              placement_.place(payload, true).kind != Place::Kind::kExternal;
    if (stays_sparse != sparse) continue;
    if (sparse) {
      sparse_tensor(wire::graph::kSparseInitializer, t->name(), payload, true);
    } else {
      const auto* extra = TensorAccess::find_extra(*t);
      tensor(wire::graph::kInitializer, t->name(), t->payload(),
             extra ? extra->initializer_unknown : std::string_view(), true);
    }
  }
}

void Encoder::tensor(uint32_t field, std::string_view name, const PayloadPtr& values,
                     std::string_view unknown, bool initializer) {
  out_.begin(field);
  if (values) {
    encoded_tensor(name, *values, unknown, placement_.place(*values, initializer));
  }
  out_.end();
}

void Encoder::sparse_tensor(uint32_t field, std::string_view name, const Payload& payload,
                            bool initializer) {
  namespace f = wire::sparse_tensor;
  const auto& sparse = static_cast<const SparsePayload&>(payload);
  const auto part = [&](uint32_t number, std::string_view part_name, const DecodedTensor& t) {
    if (!t.values) return;
    out_.begin(number);
    encoded_tensor(part_name, *t.values, t.unknown, placement_.place(*t.values, initializer));
    out_.end();
  };
  out_.begin(field);
  Fields fields(out_, sparse.unknown());
  fields.at(f::kValues);
  part(f::kValues, name, sparse.values());
  fields.at(f::kIndices);
  part(f::kIndices, sparse.indices().name, sparse.indices());
  fields.at(f::kDims);
  for (const int64_t dim : sparse.shape()) out_.int64(f::kDims, dim);
  fields.rest();
  out_.end();
}

void Encoder::encoded_tensor(std::string_view name, const Payload& payload,
                             std::string_view unknown, const Place& place) {
  namespace f = wire::tensor;
  const bool moved = place.kind == Place::Kind::kExternal;
  const bool reference = place.kind == Place::Kind::kAsItIs &&
                         payload.kind() == Payload::Kind::kExternal;
  // The fields of the message as they were read, when the values are where they were.
  const auto* encoded = !moved && payload.kind() == Payload::Kind::kInline
                            ? &static_cast<const EncodedPayload&>(payload)
                            : nullptr;
  std::string stripped;
  if (moved && !unknown.empty()) unknown = stripped = without_location(unknown);
  Fields fields(out_, unknown);
  fields.at(f::kDims);
  for (const int64_t dim : payload.shape()) out_.int64(f::kDims, dim);
  if (payload.dtype() != DataType::kUndefined) {
    fields.at(f::kDataType).int32(f::kDataType, static_cast<int32_t>(payload.dtype()));
  }
  fields.at(f::kInt64Data);
  if (encoded) {
    out_.raw_range(encoded->fields(), f::kFloatData, f::kInt64Data + 1);
  } else if (payload.dtype() == DataType::kString && !moved && !reference) {
    const Array texts = payload.load(name);
    for (const std::string& text : texts.strings()) out_.bytes(f::kStringData, text);
  }
  fields.text(f::kName, name);
  fields.at(f::kRawData);
  if (encoded) {
    out_.raw_range(encoded->fields(), f::kRawData, f::kUint64Data + 1);
  } else if (payload.dtype() != DataType::kString && !moved && !reference) {
    out_.body(f::kRawData, PayloadBody(payload, name));
  }
  if (moved) {
    fields.at(f::kExternalData);
    external_entries(place);
  } else if (reference) {
    const auto& external = static_cast<const ExternalPayload&>(payload);
    fields.at(f::kExternalData);
    if (!external.fields().empty()) {
      out_.raw(external.fields());
    } else {
      const ExternalRange& range = *external.external();
      external_entries(reference_to(range, range.location));
    }
  }
  if (moved || reference) {
    fields.at(f::kDataLocation).varint(f::kDataLocation, f::kLocationExternal);
  }
  fields.rest();
}

Place reference_to(const ExternalRange& range, std::string location) {
  Place place;
  place.kind = Place::Kind::kExternal;
  place.location = std::move(location);
  if (range.offset != 0) place.offset = static_cast<uint64_t>(range.offset);
  if (range.length >= 0) place.length = static_cast<uint64_t>(range.length);
  place.other = range.other;
  return place;
}

void Encoder::external_entries(const Place& place) {
  const auto entry = [&](std::string_view key, std::string_view value) {
    out_.begin(wire::tensor::kExternalData);
    out_.bytes(wire::entry::kKey, key);
    out_.bytes(wire::entry::kValue, value);
    out_.end();
  };
  entry("location", place.location);
  if (place.offset) entry("offset", std::to_string(*place.offset));
  if (place.length) entry("length", std::to_string(*place.length));
  for (const auto& [key, value] : place.other) entry(key, value);
}

}  // namespace graphsurgeon
