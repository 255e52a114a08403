#include "api/results.h"

#include "api/array_object.h"
#include "api/keywords.h"

namespace native {

using polygraphy::IterationResult;

PyRef to_python(const IterationResult& result) {
  PyRef outputs = PyRef::take(PyList_New(0));
  for (size_t i = 0; i < result.outputs.size(); ++i) {
    const auto& name = result.outputs.at_index(i).first;
    const PyRef pair =
        PyRef::take(Py_BuildValue("(NN)", to_python(std::string_view(name)).release(),
                                  to_python(result.output(i)).release()));
    check(PyList_Append(outputs.get(), pair.get()));
  }
  const PyRef seconds = result.runtime ? PyRef::take(PyFloat_FromDouble(*result.runtime)) : none();
  return PyRef::take(Py_BuildValue("(OON)", outputs.get(), seconds.get(),
                                   to_python(std::string_view(result.runner_name)).release()));
}

IterationResult result_of(PyObject* tuple) {
  PyObject *outputs = nullptr, *seconds = nullptr;
  const char* runner = nullptr;
  if (PyArg_ParseTuple(tuple, "OOs", &outputs, &seconds, &runner) == 0) throw PythonError();
  IterationResult result;
  result.runner_name = runner;
  if (seconds != Py_None) result.runtime = to_double(seconds);
  for_each(outputs, [&](PyObject* pair) {
    PyObject* array = nullptr;
    const char* name = nullptr;
    if (PyArg_ParseTuple(pair, "sO", &name, &array) == 0) throw PythonError();
    result.outputs.set(name, array_of(array));
  });
  return result;
}

}  // namespace native
