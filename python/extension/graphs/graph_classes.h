// The classes and conversions of the package onnx_graphsurgeon, as it has bound them.
#pragma once

#include "python_values.h"

namespace native {

// Members of the dict that bind_graphsurgeon() of the extension gets.
class GraphClasses {
 public:
  // Throws PythonError (KeyError).
  explicit GraphClasses(PyObject* members) : members_(members) {}

 private:
  PyRef member(const char* name) const;
  PyObject* members_;  // used by the constructor only

 public:
  PyRef graph = member("Graph"), function = member("Function"), node = member("Node");
  PyRef variable = member("Variable"), constant = member("Constant");
  PyRef lazy_values = member("LazyValues"), sparse_values = member("SparseValues");
  PyRef synchronized_list = member("SynchronizedList");
  PyRef numpy_type = member("numpy_type"), onnx_type = member("onnx_type");
  PyRef array_view = member("array_view"), tensor_bytes = member("tensor_bytes");
  PyRef attribute_bytes = member("attribute_bytes"), attribute_value = member("attribute_value");
  PyRef opset_imports = member("opset_imports"), log = member("log"), error = member("error");
};

// Throws PythonError (RuntimeError) before bind_graph_classes().
const GraphClasses& graph_classes();
void bind_graph_classes(PyObject* members);

// Throws PythonError.
PyObject* interned(const char* text);

// Names of attributes, interned once.
struct AttributeNames {
  PyObject* nodes = interned("nodes");
  PyObject* inputs = interned("inputs");
  PyObject* outputs = interned("outputs");
  PyObject* name = interned("name");
  PyObject* dunder_name = interned("__name__");
  PyObject* doc_string = interned("doc_string");
  PyObject* opset = interned("opset");
  PyObject* producer_name = interned("producer_name");
  PyObject* producer_version = interned("producer_version");
  PyObject* import_domains = interned("import_domains");
  PyObject* ir_version = interned("ir_version");
  PyObject* name_idx = interned("name_idx");
  PyObject* functions = interned("_functions");
  PyObject* domain = interned("domain");
  PyObject* attrs = interned("attrs");
  PyObject* op = interned("op");
  PyObject* dtype = interned("dtype");
  PyObject* shape = interned("shape");
  PyObject* type = interned("type");
  PyObject* values = interned("_values");
  PyObject* data_location = interned("data_location");
  PyObject* export_dtype = interned("_export_dtype");
  PyObject* parent_obj = interned("parent_obj");
  PyObject* field_name = interned("field_name");
  PyObject* payload = interned("_payload");
  PyObject* version = interned("version");
  PyObject* append = interned("append");
  PyObject* clear = interned("clear");
  PyObject* model = interned("_model");
};
const AttributeNames& names();

inline bool is_instance(PyObject* object, const PyRef& type) {
  if (reinterpret_cast<PyObject*>(Py_TYPE(object)) == type.get()) return true;
  const int result = PyObject_IsInstance(object, type.get());
  check(result);
  return result == 1;
}

}  // namespace native
