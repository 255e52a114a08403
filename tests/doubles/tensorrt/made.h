// Objects of TensorRT's interfaces, made of plain classes.
//
// An interface of TensorRT is a class of inline functions that call the virtual functions of an
// implementation, to which it has a pointer. Here that implementation is ForwardV...<Impl>
// (generated), which calls the functions of Impl that have the same name.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

namespace tensorrt_double {

// Records a call of a function that the double lacks.
void say_not_implemented(const char* function);
[[noreturn]] void stop_not_implemented(const char* function);

template <class Result>
Result not_implemented(const char* function) {
  if constexpr (std::is_reference_v<Result>) {
    stop_not_implemented(function);
  } else {
    say_not_implemented(function);
    if constexpr (!std::is_void_v<Result>) return Result{};
  }
}

// A number that the caller wants as one or the other enumeration.
struct AnyNumber {
  int64_t value;
  template <class T>
  operator T() const {  // NOLINT(google-explicit-constructor)
    return static_cast<T>(value);
  }
};

// An object of Interface; delete frees it, as programs do.
template <class Interface, class Forward>
class Made final : public Interface {
 public:
  template <class... A>
  explicit Made(A&&... arguments) : forward_(std::forward<A>(arguments)...) {
    this->mImpl = &forward_;
    if constexpr (requires { forward_.impl.self = this; }) forward_.impl.self = this;
  }
  auto& impl() const { return forward_.impl; }
  static auto& impl_of(const Interface& object) { return static_cast<const Made&>(object).impl(); }

 private:
  Forward forward_;
};

// The same for a layer: what all layers have, and what its type has.
template <class Interface, class ForwardLayer, class ForwardType>
class MadeLayer final : public Interface {
 public:
  MadeLayer(auto&& layer, auto&& type) : layer_(layer), type_(type) {
    this->mLayer = &layer_;
    this->mImpl = &type_;
  }
  auto& layer() { return layer_.impl; }

 private:
  ForwardLayer layer_;
  ForwardType type_;
};

}  // namespace tensorrt_double
