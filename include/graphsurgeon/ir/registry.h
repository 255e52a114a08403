// Custom operators: registered by name, called on any graph.
//
//   register_op("leaky_relu", [](Graph& graph, TensorRef x, double alpha) {
//     return graph.layer({.op = "LeakyRelu", .inputs = {x}, .outputs = {"leaky_out"},
//                         .attrs = {{"alpha", alpha}}})[0];
//   });
//   model.graph->mutable_outputs() = model.call("leaky_relu", x, 0.01);
//
// If the program knows the name at compile time, a plain function on Graph& does the same.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/log.h"
#include "graphsurgeon/ir/arg.h"
#include "graphsurgeon/ir/graph.h"

namespace graphsurgeon {

using RegisteredOp = std::function<std::vector<TensorRef>(Graph&, std::span<const Arg>)>;

struct RegisterOptions {
  std::vector<int64_t> opsets = {};  // exactly these; empty: all
};

namespace registry_detail {

template <typename T>
struct is_optional : std::false_type {};
template <typename T>
struct is_optional<std::optional<T>> : std::true_type {};

[[noreturn]] void wrong_count(const std::string& name, size_t given, size_t least, size_t most);

inline std::vector<TensorRef> to_tensors(std::vector<TensorRef> tensors) {
  return tensors;
}
inline std::vector<TensorRef> to_tensors(TensorRef tensor) {
  return {std::move(tensor)};
}
inline std::vector<TensorRef> to_tensors(const TensorList& tensors) {
  return tensors.snapshot();
}

// Trailing parameters of type std::optional may be left out.
template <typename T>
T parameter(const std::string& name, std::span<const Arg> args, size_t i) {
  const std::string what = "argument " + std::to_string(i) + " of '" + name + "'";
  if constexpr (is_optional<T>::value) {
    if (i >= args.size() || args[i].omitted()) return std::nullopt;
    return args[i].to<typename T::value_type>(what);
  } else {
    return args[i].to<T>(what);
  }
}

template <typename F, typename R, typename... P>
RegisteredOp wrap(std::string name, F function, R (*)(Graph&, P...)) {
  return [name = std::move(name), function = std::move(function)](
             Graph& graph, std::span<const Arg> args) -> std::vector<TensorRef> {
    constexpr size_t kMost = sizeof...(P);
    constexpr size_t kLeast = (size_t{!is_optional<std::decay_t<P>>::value} + ... + 0);
    if (args.size() < kLeast || args.size() > kMost) {
      wrong_count(name, args.size(), kLeast, kMost);
    }
    return [&]<size_t... I>(std::index_sequence<I...>) -> std::vector<TensorRef> {
      std::tuple<std::decay_t<P>...> values{parameter<std::decay_t<P>>(name, args, I)...};
      if constexpr (std::is_void_v<R>) {
        function(graph, std::move(std::get<I>(values))...);
        return {};
      } else {
        return to_tensors(function(graph, std::move(std::get<I>(values))...));
      }
    }(std::index_sequence_for<P...>{});
  };
}

template <typename F, typename R, typename... P>
auto signature(R (F::*)(Graph&, P...) const) -> R (*)(Graph&, P...);
template <typename F, typename R, typename... P>
auto signature(R (F::*)(Graph&, P...)) -> R (*)(Graph&, P...);

template <typename F>
RegisteredOp erase(std::string name, F function) {
  if constexpr (std::is_invocable_r_v<std::vector<TensorRef>, F&, Graph&, std::span<const Arg>>) {
    return std::move(function);
  } else if constexpr (std::is_pointer_v<F>) {
    return wrap(std::move(name), function, function);
  } else {
    using Signature = decltype(signature(&F::operator()));
    return wrap(std::move(name), std::move(function), Signature{nullptr});
  }
}

}  // namespace registry_detail

// Operators by name and opset. call_op() takes any table; register_op() and Model::call() use the
// table of the process, which a lock guards. Registered functions run in the thread of the call.
class OpRegistry {
 public:
  static OpRegistry& of_process();

  // Replaces the operator registered under the name for these opsets (or for all).
  void add(std::string_view name, RegisteredOp op, const RegisterOptions& options = {});
  // The operator for exactly this opset, else for all opsets; null if neither exists.
  RegisteredOp find(std::string_view name, int64_t opset) const;
  // The opsets that the name is registered for, ascending; a registration for all opsets is left
  // out.
  std::vector<int64_t> opsets_of(std::string_view name) const;
  bool for_all_opsets(std::string_view name) const;

  OpRegistry();
  ~OpRegistry();
  OpRegistry(const OpRegistry&) = delete;
  OpRegistry& operator=(const OpRegistry&) = delete;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// `function` takes Graph& and then results of Arg::to() (TensorRef, std::vector<TensorRef>,
// numbers, texts, lists, Array; Arg itself takes anything), optional trailing ones as
// std::optional; or Graph& and std::span<const Arg>. It returns a TensorRef, a Tensor*, a
// TensorList&, a vector of TensorRefs or nothing.
template <typename F>
void register_op(std::string_view name, F function, const RegisterOptions& options = {}) {
  OpRegistry::of_process().add(name, registry_detail::erase(std::string(name), std::move(function)),
                               options);
}

// Calls the operator `name` on `graph`, a graph or function of `model`: the operator registered for
// the opset of the model (or of the function), else the one registered for all, else the model's
// first function of that name, which gets the arguments as inputs. If several match, it calls the
// first and warns `logger` (may be null), once per logger. Throws Error for an unknown name (with
// the opsets it is registered for) and for arguments that do not fit.
std::vector<TensorRef> call_op(const OpRegistry& registry, Model& model, Graph& graph,
                               std::string_view name, std::span<const Arg> args,
                               polygraphy::Logger* logger = nullptr);

template <typename... Args>
std::vector<TensorRef> Model::call(std::string_view name, Args&&... args) {
  const std::vector<Arg> list{Arg(std::forward<Args>(args))...};
  return call_op(OpRegistry::of_process(), *this, *graph, name, list);
}

// The same on a subgraph or in the body of a function.
template <typename... Args>
std::vector<TensorRef> call_in(Model& model, Graph& graph, std::string_view name, Args&&... args) {
  const std::vector<Arg> list{Arg(std::forward<Args>(args))...};
  return call_op(OpRegistry::of_process(), model, graph, name, list);
}

}  // namespace graphsurgeon
