// Copies of graphs of the package onnx_graphsurgeon, object by object.
#include "graphs/graph_objects.h"

namespace native {
namespace {

PyRef copy_tensor(PyObject* tensor) {
  const PyRef name = attribute(tensor, names().name);
  if (is_instance(tensor, graph_classes().constant)) {
    return new_constant(name.get(), attribute(tensor, names().values).get(),
                        attribute(tensor, names().data_location).get(),
                        attribute(tensor, names().export_dtype).get());
  }
  if (!is_instance(tensor, graph_classes().variable)) {
    return PyRef::take(PyObject_CallMethod(tensor, "copy", nullptr));
  }
  // Lists of dimensions are edited in place.
  PyRef shape = attribute(tensor, names().shape);
  if (PyList_Check(shape.get())) shape = PyRef::take(PySequence_List(shape.get()));
  return new_variable(name.get(), attribute(tensor, names().dtype).get(), shape.get(),
                      attribute(tensor, names().type).get());
}

bool is_empty(PyObject* name) {
  return name == Py_None || text_of(name).empty();
}

class Copy {
 public:
  // `graph`: the outermost; the copies share its functions.
  Copy(PyObject* graph, PyObject* outer) {
    functions_ = PyRef::take(PySequence_List(attribute(graph, names().functions).get()));
    scope_ = outer == Py_None ? PyRef::take(PyDict_New()) : PyRef::take(PyDict_Copy(outer));
  }

  PyRef graph(PyObject* object) {
    const Recursion level(" while a graph is copied");
    const PyRef outer = scope_;
    scope_ = PyRef::take(PyDict_Copy(outer.get()));
    own_tensors(object);
    const PyRef keywords = PyRef::take(PyDict_New());
    const auto put = [&](const char* key, const PyRef& value) {
      check(PyDict_SetItemString(keywords.get(), key, value.get()));
    };
    const auto keep = [&](const char* key) {
      put(key, PyRef::take(PyObject_GetAttrString(object, key)));
    };
    put("nodes", nodes(attribute(object, names().nodes).get()));
    put("inputs", tensors(attribute(object, names().inputs).get()));
    put("outputs", tensors(attribute(object, names().outputs).get()));
    for (const char* key : {"name", "doc_string", "opset", "import_domains", "ir_version"})
      keep(key);
    if (is_instance(object, graph_classes().function)) {
      keep("domain");
      put("attrs", defaults(attribute(object, names().attrs).get()));
    } else {
      keep("producer_name");
      keep("producer_version");
    }
    scope_ = outer;
    return new_graph(keywords.get(), functions_.get());
  }

 private:
  // Attributes of a function: their values are edited in place. Attributes of nodes stay shared.
  static PyRef defaults(PyObject* attrs) {
    PyRef copies = PyRef::take(PyDict_Copy(attrs));
    const PyRef copy = imported("copy", "copy");
    for_each(PyRef::take(PyDict_Items(attrs)).get(), [&](PyObject* item) {
      const PyRef copied = call(copy.get(), PyTuple_GetItem(item, 1));
      check(PyDict_SetItem(copies.get(), PyTuple_GetItem(item, 0), copied.get()));
    });
    return copies;
  }

  // Copies the graph's tensors (inputs, outputs of nodes, constants), and others that the scope
  // lacks.
  void own_tensors(PyObject* graph) {
    const PyRef own = PyRef::take(PyDict_New());
    const auto add = [&](PyObject* tensor) {
      const PyRef name = attribute(tensor, names().name);
      if (is_empty(name.get())) return;
      if (PyDict_GetItemWithError(own.get(), name.get())) return;
      if (PyErr_Occurred()) throw PythonError();
      check(PyDict_SetItem(own.get(), name.get(), copy_tensor(tensor).get()));
    };
    const auto add_constants = [&](PyObject* tensor) {
      if (is_instance(tensor, graph_classes().constant)) add(tensor);
    };
    const PyRef inputs = attribute(graph, names().inputs);
    const PyRef outputs = attribute(graph, names().outputs);
    const PyRef list = attribute(graph, names().nodes);
    for_each(inputs.get(), add);
    for_each(list.get(), [&](PyObject* node) {
      for_each(attribute(node, names().inputs).get(), add_constants);
      for_each(attribute(node, names().outputs).get(), add);
    });
    for_each(outputs.get(), add_constants);
    check(PyDict_Update(scope_.get(), own.get()));
    const auto add_foreign = [&](PyObject* tensor) {
      const PyRef name = attribute(tensor, names().name);
      if (is_empty(name.get()) || PyDict_Contains(scope_.get(), name.get()) == 1) return;
      check(PyDict_SetItem(scope_.get(), name.get(), copy_tensor(tensor).get()));
    };
    for_each(list.get(),
             [&](PyObject* node) { for_each(attribute(node, names().inputs).get(), add_foreign); });
    for_each(outputs.get(), add_foreign);
  }

  PyRef tensor(PyObject* original) {
    const PyRef name = attribute(original, names().name);
    if (is_empty(name.get())) return copy_tensor(original);
    PyObject* const found = PyDict_GetItemWithError(scope_.get(), name.get());
    if (found) return PyRef::share(found);
    if (PyErr_Occurred()) throw PythonError();
    return copy_tensor(original);
  }

  PyRef tensors(PyObject* originals) {
    PyRef list = PyRef::take(PyList_New(0));
    for_each(originals,
             [&](PyObject* item) { check(PyList_Append(list.get(), tensor(item).get())); });
    return list;
  }

  PyRef attrs(PyObject* originals) {
    if (!PyDict_Check(originals)) raise(PyExc_TypeError, "the attrs of a node are not a dict");
    PyRef copy = new_attrs();
    if (PyDict_Size(originals) == 0) return copy;
    for_each(PyRef::take(PyDict_Items(originals)).get(), [&](PyObject* item) {
      PyObject* const value = PyTuple_GetItem(item, 1);
      const PyRef kept =
          is_instance(value, graph_classes().graph) ? graph(value) : PyRef::share(value);
      check(PyObject_SetItem(copy.get(), PyTuple_GetItem(item, 0), kept.get()));
    });
    return copy;
  }

  PyRef nodes(PyObject* originals) {
    PyRef list = PyRef::take(PyList_New(0));
    for_each(originals, [&](PyObject* original) {
      const PyRef attributes = attrs(attribute(original, names().attrs).get());
      const PyRef node =
          new_node(attribute(original, names().op).get(), attribute(original, names().name).get(),
                   attributes.get(), attribute(original, names().domain).get());
      const PyRef inputs = attribute(node.get(), names().inputs);
      for_each(attribute(original, names().inputs).get(),
               [&](PyObject* item) { link_input(node.get(), inputs.get(), tensor(item).get()); });
      const PyRef outputs = attribute(node.get(), names().outputs);
      for_each(attribute(original, names().outputs).get(),
               [&](PyObject* item) { link_output(node.get(), outputs.get(), tensor(item).get()); });
      check(PyList_Append(list.get(), node.get()));
    });
    return list;
  }

  PyRef functions_;
  PyRef scope_;  // names to tensors of the copy
};

}  // namespace

PyRef copy_graph(PyObject* graph, PyObject* tensors) {
  const CollectionPause pause;
  return Copy(graph, tensors).graph(graph);
}

}  // namespace native
