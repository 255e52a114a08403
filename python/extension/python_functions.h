// Functions of C++ as functions, methods and properties of the extension. They return PyRef and
// throw; the types of their parameters say which arguments Python gives.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>

#include "python_values.h"

namespace native {

// A text, or null for None.
struct TextOrNone {
  const char* text;
};

// An argument that callers may leave out, like all after it; empty then.
template <typename T>
struct Optional {
  T given;
};

// How PyArg_ParseTuple() reads an argument: its unit of the format, and the type of the variable.
template <char unit, typename T>
struct Unit {
  static constexpr char kUnit = unit;
  static constexpr bool kIsOptional = false;
  T variable{};
  T value() const { return variable; }
};
template <typename T>
struct Argument;
template <>
struct Argument<PyObject*> : Unit<'O', PyObject*> {};
template <>
struct Argument<const char*> : Unit<'s', const char*> {};
template <>
struct Argument<TextOrNone> : Unit<'z', const char*> {
  TextOrNone value() const { return {variable}; }
};
template <typename T>
struct Argument<Optional<T>> : Argument<T> {
  static constexpr bool kIsOptional = true;
};
template <>
struct Argument<bool> : Unit<'p', int> {};
template <>
struct Argument<int> : Unit<'i', int> {};
template <>
struct Argument<int64_t> : Unit<'L', long long> {};
template <>
struct Argument<double> : Unit<'d', double> {};
template <>
struct Argument<std::optional<int64_t>> : Unit<'O', PyObject*> {
  std::optional<int64_t> value() const {
    return variable == Py_None ? std::nullopt : std::optional(to_int64(variable));
  }
};

// The items of a tuple, by their types; objects are borrowed. Throws PythonError for another tuple.
template <typename... Items>
std::tuple<Items...> items_of(PyObject* tuple) {
  static const std::string kFormat =
      (std::string() + ... +
       (std::string(Argument<Items>::kIsOptional ? "|" : "") + Argument<Items>::kUnit));
  return std::apply(
      [&](auto... read) {
        if (PyArg_ParseTuple(tuple, kFormat.c_str(), &read.variable...) == 0) throw PythonError();
        return std::tuple<Items...>{Items(read.value())...};
      },
      std::tuple<Argument<Items>...>());
}

template <auto function, auto guard, typename... Arguments>
struct Entry {
  static constexpr bool kTakesObject =
      std::is_same_v<std::tuple<Arguments...>, std::tuple<PyObject*>>;

  static PyObject* call(PyObject* self, PyObject* given) {
    return guard([&] {
      if constexpr (sizeof...(Arguments) == 0) {
        return function(self);
      } else if constexpr (kTakesObject) {
        return function(self, given);
      } else {
        return std::apply(function,
                          std::tuple_cat(std::tuple(self), items_of<Arguments...>(given)));
      }
    });
  }
  static constexpr int kForm = sizeof...(Arguments) == 0 ? METH_NOARGS
                               : kTakesObject            ? METH_O
                                                         : METH_VARARGS;
};
template <auto function, auto guard, typename... Arguments>
Entry<function, guard, Arguments...> entry_of(PyRef (*)(PyObject*, Arguments...));

// For a PyMethodDef: `function`, whose exceptions `guard` makes Python's, and the flags by which it
// gets its arguments.
template <auto function, auto guard = guarded>
constexpr PyCFunction entry = decltype(entry_of<function, guard>(function))::call;
template <auto function>
constexpr int form = decltype(entry_of<function, guarded>(function))::kForm;

// For a PyGetSetDef: PyRef function(PyObject* self).
template <auto function>
PyObject* get(PyObject* self, void*) {
  return guarded([&] { return function(self); });
}

}  // namespace native
