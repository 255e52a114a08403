// The classes and conversions of the package onnx_graphsurgeon, as it has bound them.
#pragma once

#include "python_api.h"

namespace native {

struct GraphClasses {
  PyRef graph, function, node, attribute_ref, tensor, variable, constant;
  PyRef lazy_values, sparse_values, synchronized_list;
  PyRef numpy_type, onnx_type, array_view, tensor_bytes, attribute_bytes, attribute_value;
  PyRef opset_imports, log, error;
};

// Throws PythonError (RuntimeError) before bind_graph_classes().
const GraphClasses& graph_classes();
// `members`: a dict with the names above, as bind_graphsurgeon() of the extension documents them.
void bind_graph_classes(PyObject* members);

// Names of attributes, interned once.
struct AttributeNames {
  PyObject *nodes, *inputs, *outputs, *name, *dunder_name, *doc_string, *opset, *producer_name,
      *producer_version, *import_domains, *ir_version, *name_idx, *functions, *domain, *attrs, *op,
      *dtype, *shape, *type, *values, *data_location, *export_dtype, *parent_obj, *field_name,
      *payload, *version, *append, *clear;
};
const AttributeNames& names();

inline bool is_instance(PyObject* object, const PyRef& type) {
  if (reinterpret_cast<PyObject*>(Py_TYPE(object)) == type.get()) return true;
  const int result = PyObject_IsInstance(object, type.get());
  check(result);
  return result == 1;
}

}  // namespace native
