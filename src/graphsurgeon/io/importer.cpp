#include "graphsurgeon/io/importer.h"

#include <fmt/format.h>

#include "graphsurgeon/wire/onnx_fields.h"

namespace graphsurgeon {

namespace {

namespace graph_field = wire::graph;
namespace function_field = wire::function;
namespace node_field = wire::node;
using List = GraphList;

}  // namespace

Importer::Importer(Store& store, int max_nesting)
    : store_(store), source_(store.source()), max_nesting_(max_nesting), items_(store, *this) {}

GraphRef Importer::read(std::string_view encoded) {
  if (depth_ + 1 > max_nesting_) {
    throw TooDeeplyNested(
        encoded.data(),
        fmt::format("graphs in attributes are nested more than {} deep", max_nesting_));
  }
  GraphRef graph(GraphAccess::create_graph(store_));
  pending_.push_back({graph, encoded, items_.shared_scope(), depth_ + 1});
  return graph;
}

void Importer::import_pending(size_t floor) {
  while (pending_.size() > floor) {
    const PendingGraph work = std::move(pending_.back());
    pending_.pop_back();
    items_.enter(std::make_shared<TensorScope>(store_, work.outer));
    depth_ = work.depth;
    if (work.outer) declare_local_names(*work.graph, work.encoded);
    import_body(*work.graph, work.encoded);
    held_.clear();
    items_.leave();
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
            held_.emplace_back(items_.scope().local(Name(node.bytes())));
          }
        }
        break;
      case wire::bytes_key(graph_field::kInitializer):
        items_.add_initializer(graph, reader.bytes(), false);
        break;
      case wire::bytes_key(graph_field::kSparseInitializer):
        items_.add_initializer(graph, reader.bytes(), true);
        break;
      case wire::bytes_key(graph_field::kInput):
        items_.add_value_info(graph, reader.bytes(), List::kInputs, GraphAccess::inputs(graph));
        break;
      case wire::bytes_key(graph_field::kOutput):
        items_.add_value_info(graph, reader.bytes(), List::kOutputs, GraphAccess::outputs(graph));
        break;
      default:
        break;
    }
  }
  items_.flush(graph);
}

void Importer::import_body(Graph& graph, std::string_view encoded) {
  const bool nested = items_.scope().is_nested();  // then declare_local_names() has been here
  std::string_view name, doc;
  wire::FieldGather unknown;
  for (wire::Reader reader(encoded); reader.next();) {
    switch (reader.key()) {
      case wire::bytes_key(graph_field::kNode):
        items_.add_node(graph, reader.bytes());
        break;
      case wire::bytes_key(graph_field::kName):
        name = reader.bytes();
        break;
      case wire::bytes_key(graph_field::kDocString):
        doc = reader.bytes();
        break;
      case wire::bytes_key(graph_field::kInitializer):
        if (!nested) items_.add_initializer(graph, reader.bytes(), false);
        break;
      case wire::bytes_key(graph_field::kSparseInitializer):
        if (!nested) items_.add_initializer(graph, reader.bytes(), true);
        break;
      case wire::bytes_key(graph_field::kInput):
        if (nested) break;
        items_.add_value_info(graph, reader.bytes(), List::kInputs, GraphAccess::inputs(graph));
        break;
      case wire::bytes_key(graph_field::kOutput):
        if (nested) break;
        items_.add_value_info(graph, reader.bytes(), List::kOutputs, GraphAccess::outputs(graph));
        break;
      case wire::bytes_key(graph_field::kValueInfo):
        items_.add_value_info(graph, reader.bytes(), List::kValueInfos,
                              GraphAccess::value_infos(graph));
        break;
      default:
        unknown.add(reader.raw());
    }
  }
  items_.flush(graph);
  items_.position = {};
  GraphAccess::set_names(graph, name, doc);
  GraphAccess::set_unknown(graph, source_->keep(unknown));
}

FunctionRef Importer::import_function(std::string_view encoded) {
  FunctionRef ref(GraphAccess::create_function(store_));
  Function& function = *ref;
  items_.enter(std::make_shared<TensorScope>(store_, nullptr));
  std::string_view name, doc, domain, overload;
  wire::FieldGather unknown, defaults;
  for (wire::Reader reader(encoded); reader.next();) {
    switch (reader.key()) {
      case wire::bytes_key(function_field::kName):
        name = reader.bytes();
        break;
      case wire::bytes_key(function_field::kInput):
        GraphAccess::inputs(function).emplace_back(items_.scope().local(Name(reader.bytes())));
        break;
      case wire::bytes_key(function_field::kOutput):
        GraphAccess::outputs(function).emplace_back(items_.scope().local(Name(reader.bytes())));
        break;
      case wire::bytes_key(function_field::kAttribute):
        function.required_attributes.push_back(reader.bytes());
        break;
      case wire::bytes_key(function_field::kNode):
        items_.add_node(function, reader.bytes());
        break;
      case wire::bytes_key(function_field::kDocString):
        doc = reader.bytes();
        break;
      case wire::bytes_key(function_field::kOpsetImport):
        function.opset_imports.push_back(decode_opset_import(reader.bytes()));
        break;
      case wire::bytes_key(function_field::kDomain):
        domain = reader.bytes();
        break;
      case wire::bytes_key(function_field::kAttributeProto):
        defaults.add(reader.raw());
        break;
      case wire::bytes_key(function_field::kValueInfo):
        items_.add_value_info(function, reader.bytes(), List::kValueInfos,
                              GraphAccess::value_infos(function));
        break;
      case wire::bytes_key(function_field::kOverload):
        overload = reader.bytes();
        break;
      default:
        unknown.add(reader.raw());
    }
  }
  items_.flush(function);
  const std::string_view default_fields = source_->keep(defaults);
  scan_attributes(default_fields, &items_.has_external_data);
  function.default_attributes = decode_attributes(default_fields, store_, this);
  GraphAccess::set_names(function, name, doc);
  GraphAccess::set_identity(function, domain, overload);
  GraphAccess::set_unknown(function, source_->keep(unknown));
  GraphAccess::remember_signature(function);
  items_.leave();
  items_.position = {};
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

}  // namespace graphsurgeon
