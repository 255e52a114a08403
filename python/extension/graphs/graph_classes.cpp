#include "graphs/graph_classes.h"

#include <memory>
#include <utility>

namespace native {
namespace {

// One per process. Never freed: when static objects go, the interpreter has gone before.
GraphClasses* bound = nullptr;

PyObject* interned(const char* text) {
  PyObject* string = PyUnicode_InternFromString(text);
  if (!string) throw PythonError();
  return string;
}

AttributeNames make_names() {
  return {.nodes = interned("nodes"),
          .inputs = interned("inputs"),
          .outputs = interned("outputs"),
          .name = interned("name"),
          .dunder_name = interned("__name__"),
          .doc_string = interned("doc_string"),
          .opset = interned("opset"),
          .producer_name = interned("producer_name"),
          .producer_version = interned("producer_version"),
          .import_domains = interned("import_domains"),
          .ir_version = interned("ir_version"),
          .name_idx = interned("name_idx"),
          .functions = interned("_functions"),
          .domain = interned("domain"),
          .attrs = interned("attrs"),
          .op = interned("op"),
          .dtype = interned("dtype"),
          .shape = interned("shape"),
          .type = interned("type"),
          .values = interned("_values"),
          .data_location = interned("data_location"),
          .export_dtype = interned("_export_dtype"),
          .parent_obj = interned("parent_obj"),
          .field_name = interned("field_name"),
          .payload = interned("_payload"),
          .version = interned("version"),
          .append = interned("append"),
          .clear = interned("clear")};
}

}  // namespace

const GraphClasses& graph_classes() {
  if (!bound) raise(PyExc_RuntimeError, "bind_graphsurgeon() comes first");
  return *bound;
}

void bind_graph_classes(PyObject* members) {
  auto classes = std::make_unique<GraphClasses>();
  const struct {
    const char* name;
    PyRef GraphClasses::* member;
  } table[] = {{"Graph", &GraphClasses::graph},
               {"Function", &GraphClasses::function},
               {"Node", &GraphClasses::node},
               {"AttributeRef", &GraphClasses::attribute_ref},
               {"Tensor", &GraphClasses::tensor},
               {"Variable", &GraphClasses::variable},
               {"Constant", &GraphClasses::constant},
               {"LazyValues", &GraphClasses::lazy_values},
               {"SparseValues", &GraphClasses::sparse_values},
               {"SynchronizedList", &GraphClasses::synchronized_list},
               {"numpy_type", &GraphClasses::numpy_type},
               {"onnx_type", &GraphClasses::onnx_type},
               {"array_view", &GraphClasses::array_view},
               {"tensor_bytes", &GraphClasses::tensor_bytes},
               {"attribute_bytes", &GraphClasses::attribute_bytes},
               {"attribute_value", &GraphClasses::attribute_value},
               {"opset_imports", &GraphClasses::opset_imports},
               {"log", &GraphClasses::log},
               {"error", &GraphClasses::error}};
  for (const auto& entry : table) {
    PyObject* value = PyDict_GetItemString(members, entry.name);
    if (!value) raise(PyExc_KeyError, entry.name);
    (*classes).*entry.member = PyRef::share(value);
  }
  delete std::exchange(bound, classes.release());
}

const AttributeNames& names() {
  static const AttributeNames all = make_names();
  return all;
}

PyObject* error_class() {
  return bound ? bound->error.get() : PyExc_RuntimeError;
}

}  // namespace native
