#include "api/model_object.h"

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "api/array_object.h"
#include "api/model_methods.h"
#include "api/reporting.h"
#include "api/tensor_values.h"
#include "base/os/mapped_file.h"
#include "graphsurgeon/ir/payloads/source.h"
#include "graphsurgeon/passes/constant_nodes.h"

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
  PyObject_HEAD std::unique_ptr<Model> model;
  std::unique_ptr<NameIndex> names;
  bool in_use;
};

PyObject* model_class = nullptr;

ModelObject& self_of(PyObject* object) {
  return *reinterpret_cast<ModelObject*>(object);
}

void deallocate(PyObject* object) {
  PyTypeObject* type = Py_TYPE(object);
  self_of(object).names.~unique_ptr();
  self_of(object).model.~unique_ptr();
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(object);
  Py_DECREF(type);
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
  PyRef list = PyRef::take(PyList_New(0));
  for (const TensorRef& tensor : tensors) {
    const PyRef one = PyRef::take(Py_BuildValue(
        "(NNNs)", name_or_empty(tensor->name()).release(), dtype_or_none(tensor->dtype()).release(),
        shape_or_none(*tensor).release(), kind_name(tensor->type_kind())));
    check(PyList_Append(list.get(), one.get()));
  }
  return list;
}

PyRef names_in(const graphsurgeon::TensorList& tensors) {
  PyRef tuple = PyRef::take(PyTuple_New(static_cast<Py_ssize_t>(tensors.size())));
  Py_ssize_t at = 0;
  for (const Tensor* tensor : tensors) {
    check(PyTuple_SetItem(tuple.get(), at++, name_or_empty(tensor->name()).release()));
  }
  return tuple;
}

PyObject* inputs(PyObject* object, PyObject*) {
  return reported([&] { return described(ModelInUse(object)->graph->inputs()); });
}

PyObject* outputs(PyObject* object, PyObject*) {
  return reported([&] { return described(ModelInUse(object)->graph->outputs()); });
}

PyObject* header(PyObject* object, PyObject*) {
  return reported([&] {
    const ModelInUse model(object);
    PyRef opsets = PyRef::take(PyDict_New());
    for (const auto& import : model->opset_imports) {
      check(PyDict_SetItem(opsets.get(), to_python(std::string_view(import.domain)).get(),
                           to_python(import.version).get()));
    }
    return PyRef::take(Py_BuildValue("(LONNNN)", static_cast<long long>(model->ir_version),
                                     opsets.get(),
                                     to_python(std::string_view(model->producer_name)).release(),
                                     to_python(std::string_view(model->producer_version)).release(),
                                     name_or_empty(model->graph->name()).release(),
                                     to_python(std::string_view(model->path)).release()));
  });
}

PyObject* node_count(PyObject* object, PyObject*) {
  return reported(
      [&] { return to_python(static_cast<int64_t>(ModelInUse(object)->graph->nodes().size())); });
}

PyObject* node(PyObject* object, PyObject* index) {
  return reported([&] {
    const ModelInUse model(object);
    const auto& nodes = model->graph->nodes();
    const int64_t at = to_int64(index);
    if (at < 0 || static_cast<size_t>(at) >= nodes.size()) {
      raise(PyExc_IndexError, "the model has " + std::to_string(nodes.size()) + " nodes");
    }
    const Node& found = *nodes[static_cast<size_t>(at)];
    return PyRef::take(
        Py_BuildValue("(NNNNN)", name_or_empty(found.name()).release(),
                      name_or_empty(found.op()).release(), name_or_empty(found.domain()).release(),
                      names_in(found.inputs()).release(), names_in(found.outputs()).release()));
  });
}

PyObject* initializer_names(PyObject* object, PyObject*) {
  return reported([&] {
    const ModelInUse model(object);
    PyRef list = PyRef::take(PyList_New(0));
    for (const TensorRef& tensor : model->graph->initializers()) {
      if (find_initializer(object, tensor->name()) != tensor.get())
        continue;  // the second of a name
      check(PyList_Append(list.get(), name_or_empty(tensor->name()).get()));
    }
    return list;
  });
}

PyObject* initializer(PyObject* object, PyObject* name) {
  return reported([&] {
    const ModelInUse model(object);
    const Tensor* const tensor = find_initializer(object, text_of(name));
    if (!tensor) return none();
    const auto& values = *tensor->payload();
    return PyRef::take(Py_BuildValue("(NNL)", dtype_or_none(values.dtype()).release(),
                                     to_python(values.shape()).release(),
                                     static_cast<long long>(values.nbytes())));
  });
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

PyObject* array(PyObject* object, PyObject* name) {
  return reported([&] {
    const ModelInUse model(object);
    const std::string text(text_of(name));
    const PayloadPtr values = find_values(object, *model, text);
    polygraphy::Array loaded;
    {
      const WithoutGil released;
      loaded = values->load(text);
    }
    return to_python(loaded);
  });
}

PyObject* set_array(PyObject* object, PyObject* args) {
  return reported([&] {
    PyObject *name = nullptr, *values = nullptr;
    if (PyArg_ParseTuple(args, "OO", &name, &values) == 0) throw PythonError();
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
  });
}

constexpr PyMethodDef kMethods[] = {
    {"inputs", inputs, METH_NOARGS, "(name, element type, shape, kind) of each input."},
    {"outputs", outputs, METH_NOARGS, "The same of each output."},
    {"header", header, METH_NOARGS,
     "(IR version, opsets by domain, producer's name and version, name of the graph, path)."},
    {"node_count", node_count, METH_NOARGS, "How many nodes the main graph has."},
    {"node", node, METH_O, "(name, operator, domain, inputs, outputs) of the node at an index."},
    {"initializer_names", initializer_names, METH_NOARGS, "Names of initializers, in their order."},
    {"initializer", initializer, METH_O, "(element type, shape, bytes) by name, or None."},
    {"array", array, METH_O, "(values, element type, shape) of a constant, by name."},
    {"set_array", set_array, METH_VARARGS, "set_array(name, (buffer, element type, shape))"},
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
  PyType_Slot slots[] = {{Py_tp_doc, const_cast<char*>("A model of the graph library.")},
                         {Py_tp_dealloc, reinterpret_cast<void*>(deallocate)},
                         {Py_tp_methods, methods.data()},
                         {0, nullptr}};
  PyType_Spec spec = {"polygraphy_native._native.Model", sizeof(ModelObject), 0,
                      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
  PyRef type = PyRef::take(PyType_FromSpec(&spec));
  model_class = Py_NewRef(type.get());
  return type;
}

PyRef model_object(Model&& model) {
  PyRef object = PyRef::take(PyType_GenericAlloc(reinterpret_cast<PyTypeObject*>(model_class), 0));
  ModelObject& self = self_of(object.get());
  new (&self.model) std::unique_ptr<Model>(std::make_unique<Model>(std::move(model)));
  new (&self.names) std::unique_ptr<NameIndex>();
  self.in_use = false;
  return object;
}

bool is_model(PyObject* object) {
  return reinterpret_cast<PyObject*>(Py_TYPE(object)) == model_class;
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
