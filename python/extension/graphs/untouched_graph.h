// Graphs that no script has looked into: still models of the graph library.
//
// This Graph has no attributes `nodes`, `inputs` and `outputs`, but `_model`. Its other attributes
// are there. Python's lookup of a missing attribute (Graph.__getattr__) calls make_objects(), and
// from then on it is a graph like any other. Operations have the same result in both forms, to the
// byte: models that objects cannot represent completely get objects at once.
#pragma once

#include "graphs/graph_classes.h"
#include "graphsurgeon/fold/fold.h"
#include "graphsurgeon/ir/graph.h"

namespace native {

// Makes the class of `_model`. Called once, when the module is made.
PyRef make_model_class();

// Whether objects would say everything that the model does, but for the parts that make_plain()
// takes away. Reads attributes, no values. O(model).
bool is_plain(const graphsurgeon::Model& model);
// As a Graph would have it: without the model's own texts and metadata and without inputs that are
// initializers, and with a name, if an empty one, for tensors in attributes.
void make_plain(graphsurgeon::Model& model);

// A Graph in this form, of a plain model.
PyRef untouched_graph(graphsurgeon::Model&& model);
// The model of a Graph in this form while a call works on it. Others must not: a message of the
// call may run code that looks into the graph. Null for graphs of objects.
class UntouchedModel {
 public:
  UntouchedModel() = default;
  // Throws PythonError: another call works on it.
  explicit UntouchedModel(PyRef object);
  UntouchedModel(UntouchedModel&& other) = default;
  ~UntouchedModel();

  explicit operator bool() const { return static_cast<bool>(object_); }
  graphsurgeon::Model& operator*() const;
  graphsurgeon::Model* operator->() const { return &**this; }

 private:
  PyRef object_;
};

// A Graph in this form is not a model any more when it has got functions.
UntouchedModel untouched_model(PyObject* graph);
// Gives the Graph its objects.
void make_objects(PyObject* graph);
// Folds the constants of a graph in this form. Types that folding finds out are forgotten: a Graph
// of objects learns nothing of its variables either.
graphsurgeon::FoldReport fold_untouched(graphsurgeon::Model& model,
                                        const graphsurgeon::FoldOptions& options,
                                        polygraphy::Logger& logger);
// A copy, in this form.
PyRef copy_untouched(PyObject* graph, const graphsurgeon::Model& model);

}  // namespace native
