// Python's C API, as the sources of the extension use it: the stable ABI of 3.11, counted
// references, exceptions on both sides.
//
// The same extension loads in 3.10, which exports all these functions but does not promise that
// they are stable: buffers became stable with 3.11, unchanged. Headers of 3.10 hide them in the
// stable ABI, so an extension that is built with those uses the whole API and fits 3.10 only.
#pragma once

#include <patchlevel.h>

#define PY_SSIZE_T_CLEAN
#if PY_VERSION_HEX >= 0x030B0000
#define Py_LIMITED_API 0x030B0000
#endif
// Weak: the command of the wheel opens the extension without a Python.
#define PyAPI_FUNC(type) __attribute__((weak, visibility("default"))) type
#define PyAPI_DATA(type) extern __attribute__((weak, visibility("default"))) type
#include <Python.h>

#include <cstdint>
#include <new>
#include <string>
#include <utility>

#include "base/error.h"

namespace native {

// A Python exception is set; what threw it says no more.
struct PythonError {};

// A counted reference to a Python object; may be null.
class PyRef {
 public:
  PyRef() = default;
  // A new reference, which is this one's from now on. Throws PythonError for null.
  static PyRef take(PyObject* object) {
    if (!object) throw PythonError();
    return PyRef(object);
  }
  // A borrowed one. Throws PythonError for null.
  static PyRef share(PyObject* object) {
    if (!object) throw PythonError();
    return PyRef(Py_NewRef(object));
  }
  PyRef(const PyRef& other) : object_(Py_XNewRef(other.object_)) {}
  PyRef(PyRef&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  PyRef& operator=(PyRef other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~PyRef() { Py_XDECREF(object_); }

  PyObject* get() const { return object_; }
  PyObject* release() { return std::exchange(object_, nullptr); }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  explicit PyRef(PyObject* object) : object_(object) {}
  PyObject* object_ = nullptr;
};

inline void check(int result) {
  if (result < 0) throw PythonError();
}

inline PyRef attribute(PyObject* object, PyObject* name) {
  return PyRef::take(PyObject_GetAttr(object, name));
}
// Not through the class's own __setattr__.
inline void set_attribute(PyObject* object, PyObject* name, PyObject* value) {
  check(PyObject_GenericSetAttr(object, name, value));
}

// Sets the exception and throws.
[[noreturn]] inline void raise(PyObject* type, const std::string& message) {
  PyErr_SetString(type, message.c_str());
  throw PythonError();
}

// The class of Python exceptions that Error becomes; RuntimeError until one is bound.
PyObject* error_class();

// Runs an entry point of the extension: what it throws is a Python exception for the caller.
struct Guarded {
  template <typename Run>
  PyObject* operator()(Run&& run) const noexcept {
    try {
      PyRef result = run();
      return result.release();
    } catch (const PythonError&) {
    } catch (const polygraphy::Interrupted&) {
      PyErr_SetNone(PyExc_KeyboardInterrupt);
    } catch (const polygraphy::Error& error) {
      std::string text = error.what();
      if (!error.hint().empty()) text += "\n" + error.hint();
      PyErr_SetString(error_class(), text.c_str());
    } catch (const std::bad_alloc&) {
      PyErr_NoMemory();
    } catch (const std::exception& error) {
      PyErr_SetString(PyExc_RuntimeError, error.what());
    }
    return nullptr;
  }
};
inline constexpr Guarded guarded;

// One level of a recursion that follows objects of the user. Throws PythonError (RecursionError)
// where Python's own limit is reached.
class Recursion {
 public:
  explicit Recursion(const char* what) { check(Py_EnterRecursiveCall(what)); }
  ~Recursion() { Py_LeaveRecursiveCall(); }
  Recursion(const Recursion&) = delete;
  Recursion& operator=(const Recursion&) = delete;
};

// While many objects are made: they are all in use, so that a collection would find nothing.
class CollectionPause {
 public:
  CollectionPause();
  ~CollectionPause();
  CollectionPause(const CollectionPause&) = delete;
  CollectionPause& operator=(const CollectionPause&) = delete;

  // Counts objects that the collector looks after.
  static void made(int64_t objects) { made_ += objects; }

 private:
  static int64_t made_;
  bool was_enabled_;
  int64_t before_;
};

// While no Python object is read.
class WithoutGil {
 public:
  WithoutGil() : state_(PyEval_SaveThread()) {}
  // A daemon thread that comes back when the interpreter is gone is ended by unwinding, up to
  // Python 3.13, which no destructor lets pass: it sleeps on instead, as from 3.14 on.
  ~WithoutGil() {
    try {
      PyEval_RestoreThread(state_);
    } catch (...) {
      for (;;) pause();
    }
  }
  WithoutGil(const WithoutGil&) = delete;
  WithoutGil& operator=(const WithoutGil&) = delete;

 private:
  PyThreadState* state_;
};

// The result of `work`, which reads no Python object.
template <typename Work>
auto without_gil(Work work) {
  const WithoutGil released;
  return work();
}

}  // namespace native
