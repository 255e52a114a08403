#include "graphsurgeon/io/item_importer.h"

#include <fmt/format.h>

#include <utility>

#include "graphsurgeon/io/type_codec.h"
#include "graphsurgeon/wire/onnx_fields.h"
#include "graphsurgeon/wire/reader.h"

namespace graphsurgeon {

std::string ReadPosition::text() const {
  uint32_t name_field = wire::value_info::kName;
  const char* what = "";
  switch (item) {
    case ReadItem::kNone:
      return {};
    case ReadItem::kNode:
      what = "node";
      name_field = wire::node::kName;
      break;
    case ReadItem::kInitializer:
      what = "initializer";
      name_field = wire::tensor::kName;
      break;
    case ReadItem::kSparseInitializer:
      what = "sparse initializer";
      name_field = 0;  // its values have its name
      break;
    case ReadItem::kInput:
      what = "input";
      break;
    case ReadItem::kOutput:
      what = "output";
      break;
    case ReadItem::kValueInfo:
      what = "value_info";
      break;
  }
  std::string_view name, op;
  try {
    for (wire::Reader reader(message); reader.next();) {
      if (reader.key() == wire::bytes_key(name_field)) name = reader.bytes();
      if (item == ReadItem::kNode && reader.key() == wire::bytes_key(wire::node::kOpType)) {
        op = reader.bytes();
      }
    }
  } catch (const wire::ParseError&) {
    // As far as it can be read.
  }
  const std::string at = fmt::format("{} {}", what, index);
  if (!name.empty() && !op.empty()) return fmt::format("{} ('{}', {})", at, name, op);
  if (!name.empty() || !op.empty()) return fmt::format("{} ('{}{}')", at, name, op);
  return at;
}

namespace node_field = wire::node;

ItemImporter::ItemImporter(Store& store, SubgraphReader& subgraphs)
    : store_(store), subgraphs_(subgraphs), source_(store.source()) {}

void ItemImporter::flush(Graph& graph) {
  if (node_count_ > 0) build_nodes(graph);
  if (!initializers_.empty()) build_initializers(graph);
}

void ItemImporter::add_node(Graph& graph, std::string_view message) {
  if (!initializers_.empty()) build_initializers(graph);
  position.item = ReadItem::kNode;
  position.index = graph.nodes().size() + node_count_;
  position.message = message;
  parse_node(message);
  if (++node_count_ == kBlock) build_nodes(graph);
}

void ItemImporter::parse_node(std::string_view message) {
  ParsedNode& node = nodes_[node_count_];
  node.message = message;
  node.op = node.name = node.domain = node.overload = node.doc = {};
  node.attributes.clear();
  node.unknown.clear();
  node.names_begin = names_.size();
  output_names_.clear();
  const TensorNameMap& known = scope_->names();
  for (wire::Reader reader(message); reader.next();) {
    switch (reader.key()) {
      case wire::bytes_key(node_field::kInput):
        known.prefetch(names_.emplace_back(reader.bytes()));
        break;
      case wire::bytes_key(node_field::kOutput):
        known.prefetch(output_names_.emplace_back(reader.bytes()));
        break;
      case wire::bytes_key(node_field::kName):
        node.name = reader.bytes();
        break;
      case wire::bytes_key(node_field::kOpType):
        node.op = reader.bytes();
        break;
      case wire::bytes_key(node_field::kAttribute):
        node.attributes.add(reader.raw());
        break;
      case wire::bytes_key(node_field::kDocString):
        node.doc = reader.bytes();
        break;
      case wire::bytes_key(node_field::kDomain):
        node.domain = reader.bytes();
        break;
      case wire::bytes_key(node_field::kOverload):
        node.overload = reader.bytes();
        break;
      default:
        node.unknown.add(reader.raw());
    }
  }
  node.outputs_begin = names_.size();
  names_.insert(names_.end(), output_names_.begin(), output_names_.end());
  node.names_end = names_.size();
}

void ItemImporter::build_nodes(Graph& graph) {
  for (const Name& name : names_) scope_->names().prefetch_tensor(name);
  for (size_t n = 0; n < node_count_; ++n) {
    const ParsedNode& parsed = nodes_[n];
    position.item = ReadItem::kNode;
    position.index = graph.nodes().size();
    position.message = parsed.message;
    Node& node = *GraphAccess::nodes(graph).emplace_back(NodeAccess::create(store_));
    NodeAccess::set_names(node, parsed.op, parsed.name, parsed.domain);
    if (parsed.doc.data() || parsed.overload.data() || !parsed.unknown.empty()) {
      NodeAccess::set_extra(node, parsed.overload, parsed.doc, source_->keep(parsed.unknown));
    }
    node.inputs().reserve(parsed.outputs_begin - parsed.names_begin);
    for (size_t i = parsed.names_begin; i < parsed.outputs_begin; ++i) {
      NodeAccess::append(node.inputs(), scope_->resolve(names_[i]));
    }
    node.outputs().reserve(parsed.names_end - parsed.outputs_begin);
    for (size_t i = parsed.outputs_begin; i < parsed.names_end; ++i) {
      NodeAccess::append(node.outputs(), scope_->local(names_[i]));
    }
    if (parsed.attributes.empty()) continue;
    const std::string_view encoded = source_->keep(parsed.attributes);
    if (scan_attributes(encoded, &has_external_data)) {
      NodeAccess::set_attributes(node, decode_attributes(encoded, store_, &subgraphs_));
    } else {
      NodeAccess::set_encoded_attributes(node, encoded);
    }
  }
  node_count_ = 0;
  names_.clear();
}

void ItemImporter::add_initializer(Graph& graph, std::string_view message, bool sparse) {
  if (node_count_ > 0) build_nodes(graph);
  position.item = sparse ? ReadItem::kSparseInitializer : ReadItem::kInitializer;
  position.index = graph.initializers().size() + initializers_.size();
  position.message = message;
  ParsedInitializer parsed{
      message,
      sparse,
      sparse ? decode_sparse_tensor(message, source_) : decode_tensor(message, source_),
      {}};
  parsed.name = Name(parsed.tensor.name);
  scope_->names().prefetch(parsed.name);
  has_external_data |= sparse ? is_external_sparse(message)
                              : parsed.tensor.values->kind() == Payload::Kind::kExternal;
  initializers_.push_back(std::move(parsed));
  if (initializers_.size() == kBlock) build_initializers(graph);
}

void ItemImporter::build_initializers(Graph& graph) {
  for (const auto& parsed : initializers_) scope_->names().prefetch_tensor(parsed.name);
  for (auto& [message, sparse, decoded, name] : initializers_) {
    // A second initializer of one name is kept, but no node reads its value.
    TensorRef tensor(scope_->local(name));
    if (tensor->is_constant()) tensor = TensorRef(scope_->create(name.text));
    TensorAccess::set_payload(*tensor, std::move(decoded.values));
    if (!decoded.unknown.empty()) {
      TensorAccess::extra(*tensor).initializer_unknown = decoded.unknown;
    }
    GraphAccess::initializers(graph).push_back(std::move(tensor));
  }
  initializers_.clear();
}

void ItemImporter::add_value_info(Graph& graph, std::string_view message, GraphList list,
                                  std::vector<TensorRef>& tensors) {
  flush(graph);
  position.item = list == GraphList::kInputs    ? ReadItem::kInput
                  : list == GraphList::kOutputs ? ReadItem::kOutput
                                                : ReadItem::kValueInfo;
  position.index = tensors.size();
  position.message = message;
  DecodedValueInfo info = decode_value_info(message, *source_);
  const Name name(info.name);
  // value_info of a nested graph may describe a tensor of an outer one.
  Tensor& tensor = *tensors.emplace_back(list == GraphList::kValueInfos ? scope_->resolve(name)
                                                                        : scope_->local(name));
  const bool own =
      !scope_->is_nested() || info.name.empty() || scope_->names().find(name) == &tensor;
  const bool partial = info.type.dtype == DataType::kUndefined || !info.type.shape;
  if (own && !TensorAccess::declared(tensor)) {
    if (partial) partial_.emplace(&tensor, message);
    TensorAccess::set_declared_in(tensor, list);
    TensorAccess::declare(tensor, info.type.kind, info.type.dtype, std::move(info.type.shape),
                          info.type.encoded);
    if (info.doc.data() || !info.unknown.empty()) {
      TensorAccess::extra(tensor).doc = info.doc;
      TensorAccess::extra(tensor).unknown = info.unknown;
    }
    return;
  }
  // Declared before: fills in missing parts, and keeps the declaration of each list for writing.
  auto& declarations = GraphAccess::declarations(graph);
  if (own && TensorAccess::becomes_repeated(tensor)) {
    const auto first = partial_.find(&tensor);
    declarations.push_back({TensorAccess::declared_in(tensor), &tensor,
                            first == partial_.end() ? std::string_view() : first->second});
  }
  if (own && info.type.kind == TypeKind::kTensor) {
    const bool adds_type =
        tensor.type_kind() == TypeKind::kNone || (tensor.type_kind() == TypeKind::kTensor &&
                                                  tensor.declared_dtype() == DataType::kUndefined);
    const bool adds_shape = tensor.type_kind() == TypeKind::kTensor && !tensor.declared_shape() &&
                            tensor.declared_dtype() == info.type.dtype && info.type.shape;
    if (adds_type || adds_shape) {
      TensorAccess::declare(tensor, info.type.kind, info.type.dtype, std::move(info.type.shape),
                            info.type.encoded);
    }
  }
  declarations.push_back({list, &tensor, message});
}

}  // namespace graphsurgeon
