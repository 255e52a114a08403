#include "python_api.h"

namespace native {
namespace {

// Fewer objects than this are left to the collector as they are.
constexpr int64_t kMany = 100'000;
// Old objects by our doing after which everything is collected once: the collector does not count
// them, so graphs that a program has dropped would pile up.
constexpr int64_t kMost = 2'000'000;

int64_t made_old = 0;

// Lets the collector take all objects for old ones, without the two walks over them that it would
// need to find out: gc.freeze() puts them aside and gc.unfreeze() brings them back as old. Not
// where the program itself has put some aside.
void make_objects_old() {
  const PyRef gc = PyRef::take(PyImport_ImportModule("gc"));
  const PyRef frozen = PyRef::take(PyObject_CallMethod(gc.get(), "get_freeze_count", nullptr));
  if (PyObject_IsTrue(frozen.get()) != 0) return;
  PyRef::take(PyObject_CallMethod(gc.get(), "freeze", nullptr));
  PyRef::take(PyObject_CallMethod(gc.get(), "unfreeze", nullptr));
}

}  // namespace

int64_t CollectionPause::made_ = 0;

CollectionPause::CollectionPause() : was_enabled_(PyGC_Disable() != 0), before_(made_) {
  if (!was_enabled_ || made_old < kMost) return;
  made_old = 0;
  PyGC_Enable();
  PyGC_Collect();
  PyGC_Disable();
}

CollectionPause::~CollectionPause() {
  if (!was_enabled_) return;
  const int64_t objects = made_ - before_;
  if (objects >= kMany && !PyErr_Occurred()) {
    try {
      make_objects_old();
      made_old += objects;
    } catch (const PythonError&) {
      PyErr_Clear();
    }
  }
  PyGC_Enable();
}

}  // namespace native
