#include "api/model_object.h"

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "api/array_object.h"
#include "api/reporting.h"
#include "api/tensor_values.h"
#include "arrays/buffer_array.h"
#include "base/os/mapped_file.h"
#include "graphsurgeon/ir/payloads/source.h"
#include "graphsurgeon/passes/constant_nodes.h"
#include "python_class.h"
#include "python_functions.h"

namespace native {

using graphsurgeon::Dim;
using graphsurgeon::Model;
using graphsurgeon::Node;
using graphsurgeon::PayloadPtr;
using graphsurgeon::Tensor;
using graphsurgeon::TensorRef;
using graphsurgeon::TypeKind;
using polygraphy::Error;

namespace {

// Initializers by name, as of some number of edits.
struct NameIndex {
  uint64_t edits = 0;
  std::unordered_map<std::string_view, Tensor*> tensors;
};

struct ModelObject {
  std::unique_ptr<Model> model;
  std::unique_ptr<NameIndex> names = nullptr;
  bool in_use = false;
};
using ModelClass = PythonClass<ModelObject>;

ModelObject& self_of(PyObject* object) {
  return ModelClass::of(object);
}

// Names are views of the file, too.
void check_file(const Model& model) {
  const auto& source = model.graph->store().source();
  if (!source || !source->file || source->file->intact()) return;
  throw polygraphy::IoError(
      "The file " + source->name + " was changed or truncated after the " +
          "model was loaded from it: the model can no longer be read.",
      "Load it again when no program writes to the file, or keep the model in memory: "
      "Model.from_bytes(). Replacing the file by another one is safe.");
}

const NameIndex& names_of(ModelObject& self) {
  const auto& graph = *self.model->graph;
  const uint64_t edits = graph.store().edits();
  if (self.names && self.names->edits == edits) return *self.names;
  self.names = std::make_unique<NameIndex>();
  self.names->edits = edits;
  for (const TensorRef& tensor : graph.initializers()) {
    if (tensor->is_constant()) self.names->tensors.try_emplace(tensor->name(), tensor.get());
  }
  return *self.names;
}

Tensor* find_initializer(PyObject* object, std::string_view name) {
  const auto& tensors = names_of(self_of(object)).tensors;
  const auto found = tensors.find(name);
  return found == tensors.end() ? nullptr : found->second;
}

// A name of the file is not a text where it is not there.
PyRef name_or_empty(std::string_view name) {
  return to_python(name.data() ? name : std::string_view(""));
}

PyRef shape_or_none(const Tensor& tensor) {
  const auto shape = tensor.shape();
  return shape ? dimensions(*shape) : none();
}

const char* kind_name(TypeKind kind) {
  switch (kind) {
    case TypeKind::kNone:
    case TypeKind::kTensor:
      return "tensor";
    case TypeKind::kSequence:
      return "sequence";
    case TypeKind::kMap:
      return "map";
    case TypeKind::kOptional:
      return "optional";
    case TypeKind::kSparseTensor:
      return "sparse tensor";
    case TypeKind::kOpaque:
      return "opaque";
  }
  return "";
}

PyRef described(const std::vector<TensorRef>& tensors) {
  return list_of(tensors, [](const TensorRef& tensor) {
    return tuple(name_or_empty(tensor->name()), dtype_or_none(tensor->dtype()),
                 shape_or_none(*tensor), kind_name(tensor->type_kind()));
  });
}

PyRef names_in(const graphsurgeon::TensorList& tensors) {
  return tuple_of(tensors, [](const Tensor* tensor) { return name_or_empty(tensor->name()); });
}

PyRef inputs(PyObject* object) {
  return described(ModelInUse(object)->graph->inputs());
}

PyRef outputs(PyObject* object) {
  return described(ModelInUse(object)->graph->outputs());
}

PyRef header(PyObject* object) {
  const ModelInUse model(object);
  PyRef opsets = PyRef::take(PyDict_New());
  for (const auto& import : model->opset_imports) {
    check(PyDict_SetItem(opsets.get(), to_python(import.domain).get(),
                         to_python(import.version).get()));
  }
  return tuple(model->ir_version, opsets, model->producer_name, model->producer_version,
               name_or_empty(model->graph->name()), model->path);
}

PyRef node_count(PyObject* object) {
  return to_python(static_cast<int64_t>(ModelInUse(object)->graph->nodes().size()));
}

PyRef node(PyObject* object, PyObject* index) {
  const ModelInUse model(object);
  const auto& nodes = model->graph->nodes();
  const int64_t at = to_int64(index);
  if (at < 0 || static_cast<size_t>(at) >= nodes.size()) {
    raise(PyExc_IndexError, "the model has " + std::to_string(nodes.size()) + " nodes");
  }
  const Node& found = *nodes[static_cast<size_t>(at)];
  return tuple(name_or_empty(found.name()), name_or_empty(found.op()),
               name_or_empty(found.domain()), names_in(found.inputs()), names_in(found.outputs()));
}

PyRef initializer_names(PyObject* object) {
  const ModelInUse model(object);
  PyRef list = PyRef::take(PyList_New(0));
  for (const TensorRef& tensor : model->graph->initializers()) {
    if (find_initializer(object, tensor->name()) != tensor.get()) continue;  // the second of a name
    check(PyList_Append(list.get(), name_or_empty(tensor->name()).get()));
  }
  return list;
}

PyRef initializer(PyObject* object, PyObject* name) {
  const ModelInUse model(object);
  const Tensor* const tensor = find_initializer(object, text_of(name));
  if (!tensor) return none();
  const auto& values = *tensor->payload();
  return tuple(dtype_or_none(values.dtype()), to_python(values.shape()), values.nbytes());
}

// Of an initializer, or of what a Constant node makes.
PayloadPtr find_values(PyObject* object, const Model& model, std::string_view name) {
  if (const Tensor* const tensor = find_initializer(object, name)) return tensor->payload();
  for (const auto& each : model.graph->nodes()) {
    if (each->outputs().size() == 0 || each->outputs()[0]->name() != name) continue;
    if (PayloadPtr values = graphsurgeon::constant_values(*each)) return values;
  }
  throw Error("The model has no constant '" + std::string(name) + "'.",
              "Names of constants: model.initializers, and the outputs of Constant nodes.");
}

PyRef array(PyObject* object, PyObject* name) {
  const ModelInUse model(object);
  const std::string text(text_of(name));
  const PayloadPtr values = find_values(object, *model, text);
  return to_python(without_gil([&] { return values->load(text); }));
}

PyRef set_array(PyObject* object, PyObject* name, PyObject* values) {
  const ModelInUse model(object);
  Tensor* const tensor = find_initializer(object, text_of(name));
  if (!tensor) {
    throw Error("The model has no initializer '" + std::string(text_of(name)) + "'.",
                "Names of initializers: model.initializers. Values of Constant nodes become "
                "initializers by model.fold().");
  }
  PayloadPtr payload = graphsurgeon::owned_payload(array_of(values));
  const bool same =
      payload->dtype() == tensor->dtype() && payload->shape() == tensor->payload()->shape();
  same ? tensor->replace_values(std::move(payload))
       : static_cast<void>(tensor->to_constant(std::move(payload)));
  return none();
}

constexpr PyMethodDef kMethods[] = {
    {"inputs", entry<inputs, reported>, form<inputs>,
     "(name, element type, shape, kind) of each input."},
    {"outputs", entry<outputs, reported>, form<outputs>, "The same of each output."},
    {"header", entry<header, reported>, form<header>,
     "(IR version, opsets by domain, producer's name and version, name of the graph, path)."},
    {"node_count", entry<node_count, reported>, form<node_count>,
     "How many nodes the main graph has."},
    {"node", entry<node, reported>, form<node>,
     "(name, operator, domain, inputs, outputs) of the node at an index."},
    {"initializer_names", entry<initializer_names, reported>, form<initializer_names>,
     "Names of initializers, in their order."},
    {"initializer", entry<initializer, reported>, form<initializer>,
     "(element type, shape, bytes) by name, or None."},
    {"array", entry<array, reported>, form<array>,
     "(values, element type, shape) of a constant, by name."},
    {"set_array", entry<set_array, reported>, form<set_array>,
     "set_array(name, (buffer, element type, shape))"},
};

}  // namespace

PyRef make_api_model_class() {
  // Once, for method objects point into it.
  static std::vector<PyMethodDef> methods = [] {
    std::vector<PyMethodDef> all(std::begin(kMethods), std::end(kMethods));
    for (const PyMethodDef* more = model_methods; more->ml_name; ++more) all.push_back(*more);
    all.push_back({nullptr, nullptr, 0, nullptr});
    return all;
  }();
  return ModelClass::make("polygraphy_native._native.Model", "A model of the graph library.",
                          {{Py_tp_methods, methods.data()}});
}

PyRef model_object(Model&& model) {
  return ModelClass::object({.model = std::make_unique<Model>(std::move(model))});
}

bool is_model(PyObject* object) {
  return ModelClass::is_type_of(object);
}

ModelInUse::ModelInUse(PyObject* object) {
  if (!is_model(object)) raise(PyExc_TypeError, "a Model is expected");
  ModelObject& self = self_of(object);
  if (self.in_use) {
    throw Error("The model is in use by another call, which has not returned yet.",
                "A Model belongs to one thread at a time: give another thread a copy().");
  }
  check_file(*self.model);
  self.in_use = true;
  object_ = PyRef::share(object);
}

ModelInUse::~ModelInUse() {
  self_of(object_.get()).in_use = false;
}

void ModelInUse::changed() const {
  self_of(object_.get()).names.reset();
}

Model& ModelInUse::operator*() const {
  return *self_of(object_.get()).model;
}

GivenSource::GivenSource(PyObject* model) {
  if (!is_model(model)) {
    source_.path = text_of(model);
    return;
  }
  in_use_.emplace(model);
  source_.path = (*in_use_)->path.empty() ? "the model in memory" : (*in_use_)->path;
  source_.model = &**in_use_;
}

}  // namespace native
