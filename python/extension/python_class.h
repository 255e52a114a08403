// Classes of Python around values of C++.
#pragma once

#include <algorithm>
#include <new>
#include <utility>
#include <vector>

#include "python_api.h"

namespace native {

// The class of a type, one in a process. Only C++ makes objects of it, unless its slots have a
// Py_tp_new.
template <typename Value>
class PythonClass {
 public:
  // Called once, when the module is made. `name` has the module in front; `slots`: beside those of
  // documentation and destruction.
  static PyRef make(const char* name, const char* doc, std::vector<PyType_Slot> slots) {
    const bool has_new =
        std::ranges::any_of(slots, [](const PyType_Slot& each) { return each.slot == Py_tp_new; });
    slots.push_back({Py_tp_doc, const_cast<char*>(doc)});
    slots.push_back({Py_tp_dealloc, reinterpret_cast<void*>(deallocate)});
    slots.push_back({0, nullptr});
    PyType_Spec spec = {name, sizeof(Object), 0, Py_TPFLAGS_DEFAULT, slots.data()};
    if (!has_new) spec.flags |= Py_TPFLAGS_DISALLOW_INSTANTIATION;
    PyRef made = PyRef::take(PyType_FromSpec(&spec));
    type_ = reinterpret_cast<PyTypeObject*>(Py_NewRef(made.get()));
    return made;
  }

  static PyRef object(Value value) {
    PyRef object = PyRef::take(PyType_GenericAlloc(type_, 0));
    new (&of(object.get())) Value(std::move(value));
    return object;
  }
  static bool is_type_of(PyObject* object) { return Py_TYPE(object) == type_; }
  static Value& of(PyObject* object) { return reinterpret_cast<Object*>(object)->value; }

 private:
  struct Object {
    PyObject_HEAD Value value;
  };

  static void deallocate(PyObject* object) {
    PyTypeObject* type = Py_TYPE(object);
    of(object).~Value();
    reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(object);
    Py_DECREF(type);
  }

  static inline PyTypeObject* type_ = nullptr;
};

}  // namespace native
