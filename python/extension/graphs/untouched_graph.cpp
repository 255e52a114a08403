#include "graphs/untouched_graph.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "graphs/graph_import.h"
#include "graphs/graph_objects.h"
#include "graphsurgeon/ir/access.h"
#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/ir/nested_graphs.h"
#include "python_class.h"

namespace native {

using graphsurgeon::Attribute;
using graphsurgeon::Graph;
using graphsurgeon::GraphAccess;
using graphsurgeon::Model;
using graphsurgeon::Node;
using graphsurgeon::NodeRef;
using graphsurgeon::Tensor;
using graphsurgeon::TensorRef;
using graphsurgeon::TensorValue;
using graphsurgeon::TypeKind;
using polygraphy::DataType;

namespace {

struct ModelOfGraph {
  Model model;
  bool in_use = false;
};
using UntouchedClass = PythonClass<ModelOfGraph>;

// A text that is in the file, but empty: a copy made of objects has none.
bool is_there_and_empty(std::string_view text) {
  return text.data() != nullptr && text.empty();
}

bool is_plain(const Attribute& attribute) {
  if (!attribute.typed || !attribute.encoded.empty() || !attribute.unknown_fields.empty() ||
      !attribute.ref_attr_name.empty()) {
    return false;
  }
  if (const auto* tensor = std::get_if<TensorValue>(&attribute.value)) {
    return tensor->unknown_fields.empty() && tensor->values;
  }
  return !std::holds_alternative<std::monostate>(attribute.value) &&
         !std::holds_alternative<std::vector<TensorValue>>(attribute.value);
}

bool is_plain(const Tensor& tensor) {
  if (!tensor.doc_string().empty() || !tensor.unknown_fields().empty()) return false;
  if (tensor.is_constant()) return true;
  const bool is_tensor =
      tensor.type_kind() == TypeKind::kTensor || tensor.type_kind() == TypeKind::kNone;
  if (!is_tensor || !tensor.type_proto().empty()) return false;
  return tensor.dtype() != DataType::kUndefined || !tensor.shape();
}

bool is_plain(const Node& node) {
  if (graphsurgeon::NodeAccess::find_extra(node) != nullptr) return false;
  if (is_there_and_empty(node.name())) return false;
  const auto attributes = node.attributes();
  if (!std::all_of(attributes.begin(), attributes.end(),
                   [](const Attribute& each) { return is_plain(each); })) {
    return false;
  }
  const auto all_plain = [](const graphsurgeon::TensorList& tensors) {
    return std::all_of(tensors.begin(), tensors.end(),
                       [](const Tensor* tensor) { return is_plain(*tensor); });
  };
  return all_plain(node.inputs()) && all_plain(node.outputs());
}

bool is_plain(const Graph& graph) {
  if (!graph.unknown_fields().empty() || !GraphAccess::declarations(graph).empty() ||
      graph.name().data() == nullptr || is_there_and_empty(graph.doc_string())) {
    return false;
  }
  const auto plain = [](const TensorRef& tensor) { return is_plain(*tensor); };
  return std::all_of(graph.inputs().begin(), graph.inputs().end(), plain) &&
         std::all_of(graph.outputs().begin(), graph.outputs().end(), plain) &&
         std::all_of(graph.nodes().begin(), graph.nodes().end(),
                     [](const NodeRef& node) { return is_plain(*node); });
}

}  // namespace

PyRef make_model_class() {
  return UntouchedClass::make("polygraphy_native._native.UntouchedModel",
                              "The model of a graph without objects.", {});
}

bool is_plain(const Model& model) {
  if (!model.functions.empty()) return false;
  const std::vector<Graph*> graphs = graphsurgeon::inner_graphs_first(*model.graph);
  return std::all_of(graphs.begin(), graphs.end(), [](Graph* graph) { return is_plain(*graph); });
}

namespace {

// A Constant has a name, and so has the tensor that is made of it.
void name_tensors(Node& node) {
  std::vector<Attribute> named;
  for (const Attribute& attribute : node.attributes()) {
    const auto* tensor = std::get_if<TensorValue>(&attribute.value);
    if (tensor == nullptr || tensor->name.data() != nullptr) continue;
    std::get<TensorValue>(named.emplace_back(attribute).value).name = node.store().keep("");
  }
  for (Attribute& attribute : named) node.set_attribute(std::move(attribute));
}

// An empty type: objects have none then.
void drop_empty_type(Tensor& tensor) {
  if (tensor.type_proto().data() != nullptr) tensor.set_dtype(DataType::kUndefined);
}

void drop_empty_types(const Graph& graph) {
  for (const TensorRef& tensor : graph.inputs()) drop_empty_type(*tensor);
  for (const TensorRef& tensor : graph.outputs()) drop_empty_type(*tensor);
  for (const NodeRef& node : graph.nodes()) {
    for (Tensor* output : node->outputs()) drop_empty_type(*output);
  }
}

}  // namespace

void make_plain(Model& model) {
  model.doc_string.clear();
  model.domain.clear();
  model.metadata.clear();
  model.unknown_fields.clear();
  model.has_model_version = false;
  for (Graph* graph : graphsurgeon::inner_graphs_first(*model.graph)) {
    std::erase_if(graph->mutable_inputs(),
                  [](const TensorRef& tensor) { return tensor->is_constant(); });
    for (const NodeRef& node : graph->nodes()) name_tensors(*node);
    drop_empty_types(*graph);
  }
}

PyRef untouched_graph(Model&& model) {
  PyRef graph = GraphImport(model).header_only();
  model.ir_version = 0;  // the Graph says it; initializers need not be inputs for the old ones
  set_attribute(graph.get(), names().model, UntouchedClass::object({std::move(model)}).get());
  return graph;
}

UntouchedModel::UntouchedModel(PyRef object) : object_(std::move(object)) {
  bool& in_use = UntouchedClass::of(object_.get()).in_use;
  if (in_use) {
    raise(graph_classes().error.get(),
          "A call that has not returned yet works on the graph: it cannot be used meanwhile.");
  }
  in_use = true;
}

UntouchedModel::~UntouchedModel() {
  if (object_) UntouchedClass::of(object_.get()).in_use = false;
}

Model& UntouchedModel::operator*() const {
  return UntouchedClass::of(object_.get()).model;
}

UntouchedModel untouched_model(PyObject* graph) {
  PyObject* const found = PyObject_GenericGetAttr(graph, names().model);
  if (!found) {
    PyErr_Clear();
    return {};
  }
  PyRef object = PyRef::take(found);
  const PyRef functions = attribute(graph, names().functions);
  if (PyObject_Size(functions.get()) != 0) {
    make_objects(graph);
    return {};
  }
  UntouchedModel model(std::move(object));
  const PyRef opset = attribute(graph, names().opset);
  if (PyLong_Check(opset.get())) {
    const int64_t version = to_int64(opset.get());
    if (model->opset() != version) model->set_opset(version);
  }
  return model;
}

void make_objects(PyObject* graph) {
  const UntouchedModel used(PyRef::take(PyObject_GenericGetAttr(graph, names().model)));
  const Model& model = *used;
  const CollectionPause pause;
  GraphImport import(model);
  import.set_header(attribute(graph, names().opset), attribute(graph, names().import_domains),
                    attribute(graph, names().functions));
  import.fill(graph);
  // Only now: a failed attempt may be repeated.
  check(PyObject_GenericSetAttr(graph, names().model, nullptr));
  // The parts come first, as in a graph that had them from the beginning: vars() shows it.
  const PyRef attributes = PyRef::take(PyObject_GetAttrString(graph, "__dict__"));
  const PyRef all = PyRef::take(PyDict_Copy(attributes.get()));
  PyDict_Clear(attributes.get());
  for (PyObject* const key : {names().nodes, names().inputs, names().outputs}) {
    check(PyDict_SetItem(attributes.get(), key, PyDict_GetItem(all.get(), key)));
  }
  check(PyDict_Update(attributes.get(), all.get()));
}

graphsurgeon::FoldReport fold_untouched(Model& model, const graphsurgeon::FoldOptions& options,
                                        polygraphy::Logger& logger) {
  std::vector<TensorRef> untyped;
  for (Graph* graph : graphsurgeon::inner_graphs_first(*model.graph)) {
    for (const NodeRef& node : graph->nodes()) {
      for (Tensor* output : node->outputs()) {
        if (output->dtype() == DataType::kUndefined) untyped.emplace_back(output);
      }
    }
  }
  graphsurgeon::FoldReport report = graphsurgeon::fold_constants(model, options, logger);
  for (const TensorRef& tensor : untyped) {
    if (tensor->is_constant() || tensor->dtype() == DataType::kUndefined) continue;
    tensor->set_dtype(DataType::kUndefined);
    tensor->set_shape(std::nullopt);
  }
  return report;
}

PyRef copy_untouched(PyObject* graph, const Model& model) {
  const PyRef keywords = PyRef::take(PyDict_New());
  for (PyObject* const key :
       {names().name, names().doc_string, names().opset, names().producer_name,
        names().producer_version, names().import_domains, names().ir_version}) {
    check(PyDict_SetItem(keywords.get(), key, attribute(graph, key).get()));
  }
  PyRef copy = new_graph(keywords.get(), PyRef::take(PyList_New(0)).get());
  set_attribute(copy.get(), names().model,
                UntouchedClass::object({graphsurgeon::copy(model)}).get());
  return copy;
}

}  // namespace native
