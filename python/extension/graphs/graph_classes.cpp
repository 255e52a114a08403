#include "graphs/graph_classes.h"

namespace native {
namespace {

// One per process. Never freed: when static objects go, the interpreter has gone before.
const GraphClasses* bound = nullptr;

}  // namespace

PyRef GraphClasses::member(const char* name) const {
  PyObject* const found = PyDict_GetItemString(members_, name);
  if (!found) raise(PyExc_KeyError, name);
  return PyRef::share(found);
}

const GraphClasses& graph_classes() {
  if (!bound) raise(PyExc_RuntimeError, "bind_graphsurgeon() comes first");
  return *bound;
}

void bind_graph_classes(PyObject* members) {
  delete std::exchange(bound, new GraphClasses(members));
}

PyObject* interned(const char* text) {
  return PyRef::take(PyUnicode_InternFromString(text)).release();
}

const AttributeNames& names() {
  static const AttributeNames all;
  return all;
}

PyObject* error_class() {
  return bound ? bound->error.get() : PyExc_RuntimeError;
}

}  // namespace native
