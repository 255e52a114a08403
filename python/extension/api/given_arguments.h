// The arguments of functions that work on one model.
#pragma once

#include <memory>
#include <tuple>

#include "api/given_options.h"
#include "api/given_runners.h"
#include "api/keywords.h"
#include "api/model_object.h"

namespace native {

// (model, subject, options, inputs, places), with everything that the Python side has checked.
struct GivenArguments {
  // Throws PythonError; Error for a model in use, and for inputs out of range.
  explicit GivenArguments(PyObject* args);

  PyObject* subject;  // borrowed: runners, or what a function has in their place
  Keywords keywords, places;
  GivenInputs inputs;
  GivenSource model;

  polygraphy::ModelSource& source() { return model.source(); }
  const polygraphy::ModelSource& source() const { return model.source(); }
  // The inputs from the beginning.
  std::unique_ptr<polygraphy::FeedSource> feeds(Job& job) const {
    return inputs.open(job, source());
  }

 private:
  using Items = std::tuple<PyObject*, PyObject*, PyObject*, PyObject*, PyObject*>;
  explicit GivenArguments(const Items& items);
};

// The same of a function that runs or compiles the model: the subject is a list of runners, or of
// results in their place.
struct GivenRun : GivenArguments {
  // Throws Error for a spec, too. The model gets its format.
  explicit GivenRun(PyObject* args);
  // With the runners among the options, and another subject.
  struct RunnersInOptions {};
  GivenRun(PyObject* args, RunnersInOptions);

  // The model of an option, with its format; null: None. Throws as GivenSource.
  std::unique_ptr<GivenSource> further_model(const char* option) const;
  // Marks the tensors that the options call outputs.
  void select_outputs();

  const RunnerOptions runners;

 private:
  void set_format();
};

}  // namespace native
