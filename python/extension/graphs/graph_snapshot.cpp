#include "graphs/graph_snapshot.h"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_set>

#include "arrays/buffer_array.h"
#include "graphsurgeon/ir/tensor_map.h"
#include "graphsurgeon/wire/onnx_fields.h"
#include "graphsurgeon/wire/reader.h"
#include "models/attribute_bytes.h"
#include "models/payload_object.h"

namespace native {

using graphsurgeon::Attribute;
using graphsurgeon::AttributeType;
using graphsurgeon::Dim;
using graphsurgeon::DimList;
using graphsurgeon::Function;
using graphsurgeon::FunctionRef;
using graphsurgeon::Graph;
using graphsurgeon::GraphRef;
using graphsurgeon::Node;
using graphsurgeon::NodeRef;
using graphsurgeon::PayloadPtr;
using graphsurgeon::Store;
using graphsurgeon::Tensor;
using graphsurgeon::TensorRef;
using graphsurgeon::TensorValue;
using graphsurgeon::TypeKind;
using polygraphy::Array;
using polygraphy::DataType;
namespace wire = graphsurgeon::wire;

namespace {

constexpr size_t kMaxNesting = 200;  // of subgraphs: the limit of files

// For errors about objects that are something else.
constexpr const char* kGraphRole = "a graph in an attribute";
constexpr const char* kNodeRole = "a node of a graph";
constexpr const char* kTensorRole = "a tensor of a node or graph";

// Any sequence as a list: the object itself if it is one.
PyRef as_list(PyRef sequence) {
  if (PyList_Check(sequence.get())) return sequence;
  return PyRef::take(PySequence_List(sequence.get()));
}

std::string type_of(PyObject* object) {
  const PyRef name =
      PyRef::take(PyObject_GetAttrString(reinterpret_cast<PyObject*>(Py_TYPE(object)), "__name__"));
  return std::string(text_of(name.get()));
}

// An optional text of an object: None is the empty one.
PyRef text_attribute(PyObject* object, PyObject* name) {
  PyRef value = attribute(object, name);
  if (value.get() == Py_None) return to_python("");
  if (!PyUnicode_Check(value.get())) {
    raise(PyExc_TypeError, "the " + std::string(text_of(name)) + " of a " + type_of(object) +
                               " is a " + type_of(value.get()) + ", not a str");
  }
  return value;
}

// TypeProto.Tensor and TypeProto.SparseTensor.
void put_tensor_type(wire::Writer& out, DataType type, const std::optional<DimList>& shape) {
  out.int64(wire::tensor_type::kElemType, static_cast<int64_t>(type));
  if (!shape) return;
  out.begin(wire::tensor_type::kShape);
  for (const Dim& dim : *shape) {
    out.begin(wire::shape::kDim);
    if (dim.has_value()) {
      out.int64(wire::dim::kValue, dim.value());
    } else if (!dim.param().empty()) {
      out.bytes(wire::dim::kParam, dim.param());
    }
    out.end();
  }
  out.end();
}

// The TypeProto of a Variable with a `type` that is not a plain tensor, or with an element type
// that is stated as undefined.
std::string type_proto_of(TypeKind kind, DataType type, const std::optional<DimList>& shape) {
  const bool holds_tensors = kind == TypeKind::kSequence || kind == TypeKind::kOptional;
  return encoded([&](wire::Writer& out) {
    if (holds_tensors) {
      constexpr uint32_t kElemType = 1;  // of TypeProto.Sequence and TypeProto.Optional
      out.begin(kind == TypeKind::kSequence ? wire::type::kSequence : wire::type::kOptional);
      out.begin(kElemType);
    }
    out.begin(kind == TypeKind::kSparseTensor ? wire::type::kSparseTensor : wire::type::kTensor);
    put_tensor_type(out, type, shape);
    out.end();
    if (holds_tensors) {
      out.end();
      out.end();
    }
  });
}

bool has_type(const Tensor& tensor) {
  return tensor.dtype() != DataType::kUndefined || !tensor.type_proto().empty();
}

}  // namespace

GraphSnapshot::GraphSnapshot(PyObject* graph, Reading reading) : reading_(reading) {
  placeholder_ = graphsurgeon::owned_payload(Array::zeros(DataType::kFloat32, {}));
  store_ = Store::create();
  store_->retain();
  try {
    read_header(graph);
    if (is_instance(graph, graph_classes().function)) {
      model_.graph = GraphRef(read_function(graph).get());
    } else {
      model_.graph = read_graph(graph);
    }
    const PyRef functions = as_list(attribute(graph, names().functions));
    for_each(functions.get(), [&](PyObject* item) {
      if (!is_instance(item, graph_classes().function)) {
        raise(PyExc_TypeError, "a function of a graph is a " + type_of(item));
      }
      model_.functions.push_back(read_function(item));
    });
  } catch (...) {
    store_->release();
    throw;
  }
}

GraphSnapshot::~GraphSnapshot() {
  store_->release();
}

PyObject* GraphSnapshot::keep(PyRef object) {
  kept_.push_back(std::move(object));
  return kept_.back().get();
}

template <typename Item>
void GraphSnapshot::bind(Item& item, PyObject* source) {
  item.binding = keep(PyRef::share(source));
  objects_.emplace(source, &item);
}

template <typename Item>
Item* GraphSnapshot::known(PyObject* object, const char* role) const {
  const auto found = objects_.find(object);
  if (found == objects_.end()) return nullptr;
  if (Item* const* item = std::get_if<Item*>(&found->second)) return *item;
  raise(PyExc_TypeError, std::string(role) + " is a " + type_of(object));
}

// The object's opsets, also of domains, whatever they are kept as.
void GraphSnapshot::read_header(PyObject* graph) {
  const PyRef opset = attribute(graph, names().opset);
  if (opset.get() != Py_None) model_.set_opset(to_int64(opset.get()));
  const PyRef domains = attribute(graph, names().import_domains);
  if (domains.get() == Py_None) return;
  const PyRef list = PyRef::take(PySequence_List(domains.get()));
  for_each(list.get(), [&](PyObject* item) {
    if (PyObject_HasAttr(item, names().domain) == 0 || PyObject_HasAttr(item, names().version) == 0)
      return;
    const PyRef domain = attribute(item, names().domain);
    const PyRef version = attribute(item, names().version);
    if (text_of(domain.get()).empty() && opset.get() != Py_None) return;
    model_.set_opset(to_int64(version.get()), text_of(domain.get()));
  });
}

GraphRef GraphSnapshot::read_graph(PyObject* object) {
  if (std::find(open_.begin(), open_.end(), object) != open_.end()) {
    raise(graph_classes().error.get(),
          "graph '" + std::string(text_of(text_attribute(object, names().name).get())) +
              "' is inside of itself: an attribute of one of its nodes holds it");
  }
  if (is_instance(object, graph_classes().function)) return GraphRef(read_function(object).get());
  if (Graph* graph = known<Graph>(object, kGraphRole)) return GraphRef(graph);
  GraphRef graph = Graph::create(*store_);
  bind(*graph, object);
  read_lists(object, graph);
  return graph;
}

FunctionRef GraphSnapshot::read_function(PyObject* object) {
  if (Function* function = known<Function>(object, kGraphRole)) return FunctionRef(function);
  const PyRef name = text_attribute(object, names().name);
  const PyRef domain = text_attribute(object, names().domain);
  FunctionRef function = Function::create(*store_, text_of(name.get()), text_of(domain.get()));
  bind(*function, object);
  const PyRef attrs = attribute(object, names().attrs);
  if (attrs.get() != Py_None) {
    PyObject *key = nullptr, *value = nullptr;
    for (Py_ssize_t position = 0; PyDict_Next(attrs.get(), &position, &key, &value);) {
      const std::string_view text = store_->intern(text_of(key));
      if (value == Py_None || reading_ == Reading::kStructure) {
        function->required_attributes.emplace_back(text);
      } else {
        function->default_attributes.push_back(read_attribute(text, value));
      }
    }
  }
  read_lists(object, function.get());
  const PyRef opset = attribute(object, names().opset);
  if (opset.get() != Py_None) {
    function->opset_imports.push_back({"", to_int64(opset.get()), {}});
  }
  return function;
}

void GraphSnapshot::read_lists(PyObject* object, GraphRef graph) {
  if (open_.size() == kMaxNesting) raise(PyExc_RecursionError, "subgraphs are nested too deeply");
  open_.push_back(object);
  graph->set_name(text_of(text_attribute(object, names().name).get()));
  const PyRef doc_string = text_attribute(object, names().doc_string);
  if (!text_of(doc_string.get()).empty()) graph->set_doc_string(text_of(doc_string.get()));
  const auto read = [&](PyObject* field, auto& list, auto one) {
    const PyRef items = as_list(attribute(object, field));
    list.reserve(static_cast<size_t>(PyList_Size(items.get())));
    for_each(items.get(), [&](PyObject* item) { list.push_back(one(item)); });
  };
  const PyRef nodes = as_list(attribute(object, names().nodes));
  const auto count = static_cast<size_t>(PyList_Size(nodes.get()));
  nodes_.reserve(nodes_.size() + count);
  objects_.reserve(objects_.size() + 3 * count);
  kept_.reserve(kept_.size() + 3 * count);
  read(names().inputs, graph->mutable_inputs(), [&](PyObject* item) { return read_tensor(item); });
  read(names().nodes, graph->mutable_nodes(), [&](PyObject* item) { return read_node(item); });
  read(names().outputs, graph->mutable_outputs(),
       [&](PyObject* item) { return read_tensor(item); });
  graphs_.push_back({graph, graph->nodes(), graph->inputs(), graph->outputs()});
  open_.pop_back();
}

NodeRef GraphSnapshot::read_node(PyObject* object) {
  if (Node* node = known<Node>(object, kNodeRole)) return NodeRef(node);
  if (!is_instance(object, graph_classes().node)) {
    raise(PyExc_TypeError, std::string(kNodeRole) + " is a " + type_of(object));
  }
  const PyRef op = text_attribute(object, names().op);
  const PyRef name = text_attribute(object, names().name);
  const NodeRef node = Node::create(*store_, text_of(op.get()), text_of(name.get()));
  const PyRef domain = attribute(object, names().domain);
  if (domain.get() != Py_None) node->set_domain(text_of(domain.get()));
  bind(*node, object);
  read_attributes(attribute(object, names().attrs).get(), *node);
  ReadNode read{.node = node,
                .inputs = {},
                .outputs = {},
                .attributes = {},
                .op = node->op(),
                .name = node->name()};
  const auto link = [&](PyObject* field, graphsurgeon::TensorList& list,
                        std::vector<TensorRef>& copy) {
    const PyRef tensors = as_list(attribute(object, field));
    list.reserve(static_cast<size_t>(PyList_Size(tensors.get())));
    for_each(tensors.get(), [&](PyObject* item) {
      copy.push_back(read_tensor(item));
      list.append(copy.back());
    });
  };
  link(names().inputs, node->inputs(), read.inputs);
  link(names().outputs, node->outputs(), read.outputs);
  if (reading_ == Reading::kEverything) {
    const auto attributes = node->attributes();
    read.attributes.assign(attributes.begin(), attributes.end());
  }
  nodes_.push_back(std::move(read));
  return node;
}

void GraphSnapshot::read_attributes(PyObject* attrs, Node& node) {
  if (!PyDict_Check(attrs)) {
    raise(PyExc_TypeError, "the attrs of a node are a " + type_of(attrs) + ", not a dict");
  }
  if (PyDict_Size(attrs) == 0) return;
  // A separate list, because converters are Python code, which may change the dict.
  const PyRef items = PyRef::take(PyDict_Items(attrs));
  for_each(items.get(), [&](PyObject* item) {
    PyObject* const key = PyTuple_GetItem(item, 0);
    PyObject* const value = PyTuple_GetItem(item, 1);
    if (reading_ == Reading::kStructure && !is_instance(value, graph_classes().graph)) return;
    node.set_attribute(read_attribute(store_->intern(text_of(key)), value));
  });
}

Attribute GraphSnapshot::read_attribute(std::string_view name, PyObject* value) {
  Attribute attribute;
  attribute.name = name;
  const auto set = [&](AttributeType type, auto content) {
    attribute.type = type;
    attribute.value = std::move(content);
    return attribute;
  };
  if (is_instance(value, graph_classes().graph)) {
    return set(AttributeType::kGraph, read_graph(value));
  }
  if (PyLong_Check(value)) {
    int overflow = 0;
    const long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
    if (overflow == 0) return set(AttributeType::kInt, static_cast<int64_t>(number));
  } else if (PyFloat_Check(value)) {
    return set(AttributeType::kFloat, static_cast<float>(PyFloat_AsDouble(value)));
  } else if (PyUnicode_Check(value)) {
    return set(AttributeType::kString, store_->keep(text_of(value)));
  } else if (is_instance(value, graph_classes().constant)) {
    const PyRef tensor_name = text_attribute(value, names().name);
    const PayloadPtr values = read_values(value);
    return set(values->kind() == graphsurgeon::Payload::Kind::kSparse ? AttributeType::kSparseTensor
                                                                      : AttributeType::kTensor,
               TensorValue{store_->keep(text_of(tensor_name.get())), values, {}});
  } else if ((PyList_Check(value) || PyTuple_Check(value)) && read_list(value, attribute)) {
    return attribute;
  }
  const PyRef converted = call(graph_classes().attribute_bytes.get(), name, value);
  attribute = decoded_attribute(*store_, bytes_of(converted.get()));
  attribute.name = name;
  return attribute;
}

// Lists of one plain kind. False for others: empty ones, mixed ones.
bool GraphSnapshot::read_list(PyObject* values, Attribute& attribute) {
  const PyRef list = PyRef::take(PySequence_List(values));
  const Py_ssize_t size = PyList_Size(list.get());
  if (size == 0) return false;
  std::vector<int64_t> ints;
  std::vector<float> floats;
  std::vector<std::string_view> texts;
  std::vector<GraphRef> graphs;
  for (Py_ssize_t i = 0; i < size; ++i) {
    PyObject* const item = PyList_GetItem(list.get(), i);
    if (PyLong_Check(item)) {
      int overflow = 0;
      ints.push_back(PyLong_AsLongLongAndOverflow(item, &overflow));
      if (overflow != 0) return false;
    } else if (PyFloat_Check(item)) {
      floats.push_back(static_cast<float>(PyFloat_AsDouble(item)));
    } else if (PyUnicode_Check(item)) {
      texts.push_back(store_->keep(text_of(item)));
    } else if (is_instance(item, graph_classes().graph)) {
      graphs.push_back(read_graph(item));
    } else {
      return false;
    }
  }
  const auto count = static_cast<size_t>(size);
  if (ints.size() == count) {
    attribute.type = AttributeType::kInts;
    attribute.value = std::move(ints);
  } else if (floats.size() == count) {
    attribute.type = AttributeType::kFloats;
    attribute.value = std::move(floats);
  } else if (texts.size() == count) {
    attribute.type = AttributeType::kStrings;
    attribute.value = std::move(texts);
  } else if (graphs.size() == count) {
    attribute.type = AttributeType::kGraphs;
    attribute.value = std::move(graphs);
  } else {
    return false;
  }
  return true;
}

TensorRef GraphSnapshot::read_tensor(PyObject* object) {
  if (Tensor* tensor = known<Tensor>(object, kTensorRole)) return TensorRef(tensor);
  TensorRef tensor;
  if (is_instance(object, graph_classes().constant)) {
    const PyRef name = text_attribute(object, names().name);
    tensor =
        Tensor::constant(*store_, text_of(name.get()),
                         reading_ == Reading::kEverything ? read_values(object) : placeholder_);
  } else if (is_instance(object, graph_classes().variable)) {
    const PyRef name = text_attribute(object, names().name);
    tensor = Tensor::variable(*store_, text_of(name.get()));
    if (reading_ == Reading::kEverything) read_type(object, *tensor);
  } else {
    raise(PyExc_TypeError, std::string(kTensorRole) + " is a " + type_of(object));
  }
  bind(*tensor, object);
  tensors_.push_back({tensor, tensor->payload(), tensor->name()});
  return tensor;
}

PayloadPtr GraphSnapshot::read_values(PyObject* constant) {
  if (reading_ == Reading::kStructure) return placeholder_;
  const PyRef values = attribute(constant, names().values);
  if (is_instance(values.get(), graph_classes().lazy_values)) {
    if (PyObject_HasAttr(values.get(), names().payload) != 0) {
      const PyRef payload = attribute(values.get(), names().payload);
      if (PayloadPtr found = payload_of(payload.get())) return found;
    }
    const PyRef bytes = call(graph_classes().tensor_bytes.get(), values);
    return decoded_tensor(bytes_of(bytes.get()),
                          is_instance(values.get(), graph_classes().sparse_values));
  }
  Array array = given_array(call(graph_classes().array_view.get(), constant).get());
  borrows_arrays_ |= array.dtype() != DataType::kString;
  return graphsurgeon::owned_payload(std::move(array));
}

DataType GraphSnapshot::read_dtype(PyObject* dtype) {
  if (const auto found = dtypes_.find(dtype); found != dtypes_.end()) return found->second;
  const PyRef number = call(graph_classes().onnx_type.get(), dtype);
  const auto type = static_cast<DataType>(to_int64(number.get()));
  dtypes_.emplace(keep(PyRef::share(dtype)), type);
  return type;
}

DimList GraphSnapshot::read_shape(PyObject* shape, std::string_view tensor) {
  DimList dims;
  const PyRef list = PyRef::take(PySequence_List(shape));
  for_each(list.get(), [&](PyObject* dim) {
    if (dim == Py_None) {
      dims.emplace_back();
    } else if (PyUnicode_Check(dim)) {
      dims.emplace_back(text_of(dim));
    } else if (PyIndex_Check(dim)) {
      dims.emplace_back(to_int64(dim));
    } else {
      raise(PyExc_ValueError, "Invalid item in shape of '" + std::string(tensor) +
                                  "': neither an int nor a str: " + type_of(dim));
    }
  });
  return dims;
}

void GraphSnapshot::read_type(PyObject* variable, Tensor& tensor) {
  const PyRef dtype = attribute(variable, names().dtype);
  const PyRef shape = attribute(variable, names().shape);
  tensor.set_shape(std::nullopt);
  if (dtype.get() == Py_None) return;
  const DataType type = read_dtype(dtype.get());
  std::optional<DimList> dims;
  if (shape.get() != Py_None) dims = read_shape(shape.get(), tensor.name());
  const PyRef kind = attribute(variable, names().type);
  const std::string_view text = PyUnicode_Check(kind.get()) ? text_of(kind.get()) : "tensor_type";
  if (text == "sequence_type" || text == "optional_type" || text == "sparse_tensor_type") {
    const TypeKind type_kind = text == "sequence_type"   ? TypeKind::kSequence
                               : text == "optional_type" ? TypeKind::kOptional
                                                         : TypeKind::kSparseTensor;
    tensor.set_type_proto(type_kind, store_->keep(type_proto_of(type_kind, type, dims)));
    return;
  }
  std::string stated;
  if (type == DataType::kUndefined) stated = type_proto_of(TypeKind::kTensor, type, dims);
  tensor.set_dtype(type);
  tensor.set_shape(std::move(dims));
  if (!stated.empty()) tensor.set_type_proto(TypeKind::kTensor, store_->keep(stated));
}

bool list_tensors(Graph& graph) {
  bool distinct = true;
  polygraphy::Logger noticing([&](polygraphy::Severity, std::string_view) { distinct = false; });
  std::unordered_set<const Tensor*> ends;
  for (const TensorRef& tensor : graph.inputs()) ends.insert(tensor.get());
  for (const TensorRef& tensor : graph.outputs()) ends.insert(tensor.get());
  const graphsurgeon::TensorMap tensors = graph.tensors(false, &noticing);
  std::vector<TensorRef> initializers, value_infos;
  for (const auto& [name, tensor] : tensors) {
    if (tensor->is_constant()) {
      initializers.emplace_back(tensor);
    } else if (!ends.contains(tensor) && has_type(*tensor)) {
      value_infos.emplace_back(tensor);
    }
  }
  graph.mutable_initializers() = std::move(initializers);
  graph.mutable_value_infos() = std::move(value_infos);
  std::unordered_set<std::string_view> node_names;
  for (const NodeRef& node : graph.nodes()) {
    if (node->name().empty()) continue;
    distinct = node_names.insert(node->name()).second && distinct;
  }
  return distinct;
}

bool GraphSnapshot::list_tensors() {
  bool distinct = true;
  for (const ReadGraph& read : graphs_) distinct = native::list_tensors(*read.graph) && distinct;
  return distinct;
}

}  // namespace native
