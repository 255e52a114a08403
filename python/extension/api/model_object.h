// `_native.Model`: a model of the graph library, for Python.
#pragma once

#include <optional>

#include "graphsurgeon/ir/graph.h"
#include "polygraphy/models/loaders/model_source.h"
#include "python_api.h"

namespace native {

// Makes the class. Called once, when the module is made.
PyRef make_api_model_class();
// Its methods that are jobs (model_methods.cpp); ends with an empty entry.
extern PyMethodDef model_methods[];
// A new Model.
PyRef model_object(graphsurgeon::Model&& model);
// Whether it is one.
bool is_model(PyObject* object);

// While a model is read or changed: no other thread, and no callback, gets it meanwhile. Made and
// destroyed with the interpreter's lock.
class ModelInUse {
 public:
  // Throws PythonError for an object other than a Model; Error for one that is in use, or whose
  // file was changed in place or cut short since it was loaded.
  explicit ModelInUse(PyObject* object);
  ~ModelInUse();
  ModelInUse(const ModelInUse&) = delete;
  ModelInUse& operator=(const ModelInUse&) = delete;

  graphsurgeon::Model& operator*() const;
  graphsurgeon::Model* operator->() const { return &**this; }
  // Call after a change: drops cached facts about the model.
  void changed() const;

 private:
  PyRef object_;
};

// A model argument of a job: a path, or a Model, which is in use as long as this.
class GivenSource {
 public:
  // Throws as ModelInUse; PythonError for other objects.
  explicit GivenSource(PyObject* model);
  const polygraphy::ModelSource& source() const { return source_; }
  polygraphy::ModelSource& source() { return source_; }
  // Null: a path was given.
  const graphsurgeon::Model* model() const { return source_.model; }

 private:
  std::optional<ModelInUse> in_use_;
  polygraphy::ModelSource source_;
};

}  // namespace native
