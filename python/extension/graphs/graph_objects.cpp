#include "graphs/graph_objects.h"

#include <utility>

#include "models/payload_object.h"

namespace native {
namespace {

// By the class's own __new__, not by its allocator: Python 3.11 gives attributes their compact form
// only there.
PyRef allocate(const PyRef& type) {
  static PyObject* const no_arguments = PyTuple_New(0);
  auto* const cls = reinterpret_cast<PyTypeObject*>(type.get());
  const auto make = reinterpret_cast<newfunc>(PyType_GetSlot(cls, Py_tp_new));
  CollectionPause::made(1);
  return PyRef::take(make(cls, no_arguments, nullptr));
}

void set_list(PyObject* owner, PyObject* field, PyObject* opposite) {
  const PyRef list = allocate(graph_classes().synchronized_list);
  set_attribute(list.get(), names().parent_obj, owner);
  set_attribute(list.get(), names().field_name, opposite);
  set_attribute(owner, field, list.get());
}

void set_lists(PyObject* owner) {
  set_list(owner, names().inputs, names().outputs);
  set_list(owner, names().outputs, names().inputs);
}

}  // namespace

PyRef new_attrs() {
  static PyObject* const type = imported("collections", "OrderedDict").release();
  return PyRef::take(PyObject_CallNoArgs(type));
}

PyRef new_node(PyObject* op, PyObject* name, PyObject* attrs, PyObject* domain) {
  PyRef node = allocate(graph_classes().node);
  set_attribute(node.get(), names().op, op);
  set_attribute(node.get(), names().name, name);
  set_attribute(node.get(), names().attrs, attrs);
  set_lists(node.get());
  set_attribute(node.get(), names().domain, domain);
  return node;
}

PyRef new_variable(PyObject* name, PyObject* dtype, PyObject* shape, PyObject* type) {
  PyRef tensor = allocate(graph_classes().variable);
  set_attribute(tensor.get(), names().name, name);
  set_lists(tensor.get());
  set_attribute(tensor.get(), names().dtype, dtype);
  set_attribute(tensor.get(), names().shape, shape);
  set_attribute(tensor.get(), names().type, type);
  return tensor;
}

PyRef new_constant(PyObject* name, PyObject* values, PyObject* data_location,
                   PyObject* export_dtype) {
  PyRef tensor = allocate(graph_classes().constant);
  set_attribute(tensor.get(), names().name, name);
  set_lists(tensor.get());
  set_attribute(tensor.get(), names().values, values);
  set_attribute(tensor.get(), names().data_location, data_location);
  set_attribute(tensor.get(), names().export_dtype, export_dtype);
  return tensor;
}

PyRef new_graph(PyObject* attributes, PyObject* functions) {
  const int function = PyDict_Contains(attributes, names().domain);
  check(function);
  PyRef graph = allocate(function == 1 ? graph_classes().function : graph_classes().graph);
  // In the order of the constructors, which vars() shows.
  PyObject* const order[] = {names().domain,
                             names().attrs,
                             names().nodes,
                             names().inputs,
                             names().outputs,
                             names().name,
                             names().dunder_name,
                             names().doc_string,
                             names().opset,
                             names().producer_name,
                             names().producer_version,
                             names().import_domains,
                             names().ir_version};
  for (PyObject* const key : order) {
    PyObject* const value =
        PyDict_GetItemWithError(attributes, key == names().dunder_name ? names().name : key);
    if (value) set_attribute(graph.get(), key, value);
    if (PyErr_Occurred()) throw PythonError();
  }
  set_attribute(graph.get(), names().name_idx, to_python(int64_t{0}).get());
  set_attribute(graph.get(), names().functions, functions);
  return graph;
}

PyRef new_lazy_values(graphsurgeon::PayloadPtr payload, std::string_view name) {
  const bool sparse = payload->kind() == graphsurgeon::Payload::Kind::kSparse;
  PyRef values = allocate(sparse ? graph_classes().sparse_values : graph_classes().lazy_values);
  set_attribute(values.get(), names().payload, payload_object(std::move(payload), name).get());
  return values;
}

void link_input(PyObject* node, PyObject* node_inputs, PyObject* tensor) {
  check(PyList_Append(node_inputs, tensor));
  check(PyList_Append(attribute(tensor, names().outputs).get(), node));
}

void link_output(PyObject* node, PyObject* node_outputs, PyObject* tensor) {
  check(PyList_Append(node_outputs, tensor));
  check(PyList_Append(attribute(tensor, names().inputs).get(), node));
}

}  // namespace native
