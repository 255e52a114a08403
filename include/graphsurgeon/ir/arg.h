// Argument of Graph::layer(), of registered operators and of attributes: a tensor, a number, a
// text, a list, an array … converted from the plain C++ value, so that calls read as in Python.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "base/arrays/array.h"
#include "graphsurgeon/ir/attribute.h"
#include "graphsurgeon/ir/graph.h"
#include "graphsurgeon/ir/object.h"
#include "graphsurgeon/ir/payloads/payload.h"

namespace graphsurgeon {

// The value of a node's attribute inside a function: the function's attribute `name`.
struct AttributeRef {
  std::string name;
  AttributeType type = AttributeType::kUndefined;
};

// Owns its value: texts and lists are copies, tensors and graphs are counted handles, arrays share
// their bytes. `{}` is an omitted optional input or output. The C++ type decides between integer
// and float; bool counts as integer. Converts implicitly, on purpose.
class Arg {
 public:
  using Value = std::variant<std::monostate, int64_t, double, std::string, std::vector<int64_t>,
                             std::vector<double>, std::vector<std::string>, TensorRef,
                             std::vector<TensorRef>, Array, PayloadPtr, GraphRef,
                             std::vector<GraphRef>, DataType, AttributeRef, Attribute>;

  Arg();
  template <std::integral T>
  Arg(T number) : Arg(kInteger, static_cast<int64_t>(number)) {}
  template <std::floating_point T>
  Arg(T number) : Arg(kFloat, static_cast<double>(number)) {}
  Arg(const char* text);
  Arg(std::string_view text);
  Arg(const std::string& text);
  template <std::integral T>
  Arg(std::initializer_list<T> list) : Arg(std::vector<int64_t>(list.begin(), list.end())) {}
  template <std::floating_point T>
  Arg(std::initializer_list<T> list) : Arg(std::vector<double>(list.begin(), list.end())) {}
  Arg(std::initializer_list<const char*> list);
  template <typename T>
    requires(std::integral<T> && !std::same_as<T, int64_t>)
  Arg(const std::vector<T>& list) : Arg(std::vector<int64_t>(list.begin(), list.end())) {}
  Arg(const std::vector<float>& list) : Arg(std::vector<double>(list.begin(), list.end())) {}
  Arg(std::vector<int64_t> list);
  Arg(std::vector<double> list);
  Arg(std::vector<std::string> list);
  Arg(TensorRef tensor);
  Arg(Tensor* tensor);
  Arg(Tensor& tensor);
  Arg(std::vector<TensorRef> tensors);
  Arg(const TensorList& tensors);  // all tensors of the list, as layer() returns it
  Arg(Array values);
  Arg(PayloadPtr values);
  Arg(GraphRef graph);
  Arg(std::vector<GraphRef> graphs);
  Arg(DataType type);  // the number of an element type, for attributes
  Arg(AttributeRef reference);
  Arg(Attribute attribute);  // an attribute, copied under another name
  Arg(const Arg&);
  Arg(Arg&&) noexcept;
  Arg& operator=(const Arg&);
  Arg& operator=(Arg&&) noexcept;
  ~Arg();

  const Value& value() const { return value_; }
  bool omitted() const { return std::holds_alternative<std::monostate>(value_); }
  // "a tensor", "an integer", "a list of floats" …
  std::string_view kind() const;

  // Converts to the parameter type of a registered operator. Throws Error that begins with `what`
  // ("argument 2 of 'clip'") for another kind. Integers convert to floats, a tensor to a list of
  // one.
  template <typename T>
  T to(std::string_view what) const;

 private:
  struct Integer {};
  struct Float {};
  static constexpr Integer kInteger{};
  static constexpr Float kFloat{};
  Arg(Integer, int64_t number);
  Arg(Float, double number);

  TensorRef to_tensor(std::string_view what) const;
  std::vector<TensorRef> to_tensors(std::string_view what) const;
  int64_t to_integer(std::string_view what) const;
  double to_float(std::string_view what) const;
  std::vector<int64_t> to_integers(std::string_view what) const;
  std::vector<double> to_floats(std::string_view what) const;
  std::string to_text(std::string_view what) const;
  std::vector<std::string> to_texts(std::string_view what) const;
  Array to_array(std::string_view what) const;
  [[noreturn]] void refuse(std::string_view what, std::string_view wanted) const;

  Value value_;
};

struct NamedArg {
  std::string_view name;
  Arg value;
};

// The attribute that `value` stands for: integers INT, floats FLOAT, texts STRING, lists INTS,
// FLOATS, STRINGS, arrays, payloads and constant tensors TENSOR (sparse ones SPARSE_TENSOR), graphs
// GRAPH and GRAPHS, element types INT. `store` keeps the texts. Throws Error naming the attribute
// for a value of another kind (an omitted value, a variable).
Attribute make_attribute(Store& store, std::string_view name, const Arg& value);

template <typename T>
T Arg::to(std::string_view what) const {
  if constexpr (std::same_as<T, Arg>) {
    return *this;
  } else if constexpr (std::same_as<T, TensorRef>) {
    return to_tensor(what);
  } else if constexpr (std::same_as<T, std::vector<TensorRef>>) {
    return to_tensors(what);
  } else if constexpr (std::same_as<T, bool>) {
    return to_integer(what) != 0;
  } else if constexpr (std::integral<T>) {
    return static_cast<T>(to_integer(what));
  } else if constexpr (std::floating_point<T>) {
    return static_cast<T>(to_float(what));
  } else if constexpr (std::same_as<T, std::vector<int64_t>>) {
    return to_integers(what);
  } else if constexpr (std::same_as<T, std::vector<double>>) {
    return to_floats(what);
  } else if constexpr (std::same_as<T, std::vector<float>>) {
    const std::vector<double> list = to_floats(what);
    return std::vector<float>(list.begin(), list.end());
  } else if constexpr (std::same_as<T, std::string>) {
    return to_text(what);
  } else if constexpr (std::same_as<T, std::vector<std::string>>) {
    return to_texts(what);
  } else {
    static_assert(std::same_as<T, Array>, "not a kind of parameter");
    return to_array(what);
  }
}

}  // namespace graphsurgeon
