#include "graphsurgeon/io/importer.h"

#include <fmt/format.h>

#include "graphsurgeon/wire/onnx_fields.h"

namespace graphsurgeon {

namespace {

namespace graph_field = wire::graph;
namespace function_field = wire::function;
namespace node_field = wire::node;

}  // namespace

Importer::Importer(Store& store, int max_nesting)
    : store_(store), source_(store.source()), max_nesting_(max_nesting) {}

// --- names

Tensor* Importer::create(std::string_view name) { return TensorAccess::create(store_, name); }

// The caller puts a new tensor into a Ref before anything can throw.
Tensor* Importer::local(const Name& name) {
  if (name.text.empty()) return create(name.text);
  Tensor*& slot = scope_->names.slot(name);
  if (slot) return slot;
  Tensor* tensor = slot = create(name.text);
  scope_->names.added();
  return tensor;
}

Tensor* Importer::resolve(const Name& name) {
  if (scope_->outer && !name.text.empty()) {
    for (const Scope* scope = scope_.get(); scope; scope = scope->outer.get()) {
      if (Tensor* tensor = scope->names.find(name)) return tensor;
    }
  }
  return local(name);
}

// --- graphs

GraphRef Importer::read(std::string_view encoded) {
  if (depth_ + 1 > max_nesting_) {
    throw wire::Damage(encoded.data(), fmt::format("graphs in attributes are nested more than {} "
                                                   "deep", max_nesting_));
  }
  GraphRef graph(GraphAccess::create_graph(store_));
  pending_.push_back({graph, encoded, scope_, depth_ + 1});
  return graph;
}

void Importer::import_pending(size_t floor) {
  while (pending_.size() > floor) {
    const Pending work = std::move(pending_.back());
    pending_.pop_back();
    scope_ = std::make_shared<Scope>();
    scope_->outer = work.outer;
    depth_ = work.depth;
    if (work.outer) declare_local_names(*work.graph, work.encoded);
    import_body(*work.graph, work.encoded);
    held_.clear();
    scope_.reset();
  }
  depth_ = 0;
}

GraphRef Importer::import_graph(std::string_view encoded) {
  GraphRef graph(GraphAccess::create_graph(store_));
  pending_.push_back({graph, encoded, nullptr, 0});
  import_pending(0);
  return graph;
}

// A name inside a nested graph means the graph's own tensor even where that is produced further
// down, so the own names have to be known before the first input is resolved.
void Importer::declare_local_names(Graph& graph, std::string_view encoded) {
  for (wire::Reader reader(encoded); reader.next();) {
    switch (reader.key()) {
      case wire::bytes_key(graph_field::kNode):
        for (wire::Reader node(reader.bytes()); node.next();) {
          if (node.key() == wire::bytes_key(node_field::kOutput) && !node.bytes().empty()) {
            held_.emplace_back(local(Name(node.bytes())));
          }
        }
        break;
      case wire::bytes_key(graph_field::kInitializer):
        add_initializer(graph, reader.bytes(), false);
        break;
      case wire::bytes_key(graph_field::kSparseInitializer):
        add_initializer(graph, reader.bytes(), true);
        break;
      case wire::bytes_key(graph_field::kInput):
        add_value_info(graph, reader.bytes(), List::kInputs, GraphAccess::inputs(graph));
        break;
      case wire::bytes_key(graph_field::kOutput):
        add_value_info(graph, reader.bytes(), List::kOutputs, GraphAccess::outputs(graph));
        break;
      default: break;
    }
  }
  flush(graph);
}

void Importer::import_body(Graph& graph, std::string_view encoded) {
  const bool nested = scope_->outer != nullptr;  // then declare_local_names() has been here
  std::string_view name, doc;
  wire::FieldGather unknown;
  for (wire::Reader reader(encoded); reader.next();) {
    switch (reader.key()) {
      case wire::bytes_key(graph_field::kNode): add_node(graph, reader.bytes()); break;
      case wire::bytes_key(graph_field::kName): name = reader.bytes(); break;
      case wire::bytes_key(graph_field::kDocString): doc = reader.bytes(); break;
      case wire::bytes_key(graph_field::kInitializer):
        if (!nested) add_initializer(graph, reader.bytes(), false);
        break;
      case wire::bytes_key(graph_field::kSparseInitializer):
        if (!nested) add_initializer(graph, reader.bytes(), true);
        break;
      case wire::bytes_key(graph_field::kInput):
        if (nested) break;
        add_value_info(graph, reader.bytes(), List::kInputs, GraphAccess::inputs(graph));
        break;
      case wire::bytes_key(graph_field::kOutput):
        if (nested) break;
        add_value_info(graph, reader.bytes(), List::kOutputs, GraphAccess::outputs(graph));
        break;
      case wire::bytes_key(graph_field::kValueInfo):
        add_value_info(graph, reader.bytes(), List::kValueInfos, GraphAccess::value_infos(graph));
        break;
      default: unknown.add(reader.raw());
    }
  }
  flush(graph);
  item_ = Item::kNone;
  GraphAccess::set_names(graph, name, doc);
  GraphAccess::set_unknown(graph, source_->keep(unknown));
}

FunctionRef Importer::import_function(std::string_view encoded) {
  FunctionRef ref(GraphAccess::create_function(store_));
  Function& function = *ref;
  scope_ = std::make_shared<Scope>();
  std::string_view name, doc, domain, overload;
  wire::FieldGather unknown, defaults;
  for (wire::Reader reader(encoded); reader.next();) {
    switch (reader.key()) {
      case wire::bytes_key(function_field::kName): name = reader.bytes(); break;
      case wire::bytes_key(function_field::kInput):
        GraphAccess::inputs(function).emplace_back(local(Name(reader.bytes())));
        break;
      case wire::bytes_key(function_field::kOutput):
        GraphAccess::outputs(function).emplace_back(local(Name(reader.bytes())));
        break;
      case wire::bytes_key(function_field::kAttribute):
        function.required_attributes.push_back(reader.bytes());
        break;
      case wire::bytes_key(function_field::kNode): add_node(function, reader.bytes()); break;
      case wire::bytes_key(function_field::kDocString): doc = reader.bytes(); break;
      case wire::bytes_key(function_field::kOpsetImport):
        function.opset_imports.push_back(decode_opset_import(reader.bytes()));
        break;
      case wire::bytes_key(function_field::kDomain): domain = reader.bytes(); break;
      case wire::bytes_key(function_field::kAttributeProto): defaults.add(reader.raw()); break;
      case wire::bytes_key(function_field::kValueInfo):
        add_value_info(function, reader.bytes(), List::kValueInfos,
                       GraphAccess::value_infos(function));
        break;
      case wire::bytes_key(function_field::kOverload): overload = reader.bytes(); break;
      default: unknown.add(reader.raw());
    }
  }
  flush(function);
  const std::string_view default_fields = source_->keep(defaults);
  scan_attributes(default_fields, &has_external_);
  function.default_attributes = decode_attributes(default_fields, store_, this);
  GraphAccess::set_names(function, name, doc);
  GraphAccess::set_identity(function, domain, overload);
  GraphAccess::set_unknown(function, source_->keep(unknown));
  GraphAccess::remember_signature(function);
  scope_.reset();
  item_ = Item::kNone;
  import_pending(0);
  return ref;
}

OpsetImport decode_opset_import(std::string_view message) {
  OpsetImport import;
  for (wire::Reader reader(message); reader.next();) {
    if (reader.key() == wire::bytes_key(wire::opset::kDomain)) {
      import.domain = reader.bytes();
      if (import.domain.empty()) import.unknown_fields += reader.raw();
    } else if (reader.key() == wire::varint_key(wire::opset::kVersion)) {
      import.version = reader.as_int64();
      if (import.version == 0) import.unknown_fields += reader.raw();
    } else {
      import.unknown_fields += reader.raw();
    }
  }
  return import;
}

// --- what graphs are made of

void Importer::flush(Graph& graph) {
  if (node_count_ > 0) build_nodes(graph);
  if (!initializers_.empty()) build_initializers(graph);
}

void Importer::add_node(Graph& graph, std::string_view message) {
  if (!initializers_.empty()) build_initializers(graph);
  item_ = Item::kNode;
  index_ = graph.nodes().size() + node_count_;
  message_ = message;
  parse_node(message);
  if (++node_count_ == kBlock) build_nodes(graph);
}

void Importer::parse_node(std::string_view message) {
  ParsedNode& node = nodes_[node_count_];
  node.message = message;
  node.op = node.name = node.domain = node.overload = node.doc = {};
  node.attributes.clear();
  node.unknown.clear();
  node.names_begin = names_.size();
  output_names_.clear();
  const NameMap& known = scope_->names;
  for (wire::Reader reader(message); reader.next();) {
    switch (reader.key()) {
      case wire::bytes_key(node_field::kInput):
        known.prefetch(names_.emplace_back(reader.bytes()));
        break;
      case wire::bytes_key(node_field::kOutput):
        known.prefetch(output_names_.emplace_back(reader.bytes()));
        break;
      case wire::bytes_key(node_field::kName): node.name = reader.bytes(); break;
      case wire::bytes_key(node_field::kOpType): node.op = reader.bytes(); break;
      case wire::bytes_key(node_field::kAttribute): node.attributes.add(reader.raw()); break;
      case wire::bytes_key(node_field::kDocString): node.doc = reader.bytes(); break;
      case wire::bytes_key(node_field::kDomain): node.domain = reader.bytes(); break;
      case wire::bytes_key(node_field::kOverload): node.overload = reader.bytes(); break;
      default: node.unknown.add(reader.raw());
    }
  }
  node.outputs_begin = names_.size();
  names_.insert(names_.end(), output_names_.begin(), output_names_.end());
  node.names_end = names_.size();
}

void Importer::build_nodes(Graph& graph) {
  for (const Name& name : names_) scope_->names.prefetch_tensor(name);
  for (size_t n = 0; n < node_count_; ++n) {
    const ParsedNode& parsed = nodes_[n];
    item_ = Item::kNode;
    index_ = graph.nodes().size();
    message_ = parsed.message;
    Node& node = *GraphAccess::nodes(graph).emplace_back(NodeAccess::create(store_));
    NodeAccess::set_names(node, parsed.op, parsed.name, parsed.domain);
    if (parsed.doc.data() || parsed.overload.data() || !parsed.unknown.empty()) {
      NodeAccess::set_extra(node, parsed.overload, parsed.doc, source_->keep(parsed.unknown));
    }
    node.inputs().reserve(parsed.outputs_begin - parsed.names_begin);
    for (size_t i = parsed.names_begin; i < parsed.outputs_begin; ++i) {
      NodeAccess::append(node.inputs(), resolve(names_[i]));
    }
    node.outputs().reserve(parsed.names_end - parsed.outputs_begin);
    for (size_t i = parsed.outputs_begin; i < parsed.names_end; ++i) {
      NodeAccess::append(node.outputs(), local(names_[i]));
    }
    if (parsed.attributes.empty()) continue;
    const std::string_view encoded = source_->keep(parsed.attributes);
    if (scan_attributes(encoded, &has_external_)) {
      NodeAccess::set_attributes(node, decode_attributes(encoded, store_, this));
    } else {
      NodeAccess::set_encoded_attributes(node, encoded);
    }
  }
  node_count_ = 0;
  names_.clear();
}

void Importer::add_initializer(Graph& graph, std::string_view message, bool sparse) {
  if (node_count_ > 0) build_nodes(graph);
  item_ = sparse ? Item::kSparseInitializer : Item::kInitializer;
  index_ = graph.initializers().size() + initializers_.size();
  message_ = message;
  ParsedInitializer parsed{message, sparse,
                           sparse ? decode_sparse_tensor(message, source_)
                                  : decode_tensor(message, source_),
                           {}};
  parsed.name = Name(parsed.tensor.name);
  scope_->names.prefetch(parsed.name);
  has_external_ |= sparse ? is_external_sparse(message)
                          : parsed.tensor.values->kind() == Payload::Kind::kExternal;
  initializers_.push_back(std::move(parsed));
  if (initializers_.size() == kBlock) build_initializers(graph);
}

void Importer::build_initializers(Graph& graph) {
  for (const auto& parsed : initializers_) scope_->names.prefetch_tensor(parsed.name);
  for (auto& [message, sparse, decoded, name] : initializers_) {
    // A second initializer of one name is kept, but nobody's value.
    TensorRef tensor(local(name));
    if (tensor->is_constant()) tensor = TensorRef(create(name.text));
    TensorAccess::set_payload(*tensor, std::move(decoded.values));
    if (!decoded.unknown.empty()) {
      TensorAccess::extra(*tensor).initializer_unknown = decoded.unknown;
    }
    GraphAccess::initializers(graph).push_back(std::move(tensor));
  }
  initializers_.clear();
}

void Importer::add_value_info(Graph& graph, std::string_view message, List list,
                              std::vector<TensorRef>& tensors) {
  flush(graph);
  item_ = list == List::kInputs    ? Item::kInput
          : list == List::kOutputs ? Item::kOutput
                                   : Item::kValueInfo;
  index_ = tensors.size();
  message_ = message;
  DecodedValueInfo info = decode_value_info(message, *source_);
  const Name name(info.name);
  // value_info of a nested graph may describe a tensor of an outer one.
  Tensor& tensor = *tensors.emplace_back(list == List::kValueInfos ? resolve(name)
                                                                   : local(name));
  const bool own =
      !scope_->outer || info.name.empty() || scope_->names.find(name) == &tensor;
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
  // Told before. What is missing is filled in; what each list says is kept for writing.
  auto& declarations = GraphAccess::declarations(graph);
  if (own && TensorAccess::becomes_repeated(tensor)) {
    const auto first = partial_.find(&tensor);
    declarations.push_back({TensorAccess::declared_in(tensor), &tensor,
                            first == partial_.end() ? std::string_view() : first->second});
  }
  if (own && info.type.kind == TypeKind::kTensor) {
    const bool adds_type = tensor.type_kind() == TypeKind::kNone ||
                           (tensor.type_kind() == TypeKind::kTensor &&
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

// --- messages

std::string Importer::place() const {
  uint32_t name_field = wire::value_info::kName;
  const char* what = "";
  switch (item_) {
    case Item::kNone: return {};
    case Item::kNode:
      what = "node";
      name_field = node_field::kName;
      break;
    case Item::kInitializer:
      what = "initializer";
      name_field = wire::tensor::kName;
      break;
    case Item::kSparseInitializer:
      what = "sparse initializer";
      name_field = 0;  // its name is that of its values
      break;
    case Item::kInput: what = "input"; break;
    case Item::kOutput: what = "output"; break;
    case Item::kValueInfo: what = "value_info"; break;
  }
  std::string_view name, op;
  try {
    for (wire::Reader reader(message_); reader.next();) {
      if (reader.key() == wire::bytes_key(name_field)) name = reader.bytes();
      if (item_ == Item::kNode && reader.key() == wire::bytes_key(node_field::kOpType)) {
        op = reader.bytes();
      }
    }
  } catch (const wire::Damage&) {
    // As far as it can be read.
  }
  const std::string text = fmt::format("{} {}", what, index_);
  if (!name.empty() && !op.empty()) return fmt::format("{} ('{}', {})", text, name, op);
  if (!name.empty() || !op.empty()) return fmt::format("{} ('{}{}')", text, name, op);
  return text;
}

}  // namespace graphsurgeon
