// Brings the changes of an algorithm to a snapshot back to the Python objects.
#include <algorithm>
#include <utility>
#include <vector>

#include "graphs/graph_import.h"
#include "graphs/graph_objects.h"
#include "graphs/graph_snapshot.h"
#include "graphsurgeon/ir/equal.h"

namespace native {

using graphsurgeon::Attribute;
using graphsurgeon::Graph;
using graphsurgeon::Node;
using graphsurgeon::NodeRef;
using graphsurgeon::Payload;
using graphsurgeon::PayloadPtr;
using graphsurgeon::Tensor;
using graphsurgeon::TensorList;
using graphsurgeon::TensorRef;

namespace {

class Update {
 public:
  explicit Update(GraphSnapshot& snapshot) : snapshot_(snapshot), maker_(snapshot.model()) {
    PyObject* const root = source_of(*snapshot.model().graph);
    maker_.set_header(attribute(root, names().opset), attribute(root, names().import_domains),
                      attribute(root, names().functions));
  }

  void run() {
    for (const auto& read : snapshot_.tensors()) update(read);
    for (const auto& read : snapshot_.nodes()) update(read);
    for (const auto& read : snapshot_.graphs()) update(read);
    update_functions();
  }

 private:
  static PyObject* source_of(const graphsurgeon::Object& object) {
    return GraphSnapshot::source_of(object);
  }

  // Arrays of the user change when he changes them: nothing else may view their bytes.
  PayloadPtr own(const PayloadPtr& payload, std::string_view name) const {
    const bool may_view =
        payload->kind() == Payload::Kind::kOwned || payload->kind() == Payload::Kind::kComputed;
    if (!snapshot_.borrows_arrays() || !may_view) return payload;
    return graphsurgeon::owned_payload(payload->load(name).clone());
  }

  void update(const GraphSnapshot::ReadTensor& read) {
    Tensor& tensor = *read.tensor;
    PyObject* const object = source_of(tensor);
    if (tensor.name() != read.name) {
      set_attribute(object, names().name, to_python(tensor.name()).get());
    }
    if (tensor.payload() == read.values) return;
    if (tensor.is_constant()) {
      const PyRef values = new_lazy_values(own(tensor.payload(), tensor.name()), tensor.name());
      if (read.values) {
        set_attribute(object, names().values, values.get());
      } else {
        PyRef::take(PyObject_CallMethod(object, "to_constant", "O", values.get()));
      }
    } else {
      const PyRef fresh = maker_.tensor(tensor);  // of the type that it has now
      PyRef::take(PyObject_CallMethod(object, "to_variable", "OO",
                                      attribute(fresh.get(), names().dtype).get(),
                                      shape_to_python(tensor.shape()).get()));
    }
  }

  static bool same(const std::vector<TensorRef>& before, const TensorList& now) {
    return std::equal(before.begin(), before.end(), now.begin(), now.end(),
                      [](const TensorRef& a, const Tensor* b) { return a.get() == b; });
  }

  // Through the list's own methods, which keep the tensors' lists in step.
  void replace(PyObject* node, PyObject* field, const TensorList& tensors) {
    const PyRef list = attribute(node, field);
    PyRef::take(PyObject_CallMethodObjArgs(list.get(), names().clear, nullptr));
    for (Tensor* tensor : tensors) {
      PyRef::take(PyObject_CallMethodObjArgs(list.get(), names().append,
                                             maker_.tensor(*tensor).get(), nullptr));
    }
  }

  void update(const GraphSnapshot::ReadNode& read) {
    const Node& node = *read.node;
    PyObject* const object = source_of(node);
    if (!same(read.inputs, node.inputs())) replace(object, names().inputs, node.inputs());
    if (!same(read.outputs, node.outputs())) replace(object, names().outputs, node.outputs());
    if (node.name() != read.name) set_attribute(object, names().name, to_python(node.name()).get());
    if (node.op() != read.op) set_attribute(object, names().op, to_python(node.op()).get());
    const auto now = node.attributes();
    if (read.attributes.empty() && (now.empty() || !snapshot_.reads_attributes())) return;
    const PyRef attrs = attribute(object, names().attrs);
    for (const Attribute& attribute : read.attributes) {
      if (node.attribute(attribute.name)) continue;
      check(PyObject_DelItem(attrs.get(), to_python(attribute.name).get()));
    }
    for (const Attribute& attribute : now) {
      const auto before =
          std::find_if(read.attributes.begin(), read.attributes.end(),
                       [&](const Attribute& old) { return old.name == attribute.name; });
      if (before != read.attributes.end() && unchanged(*before, attribute)) continue;
      const PyRef value = maker_.attribute_value(node, attribute);
      if (value) check(PyObject_SetItem(attrs.get(), to_python(attribute.name).get(), value.get()));
    }
  }

  // Graphs by identity: changes inside of one are its own update.
  static bool unchanged(const Attribute& before, const Attribute& now) {
    if (before.holds_graphs() || now.holds_graphs()) return before.graphs() == now.graphs();
    return structurally_equal(before, now);
  }

  void update(const GraphSnapshot::ReadGraph& read) {
    Graph& graph = *read.graph;
    // The nodes of a branch moved to where its If was: the caller still finds them here, too.
    if (graph.outputs().empty() && !read.outputs.empty()) return;
    PyObject* const object = source_of(graph);
    if (read.nodes != graph.nodes()) {
      const auto made = [&](const NodeRef& node) { return maker_.node(*node); };
      set_attribute(object, names().nodes, list_of(graph.nodes(), made).get());
    }
    replace_tensors(object, names().inputs, read.inputs, graph.inputs());
    replace_tensors(object, names().outputs, read.outputs, graph.outputs());
  }

  void replace_tensors(PyObject* graph, PyObject* field, const std::vector<TensorRef>& before,
                       const std::vector<TensorRef>& now) {
    if (before == now) return;
    const auto made = [&](const TensorRef& tensor) { return maker_.tensor(*tensor); };
    set_attribute(graph, field, list_of(now, made).get());
  }

  // In the list that graphs and functions share.
  void update_functions() {
    PyObject* const root = source_of(*snapshot_.model().graph);
    const PyRef list = attribute(root, names().functions);
    const auto& functions = snapshot_.model().functions;
    for (size_t i = 0; i < functions.size(); ++i) {
      PyObject* const object = source_of(*functions[i]);
      check(PyList_SetItem(list.get(), static_cast<Py_ssize_t>(i), Py_NewRef(object)));
    }
  }

  GraphSnapshot& snapshot_;
  GraphImport maker_;
};

}  // namespace

void update_objects(GraphSnapshot& snapshot) {
  const CollectionPause pause;
  Update(snapshot).run();
}

}  // namespace native
