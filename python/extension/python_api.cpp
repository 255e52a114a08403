#include "python_api.h"

namespace native {
namespace {

// gc.freeze() puts all objects aside, gc.unfreeze() brings those back as old ones: neither looks at
// an object. Not where the program itself has put some aside.
void make_objects_old() {
  const PyRef gc = PyRef::take(PyImport_ImportModule("gc"));
  const PyRef frozen = PyRef::take(PyObject_CallMethod(gc.get(), "get_freeze_count", nullptr));
  if (PyObject_IsTrue(frozen.get()) != 0) return;
  PyRef::take(PyObject_CallMethod(gc.get(), "freeze", nullptr));
  PyRef::take(PyObject_CallMethod(gc.get(), "unfreeze", nullptr));
}

}  // namespace

CollectionPause::~CollectionPause() {
  if (!was_enabled_) return;
  if (!PyErr_Occurred()) {
    try {
      make_objects_old();
    } catch (const PythonError&) {
      PyErr_Clear();
    }
  }
  PyGC_Enable();
}

}  // namespace native
