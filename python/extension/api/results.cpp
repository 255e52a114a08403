#include "api/results.h"

#include "api/array_object.h"
#include "api/keywords.h"
#include "python_functions.h"

namespace native {

using polygraphy::IterationResult;

PyRef to_python(const IterationResult& result) {
  PyRef outputs = PyRef::take(PyList_New(0));
  for (size_t i = 0; i < result.outputs.size(); ++i) {
    const auto& name = result.outputs.at_index(i).first;
    check(PyList_Append(outputs.get(), tuple(name, to_python(result.output(i))).get()));
  }
  return tuple(outputs, result.runtime, result.runner_name);
}

IterationResult result_of(PyObject* tuple) {
  const auto [outputs, seconds, runner] = items_of<PyObject*, PyObject*, const char*>(tuple);
  IterationResult result;
  result.runner_name = runner;
  if (seconds != Py_None) result.runtime = to_double(seconds);
  for_each(outputs, [&](PyObject* pair) {
    const auto [name, array] = items_of<const char*, PyObject*>(pair);
    result.outputs.set(name, array_of(array));
  });
  return result;
}

}  // namespace native
