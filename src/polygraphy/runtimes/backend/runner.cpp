#include "polygraphy/runtimes/backend/runner.h"

#include <fmt/format.h>

#include <string_view>

#include "base/log_modules.h"
#include "base/os/crash_message.h"
#include "base/progress.h"
#include "polygraphy/data/tensors/flat_names.h"

namespace polygraphy {
namespace {

// Names as the original prints its sets: {'x', 'y'}.
std::string name_set(const std::vector<std::string>& names) {
  if (names.empty()) return "set()";
  std::string text = "{";
  for (const std::string& name : names) {
    if (text.size() > 1) text += ", ";
    text += '\'' + name + '\'';
  }
  return text + "}";
}

template <typename T>
std::vector<std::string> names_of(const OrderedMap<T>& map) {
  std::vector<std::string> names;
  for (const auto& entry : map) names.push_back(entry.first);
  return names;
}

void check_names(const ValueMap& feeds, const Metadata& inputs) {
  std::vector<std::string> missing, extra;
  for (const auto& entry : inputs) {
    if (!feeds.contains(entry.first)) missing.push_back(entry.first);
  }
  for (const auto& entry : feeds) {
    if (!inputs.contains(entry.first)) extra.push_back(entry.first);
  }
  if (missing.empty() && extra.empty()) return;
  const std::string problem =
      !missing.empty()
          ? fmt::format("The following inputs were not found in input data: {}.", name_set(missing))
          : fmt::format("Extra inputs in input data: {}.", name_set(extra));
  throw Error(fmt::format("{}\nNote: inputs requested were: {}, but all inputs are: {}", problem,
                          name_set(names_of(inputs)), name_set(names_of(feeds))));
}

// Same rank, and every dimension that the model fixes is met.
bool fits(const Shape& shape, const std::optional<DimList>& expected) {
  if (!expected) return true;
  if (shape.size() != expected->size()) return false;
  for (size_t i = 0; i < shape.size(); ++i) {
    const Dim& dim = (*expected)[i];
    if (dim.is_static() && dim.value() != shape[i]) return false;
  }
  return true;
}

void check_tensor(const std::string& name, const Array& array, const TensorInfo& expected) {
  if (expected.dtype != DataType::kUndefined && array.dtype() != expected.dtype) {
    throw Error(
        fmt::format("Input tensor: {} | Received unexpected dtype: {}.\nNote: Expected type: {}",
                    name, name_of(array.dtype()), name_of(expected.dtype)));
  }
  if (!fits(array.shape(), expected.shape)) {
    const DimList shape(array.shape().begin(), array.shape().end());
    throw Error(
        fmt::format("Input tensor: {} | Received incompatible shape: {}.\nNote: Expected a shape "
                    "compatible with: {}",
                    name, shape_text(shape), shape_text(*expected.shape)));
  }
}

const char* name_of(ValueKind kind) {
  switch (kind) {
    case ValueKind::kSequence:
      return "sequence";
    case ValueKind::kMap:
      return "map";
    case ValueKind::kOptional:
      return "optional";
    default:
      return "tensor";
  }
}

// Of two runners with the same model, one may take a sequence where the other takes a tensor.
void check_kind(const std::string& runner, const std::string& name, const Value& value,
                const TensorInfo& expected) {
  const bool takes = value.is_absent() ? expected.kind == ValueKind::kOptional
                                       : value.as_tensor() || expected.kind != ValueKind::kTensor;
  if (takes) return;
  throw RunnerFailure(
      fmt::format("{} | Input tensor: {} | Received unexpected kind: {}.\nNote: Expected kind: {}",
                  runner, name, name_of(value.kind()), name_of(expected.kind)));
}

void check_value(const std::string& name, const Value& value, const TensorInfo& expected) {
  if (const Array* tensor = value.as_tensor()) return check_tensor(name, *tensor, expected);
  const Value::Sequence* items = value.as_sequence();
  const TensorInfo each{expected.dtype, std::nullopt, {}};
  for (size_t i = 0; items && i < items->size(); ++i) {
    if (const Array* tensor = (*items)[i].as_tensor()) {
      check_tensor(item_name(name, i), *tensor, each);
    }
  }
}

}  // namespace

void Runner::activate() {
  if (active_) {
    if (log_)
      log_->warning(log_modules::kRunner,
                    fmt::format("{:35} | Already active; will not activate again. ", name_));
    return;
  }
  const CrashContext context(name_, "was activated");
  const ProgressPhase phase(name_ + " | loading");
  activate_impl();
  active_ = true;
}

void Runner::deactivate() noexcept {
  if (!active_) {
    if (log_)
      log_->warning(log_modules::kRunner,
                    fmt::format("{:35} | Not active; will not deactivate. ", name_));
    return;
  }
  active_ = false;
  seconds_ = 0;
  inputs_.reset();
  const CrashContext context(name_, "was closed");
  deactivate_impl();
}

const Metadata& Runner::input_metadata() {
  if (!active_) {
    throw Error(
        fmt::format("{:35} | Must be activated prior to calling get_input_metadata()", name_));
  }
  if (!inputs_) inputs_ = std::make_unique<Metadata>(input_metadata_impl());
  return *inputs_;
}

std::vector<NodeTime> Runner::node_times() {
  throw Error(fmt::format("{} | Cannot time single nodes", name_));
}

ValueMap Runner::infer(const ValueMap& feeds) {
  if (!active_)
    throw Error(fmt::format("{:35} | Must be activated prior to calling infer()", name_));
  const Metadata& inputs = input_metadata();
  if (log_ && log_->enabled(Severity::kVerbose, log_modules::kRunner)) {
    log_->verbose(log_modules::kRunner,
                  fmt::format("{:35} | Input metadata is: {}", name_, to_text(inputs)), Once::kYes);
  }
  check_names(feeds, inputs);
  for (const auto& [name, value] : feeds) {
    const TensorInfo& expected = *inputs.find(name);
    check_kind(name_, name, value, expected);
    check_value(name, value, expected);
  }
  const CrashContext context(name_, "ran the model");
  const ProgressPhase phase(name_ + " | running");  // says which one hangs
  Inference inference = infer_impl(feeds);
  seconds_ = inference.seconds;
  return std::move(inference.outputs);
}

}  // namespace polygraphy
