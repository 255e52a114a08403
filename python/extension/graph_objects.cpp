#include "graph_objects.h"

#include <utility>

#include "payload_object.h"

namespace native {
namespace {

PyRef allocate(const PyRef& type) {
  CollectionPause::made(1);
  return PyRef::take(PyType_GenericAlloc(reinterpret_cast<PyTypeObject*>(type.get()), 0));
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
