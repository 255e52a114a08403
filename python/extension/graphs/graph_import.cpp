#include "graphs/graph_import.h"

#include <utility>

#include "graphs/graph_objects.h"
#include "graphsurgeon/io/type_codec.h"
#include "graphsurgeon/ir/domain.h"
#include "graphsurgeon/wire/onnx_fields.h"
#include "models/attribute_bytes.h"
#include "python_functions.h"

namespace native {

using graphsurgeon::Attribute;
using graphsurgeon::AttributeType;
using graphsurgeon::Dim;
using graphsurgeon::DimList;
using graphsurgeon::Function;
using graphsurgeon::Graph;
using graphsurgeon::GraphRef;
using graphsurgeon::Model;
using graphsurgeon::Node;
using graphsurgeon::NodeRef;
using graphsurgeon::OpsetImport;
using graphsurgeon::Payload;
using graphsurgeon::Tensor;
using graphsurgeon::TensorRef;
using graphsurgeon::TensorValue;
using graphsurgeon::TypeKind;
using polygraphy::DataType;

namespace {

PyRef opsets_to_python(const std::vector<OpsetImport>& imports) {
  return call(graph_classes().opset_imports.get(), list_of(imports, [](const OpsetImport& import) {
                return tuple(import.domain, import.version);
              }));
}

PyRef opset_of(const std::vector<OpsetImport>& imports) {
  for (const OpsetImport& import : imports) {
    if (graphsurgeon::is_default_domain(import.domain)) return to_python(import.version);
  }
  return none();
}

void put(const PyRef& dict, const char* key, const PyRef& value) {
  check(PyDict_SetItemString(dict.get(), key, value.get()));
}

const char* type_name(TypeKind kind) {
  switch (kind) {
    case TypeKind::kSequence:
      return "sequence_type";
    case TypeKind::kMap:
      return "map_type";
    case TypeKind::kOptional:
      return "optional_type";
    case TypeKind::kSparseTensor:
      return "sparse_tensor_type";
    case TypeKind::kOpaque:
      return "opaque_type";
    default:
      return "tensor_type";
  }
}

// The tensor type in a sequence or optional, for the Variable's type and shape; of kind kNone if
// the elements are not tensors.
graphsurgeon::DecodedType element_type(const Tensor& tensor) {
  namespace type = graphsurgeon::wire::type;
  const uint32_t field =
      tensor.type_kind() == TypeKind::kSequence ? type::kSequence : type::kOptional;
  const std::string_view element = field_of(field_of(tensor.type_proto(), field), 1);
  graphsurgeon::DecodedType decoded = graphsurgeon::decode_type(element);
  if (decoded.kind != TypeKind::kTensor) return {};
  return decoded;
}

// Texts of attributes may be bytes that are not UTF-8.
PyRef text_or_bytes(std::string_view text) {
  PyObject* string =
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "strict");
  if (string) return PyRef::take(string);
  PyErr_Clear();
  return to_bytes(text);
}

}  // namespace

PyRef shape_to_python(const std::optional<DimList>& shape) {
  if (!shape) return none();
  return list_of(*shape, [](const Dim& dim) {
    if (dim.has_value()) return to_python(dim.value());
    return dim.param().empty() ? none() : to_python(dim.param());
  });
}

GraphImport::~GraphImport() {
  for (const TensorRef& tensor : bound_) {
    Py_XDECREF(static_cast<PyObject*>(std::exchange(tensor->binding, nullptr)));
  }
}

void GraphImport::set_header(PyRef opset, PyRef import_domains, PyRef functions) {
  opset_ = std::move(opset);
  import_domains_ = std::move(import_domains);
  functions_ = std::move(functions);
}

PyRef GraphImport::text(std::string_view interned) {
  PyRef& text = texts_[interned];
  if (!text) text = to_python(interned);
  return text;
}

PyRef GraphImport::dtype(DataType type, bool is_stated) {
  if (type == DataType::kUndefined && !is_stated) return none();
  PyRef& dtype = dtypes_[static_cast<int32_t>(type)];
  if (!dtype) {
    dtype = call(graph_classes().numpy_type.get(), static_cast<int>(type));
  }
  return dtype;
}

PyRef GraphImport::tensor(Tensor& tensor) {
  if (tensor.binding) return PyRef::share(static_cast<PyObject*>(tensor.binding));
  const PyRef name = to_python(tensor.name());
  PyRef object;
  if (tensor.is_constant()) {
    const bool external = tensor.payload()->kind() == Payload::Kind::kExternal;
    object = new_constant(name.get(), new_lazy_values(tensor.payload(), tensor.name()).get(),
                          external ? to_python(int64_t{1}).get() : Py_None, Py_None);
  } else {
    DataType type = tensor.dtype();
    std::optional<DimList> shape = tensor.shape();
    if (tensor.type_kind() == TypeKind::kSequence || tensor.type_kind() == TypeKind::kOptional) {
      const graphsurgeon::DecodedType element = element_type(tensor);
      type = element.dtype;
      shape = element.shape ? std::optional(*element.shape) : std::nullopt;
    }
    const bool is_stated =
        !tensor.type_proto().empty() &&
        (tensor.type_kind() == TypeKind::kTensor || tensor.type_kind() == TypeKind::kSequence);
    object = new_variable(name.get(), dtype(type, is_stated).get(), shape_to_python(shape).get(),
                          text(type_name(tensor.type_kind())).get());
  }
  tensor.binding = Py_NewRef(object.get());
  bound_.emplace_back(&tensor);
  return object;
}

PyRef GraphImport::attribute_value(const Node& node, const Attribute& attribute) {
  const auto tensor = [&](const TensorValue& value) {
    return new_constant(to_python(value.name).get(),
                        new_lazy_values(value.values, value.name).get(), Py_None, Py_None);
  };
  const auto subgraph = [&](const GraphRef& inner) { return graph(*inner); };
  if (attribute.encoded.empty() && attribute.ref_attr_name.empty()) {
    switch (attribute.type) {
      case AttributeType::kFloat:
        return to_python(attribute.as_float());
      case AttributeType::kInt:
        return to_python(attribute.as_int());
      case AttributeType::kString:
        return text_or_bytes(attribute.as_string());
      case AttributeType::kTensor:
        if (const auto* value = std::get_if<TensorValue>(&attribute.value)) return tensor(*value);
        break;
      case AttributeType::kGraph:
        if (const auto* inner = std::get_if<GraphRef>(&attribute.value); inner && *inner) {
          return subgraph(*inner);
        }
        break;
      case AttributeType::kFloats:
        return list_of(std::get<std::vector<float>>(attribute.value),
                       [](float number) { return to_python(number); });
      case AttributeType::kInts:
        return list_of(std::get<std::vector<int64_t>>(attribute.value),
                       [](int64_t number) { return to_python(number); });
      case AttributeType::kStrings:
        return list_of(std::get<std::vector<std::string_view>>(attribute.value), text_or_bytes);
      default:
        break;
    }
  }
  // The rest is rare: the package's own code reads the AttributeProto.
  const PyRef answer =
      call(graph_classes().attribute_value.get(), encoded_attribute(node, attribute));
  const auto [known, value] = items_of<bool, PyObject*>(answer.get());
  return known ? PyRef::share(value) : PyRef();
}

PyRef GraphImport::attrs(const Node& node) {
  PyRef dict = new_attrs();
  for (const Attribute& attribute : node.attributes()) {
    const PyRef value = attribute_value(node, attribute);
    if (!value) continue;
    check(PyObject_SetItem(dict.get(), text(attribute.name).get(), value.get()));
  }
  return dict;
}

PyRef GraphImport::node(Node& node) {
  if (node.binding) return PyRef::share(static_cast<PyObject*>(node.binding));
  // Subgraphs first: their nodes use the tensors that they read before this one does.
  const PyRef attributes = attrs(node);
  const PyRef domain = node.domain().data() ? text(node.domain()) : none();
  PyRef object =
      new_node(text(node.op()).get(), to_python(node.name()).get(), attributes.get(), domain.get());
  const PyRef inputs = attribute(object.get(), names().inputs);
  for (Tensor* input : node.inputs()) link_input(object.get(), inputs.get(), tensor(*input).get());
  const PyRef outputs = attribute(object.get(), names().outputs);
  for (Tensor* output : node.outputs()) {
    link_output(object.get(), outputs.get(), tensor(*output).get());
  }
  return object;
}

// Keyword arguments that graphs and functions share.
PyRef GraphImport::lists(Graph& graph) {
  PyRef keywords = PyRef::take(PyDict_New());
  const auto tensors = [&](const std::vector<TensorRef>& from, bool variables_only) {
    PyRef list = PyRef::take(PyList_New(0));
    for (const TensorRef& item : from) {
      if (variables_only && item->is_constant()) continue;
      check(PyList_Append(list.get(), tensor(*item).get()));
    }
    return list;
  };
  put(keywords, "inputs", tensors(graph.inputs(), true));
  put(keywords, "nodes", list_of(graph.nodes(), [&](const NodeRef& item) { return node(*item); }));
  put(keywords, "outputs", tensors(graph.outputs(), false));
  put(keywords, "name", to_python(graph.name()));
  put(keywords, "doc_string", to_python(graph.doc_string()));
  put(keywords, "ir_version", none());
  return keywords;
}

PyRef GraphImport::graph(Graph& graph) {
  if (graph.binding) return PyRef::share(static_cast<PyObject*>(graph.binding));
  const PyRef keywords = lists(graph);
  put(keywords, "opset", opset_);
  put(keywords, "import_domains", import_domains_);
  put(keywords, "producer_name", to_python(""));
  put(keywords, "producer_version", to_python(""));
  return new_graph(keywords.get(), functions_.get());
}

PyRef GraphImport::function(Function& function) {
  const std::vector<OpsetImport>& imports = function.opset_imports;
  const PyRef opset = std::exchange(opset_, opset_of(imports));
  const PyRef import_domains = std::exchange(import_domains_, opsets_to_python(imports));
  const PyRef keywords = lists(function);
  put(keywords, "opset", opset_);
  put(keywords, "import_domains", import_domains_);
  opset_ = opset;
  import_domains_ = import_domains;
  put(keywords, "domain", to_python(function.domain()));
  const PyRef attributes = PyRef::take(PyDict_New());
  for (const std::string_view name : function.required_attributes) {
    check(PyDict_SetItem(attributes.get(), to_python(name).get(), Py_None));
  }
  for (const Attribute& attribute : function.default_attributes) {
    const graphsurgeon::NodeRef carrier = Node::create(function.store(), "Default");
    const PyRef value = attribute_value(*carrier, attribute);
    if (!value) continue;
    check(PyDict_SetItem(attributes.get(), to_python(attribute.name).get(), value.get()));
  }
  put(keywords, "attrs", attributes);
  return new_graph(keywords.get(), functions_.get());
}

PyRef GraphImport::run() {
  const CollectionPause pause;
  PyRef graph = header_only();
  for (const graphsurgeon::FunctionRef& item : model_.functions) {
    check(PyList_Append(functions_.get(), function(*item).get()));
  }
  fill(graph.get());
  return graph;
}

PyRef GraphImport::header_only() {
  set_header(opset_of(model_.opset_imports), opsets_to_python(model_.opset_imports),
             PyRef::take(PyList_New(0)));
  const PyRef keywords = PyRef::take(PyDict_New());
  put(keywords, "name", to_python(model_.graph->name()));
  put(keywords, "doc_string", to_python(model_.graph->doc_string()));
  put(keywords, "opset", opset_);
  put(keywords, "import_domains", import_domains_);
  put(keywords, "producer_name", to_python(model_.producer_name));
  put(keywords, "producer_version", to_python(model_.producer_version));
  put(keywords, "ir_version", to_python(model_.ir_version));
  return new_graph(keywords.get(), functions_.get());
}

void GraphImport::fill(PyObject* graph) {
  const PyRef parts = lists(*model_.graph);
  // Results of folding are in memory, where the original has arrays. This comes first, because it
  // may fail, and a graph with nodes has no model any more.
  for (const TensorRef& tensor : bound_) {
    const auto& values = tensor->payload();
    const bool computed = values && values->kind() != Payload::Kind::kInline &&
                          values->kind() != Payload::Kind::kExternal &&
                          values->kind() != Payload::Kind::kSparse;
    if (computed) {
      PyRef::take(PyObject_GetAttrString(static_cast<PyObject*>(tensor->binding), "values"));
    }
  }
  for (PyObject* const key : {names().nodes, names().inputs, names().outputs}) {
    set_attribute(graph, key, PyRef::share(PyDict_GetItem(parts.get(), key)).get());
  }
}

}  // namespace native
