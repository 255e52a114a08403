// The functions of `_native` that the package onnx_graphsurgeon calls.

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/log_modules.h"
#include "graphs/graph_import.h"
#include "graphs/graph_objects.h"
#include "graphs/graph_snapshot.h"
#include "graphs/untouched_graph.h"
#include "graphsurgeon/fold/fold.h"
#include "graphsurgeon/ir/nested_graphs.h"
#include "graphsurgeon/passes/cleanup.h"
#include "graphsurgeon/passes/toposort.h"
#include "models/evaluator_options.h"
#include "models/given_model.h"
#include "models/python_log.h"
#include "python_functions.h"

namespace native {
namespace {

using graphsurgeon::CleanupOptions;
using graphsurgeon::FoldOptions;
using graphsurgeon::Model;
using graphsurgeon::ToposortMode;
using graphsurgeon::ToposortOptions;
using polygraphy::Logger;

PyRef bind_graphsurgeon(PyObject*, PyObject* members) {
  if (!PyDict_Check(members)) raise(PyExc_TypeError, "a dict is expected");
  bind_graph_classes(members);
  return none();
}

PyRef import_graphsurgeon(PyObject*, PyObject* data) {
  Model model = given_model(data);
  if (is_plain(model)) {
    make_plain(model);
    return untouched_graph(std::move(model));
  }
  return GraphImport(model).run();
}

PyRef make_graph_objects(PyObject*, PyObject* graph) {
  if (untouched_model(graph)) make_objects(graph);
  return none();
}

// The domains that nodes name, each once in their order; None for graphs of objects.
PyRef domains(PyObject*, PyObject* graph) {
  const UntouchedModel model = untouched_model(graph);
  if (!model) return none();
  PyRef list = PyRef::take(PyList_New(0));
  std::unordered_set<std::string_view> known;
  for (graphsurgeon::Graph* each : graphsurgeon::inner_graphs_first(*model->graph)) {
    for (const graphsurgeon::NodeRef& node : each->nodes()) {
      if (node->domain().data() == nullptr || !known.insert(node->domain()).second) continue;
      check(PyList_Append(list.get(), to_python(node->domain()).get()));
    }
  }
  return list;
}

// Whether all ends of a graph have element types; None for graphs of objects.
PyRef ends_have_types(PyObject*, PyObject* graph) {
  const UntouchedModel model = untouched_model(graph);
  if (!model) return none();
  const auto typed = [](const graphsurgeon::TensorRef& tensor) {
    return tensor->dtype() != polygraphy::DataType::kUndefined;
  };
  const auto all_typed = [&](const std::vector<graphsurgeon::TensorRef>& tensors) {
    return std::all_of(tensors.begin(), tensors.end(), typed);
  };
  const bool all = all_typed(model->graph->inputs()) && all_typed(model->graph->outputs());
  return to_python(all);
}

PyRef exported(const Model& model, bool distinct) {
  return tuple(encoded_model(model), distinct);
}

PyRef export_graphsurgeon(PyObject*, PyObject* graph) {
  if (const UntouchedModel model = untouched_model(graph)) {
    const PyRef name = attribute(graph, names().name);
    const PyRef doc_string = attribute(graph, names().doc_string);
    model->graph->set_name(text_of(name.get()));
    if (!text_of(doc_string.get()).empty()) {
      model->graph->set_doc_string(text_of(doc_string.get()));
    }
    bool all_distinct = true;
    for (graphsurgeon::Graph* each : graphsurgeon::inner_graphs_first(*model->graph)) {
      all_distinct = list_tensors(*each) && all_distinct;
    }
    return exported(*model, all_distinct);
  }
  GraphSnapshot snapshot(graph, Reading::kEverything);
  const bool distinct = snapshot.list_tensors();
  return exported(snapshot.model(), distinct);
}

// Has `change` done to the model of a graph, or to a snapshot of its objects and then to these.
template <typename Change>
PyRef change_structure(PyObject* graph, Change change) {
  if (const UntouchedModel model = untouched_model(graph)) {
    change(*model);
  } else {
    GraphSnapshot snapshot(graph, Reading::kStructure);
    change(snapshot.model());
    update_objects(snapshot);
  }
  return none();
}

PyRef cleanup(PyObject*, PyObject* graph, bool outputs, bool subgraphs, bool inputs,
              bool functions) {
  const CleanupOptions options{.remove_unused_node_outputs = outputs,
                               .recurse_subgraphs = subgraphs,
                               .remove_unused_graph_inputs = inputs,
                               .recurse_functions = functions};
  return change_structure(graph, [&](Model& model) { graphsurgeon::cleanup(model, options); });
}

PyRef toposort(PyObject*, PyObject* graph, bool subgraphs, bool functions, const char* mode) {
  ToposortOptions options{.recurse_subgraphs = subgraphs, .recurse_functions = functions};
  if (std::strcmp(mode, "nodes") == 0) options.mode = ToposortMode::kNodes;
  if (std::strcmp(mode, "functions") == 0) options.mode = ToposortMode::kFunctions;
  return change_structure(graph, [&](Model& model) { graphsurgeon::toposort(model, options); });
}

PyRef copy_graph_object(PyObject*, PyObject* graph, PyObject* tensors) {
  if (PyObject_Size(tensors) == 0) {
    if (const UntouchedModel model = untouched_model(graph)) return copy_untouched(graph, *model);
  } else if (untouched_model(graph)) {
    make_objects(graph);
  }
  return copy_graph(graph, tensors);
}

void log_taken_defaults(const graphsurgeon::FoldReport& report, Logger& logger) {
  const size_t count = report.taken_defaults.size();
  if (count == 0) return;
  logger.info(polygraphy::log_modules::kGraph,
              "Took the initializers of " + std::to_string(count) +
                  (count == 1 ? " input" : " inputs") +
                  " for constants; fold_constants(keep_input_defaults=True) does not");
}

PyRef fold_constants(PyObject*, PyObject* graph, bool shapes, bool subgraphs,
                     TextOrNone partitioning, bool error_ok, bool flatten,
                     std::optional<int64_t> threshold, PyObject* exclude, bool functions,
                     bool keep_defaults, const char* tree, PyObject* folders) {
  Logger logger = logger_of(graph_classes().log.get());
  polygraphy::OnnxrtEvaluator evaluator(plugin_paths(tree, folders), logger);
  FoldOptions options{.fold_shapes = shapes,
                      .infer_shapes = false,
                      .recurse_subgraphs = subgraphs,
                      .recurse_functions = functions,
                      .flatten_subgraphs = flatten,
                      .keep_input_defaults = keep_defaults,
                      .error_ok = error_ok,
                      .max_growth = std::nullopt,
                      .evaluator = &evaluator};
  options.partitioning = partitioning_named(partitioning.text);
  options.size_threshold = threshold;
  if (exclude != Py_None) {
    if (untouched_model(graph)) make_objects(graph);
  } else if (const UntouchedModel model = untouched_model(graph)) {
    log_taken_defaults(fold_untouched(*model, options, logger), logger);
    return none();
  }
  if (exclude != Py_None) {
    options.exclude = [&](const graphsurgeon::Node& node) {
      PyObject* const object = GraphSnapshot::source_of(node);
      return object && is_true(call(exclude, object).get());
    };
  }
  GraphSnapshot snapshot(graph, Reading::kEverything);
  const auto report = graphsurgeon::fold_constants(snapshot.model(), options, logger);
  update_objects(snapshot);
  log_taken_defaults(report, logger);
  return none();
}

}  // namespace

PyMethodDef graph_functions[] = {
    {"bind_graphsurgeon", entry<bind_graphsurgeon>, form<bind_graphsurgeon>,
     "Registers the classes and converters of the package, a dict."},
    {"import_graphsurgeon", entry<import_graphsurgeon>, form<import_graphsurgeon>,
     "A Graph of the encoded ModelProto in a bytes-like object, which its constants keep alive."},
    {"export_graphsurgeon", entry<export_graphsurgeon>, form<export_graphsurgeon>,
     "The encoded ModelProto of a Graph, and whether names are of one node and one tensor each."},
    {"make_graph_objects", entry<make_graph_objects>, form<make_graph_objects>,
     "Gives a Graph that is still a model its nodes, inputs and outputs."},
    {"domains", entry<domains>, form<domains>,
     "The domains that nodes of a Graph that is still a model name; None for other graphs."},
    {"ends_have_types", entry<ends_have_types>, form<ends_have_types>,
     "Whether inputs and outputs of a Graph that is still a model have element types; None for "
     "other graphs."},
    {"cleanup", entry<cleanup>, form<cleanup>,
     "cleanup(graph, remove_unused_node_outputs, recurse_subgraphs, remove_unused_graph_inputs, "
     "recurse_functions)"},
    {"toposort", entry<toposort>, form<toposort>,
     "toposort(graph, recurse_subgraphs, recurse_functions, mode)"},
    {"copy_graph", entry<copy_graph_object>, form<copy_graph_object>,
     "copy_graph(graph, tensors): a copy, with tensors of the dict in place of those it lacks."},
    {"fold_constants", entry<fold_constants>, form<fold_constants>,
     "fold_constants(graph, fold_shapes, recurse_subgraphs, partitioning, error_ok, "
     "flatten_subgraphs, size_threshold, should_exclude_node, recurse_functions, "
     "keep_input_defaults, tree, folders): one pass. ONNX Runtime computes, from one of the "
     "folders (of packages), else from the tree, which has the plugins in lib/polygraphy."},
    {}};

}  // namespace native
