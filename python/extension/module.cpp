// `polygraphy_native._native`: the libraries, for the Python packages. Everything that users see is
// written in Python around it.
#include "api/array_object.h"
#include "api/model_object.h"
#include "arrays/array_statistics.h"
#include "calls/api_functions.h"
#include "graphs/untouched_graph.h"
#include "models/payload_object.h"

namespace native {

PyRef make_difference_class();  // `_native.Difference`
// Each ends with an empty entry.
extern PyMethodDef base64_functions[], graph_functions[], model_functions[], model_part_functions[];

namespace {

// Classes are kept in variables of the process.
void require_first_interpreter() {
  static PyInterpreterState* const first = PyInterpreterState_Get();
  if (PyInterpreterState_Get() != first) {
    raise(PyExc_ImportError, "polygraphy_native works in one interpreter of a process only");
  }
}

int execute(PyObject* module) {
  PyObject* const done = guarded([&] {
    require_first_interpreter();
    const PyRef payload = make_payload_class();
    check(PyModule_AddObjectRef(module, "Payload", payload.get()));
    check(PyModule_AddObjectRef(module, "Difference", make_difference_class().get()));
    make_model_class();
    check(PyModule_AddObjectRef(module, "Model", make_api_model_class().get()));
    make_array_bytes_class();
    check(PyModule_AddFunctions(module, array_functions));
    check(PyModule_AddFunctions(module, base64_functions));
    check(PyModule_AddFunctions(module, model_functions));
    check(PyModule_AddFunctions(module, model_part_functions));
    check(PyModule_AddFunctions(module, api_functions));
    return none();
  });
  Py_XDECREF(done);
  return done ? 0 : -1;
}

PyModuleDef module = {PyModuleDef_HEAD_INIT,
                      "_native",
                      "The native libraries behind the Python packages.",
                      -1,
                      graph_functions,
                      nullptr,
                      nullptr,
                      nullptr,
                      nullptr};

}  // namespace
}  // namespace native

PyMODINIT_FUNC PyInit__native() {
  PyObject* module = PyModule_Create(&native::module);
  if (module && native::execute(module) < 0) {
    Py_DECREF(module);
    module = nullptr;
  }
  return module;
}
