#include "polygraphy/runtimes/backend/onnxrt_evaluator.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>

#include "base/error.h"
#include "polygraphy/runtimes/backend/bundled_runtime.h"
#include "polygraphy/runtimes/backend/instance.h"

namespace polygraphy {
namespace {

// Whether `array` lies in the bytes of a feed: an output that is an input comes back as it went in.
bool shares_bytes(const Array& array, const ArrayMap& feeds) {
  const std::less<const std::byte*> before;
  if (array.dtype() == DataType::kString || array.nbytes() == 0) return false;
  for (const auto& [name, feed] : feeds) {
    if (feed.dtype() == DataType::kString || feed.nbytes() == 0) continue;
    if (!before(array.data(), feed.data()) && before(array.data(), feed.data() + feed.nbytes())) {
      return true;
    }
  }
  return false;
}

}  // namespace

OnnxrtEvaluator::OnnxrtEvaluator(BundledRuntime& runtime) : runtime_(runtime) {}
OnnxrtEvaluator::OnnxrtEvaluator(PluginPaths paths, Logger& log, CancelToken cancel,
                                 CallLimits limits)
    : own_(std::make_unique<BundledRuntime>(std::move(paths), log, cancel)),
      runtime_(*own_),
      limits_(limits) {}
OnnxrtEvaluator::~OnnxrtEvaluator() = default;

CallLimits OnnxrtEvaluator::limits_with(std::optional<int64_t> memory_limit) {
  constexpr uint64_t kSession = uint64_t{64} << 20;
  CallLimits limits = kLimits;
  if (memory_limit) limits.bytes = std::min(limits.bytes, *memory_limit + kSession);
  return limits;
}

int64_t OnnxrtEvaluator::sessions() const {
  return runtime_.sessions();
}

std::vector<Array> OnnxrtEvaluator::evaluate(
    const graphsurgeon::Model& region, const std::vector<std::pair<std::string, Array>>& feeds) {
  ArrayMap inputs;
  for (const auto& [name, values] : feeds) {
    if (!onnxrt_takes(values.dtype())) {
      throw Error(fmt::format("tensor '{}' has type {}, which ONNX Runtime does not support", name,
                              name_of(values.dtype())));
    }
    // Aligned here, so that shares_bytes() compares with the bytes that the session reads.
    inputs.set(name, values.dtype() == DataType::kString ? values : values.contiguous_aligned());
  }

  uint64_t bytes = 0;
  for (const auto& [name, values] : inputs) bytes += static_cast<uint64_t>(values.nbytes());
  CallLimits limits = limits_;
  if (limits.bytes >= kLimits.bytes) {
    limits.bytes = std::max(limits.bytes, 8 * bytes);
  } else if (limits.bytes > 0) {
    limits.bytes += bytes;
  }
  const LimitedCalls limited(runtime_, limits);  // others share the runtime without them
  const auto begin = std::chrono::steady_clock::now();
  std::unique_ptr<BackendSession> session;
  ValueMap outputs;
  try {
    session = runtime_.load(region);
    outputs = run_model(*session, values_of(inputs), "computed constants");
  } catch (const Error&) {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
    if (limits_.seconds > 1 && passed.count() > limits_.seconds)
      limits_.seconds = std::max(limits_.seconds / 2, 1.0);
    throw;
  }

  std::vector<Array> results;
  results.reserve(region.graph->outputs().size());
  for (const graphsurgeon::TensorRef& output : region.graph->outputs()) {
    const Value* value = outputs.find(output->name());
    const Array* values = value ? value->as_tensor() : nullptr;
    if (!values) {
      throw Error(fmt::format(
          "ONNX Runtime returned no tensor for '{}': it is a sequence, a map or an empty optional",
          output->name()));
    }
    results.push_back(shares_bytes(*values, inputs) ? values->clone() : *values);
  }
  return results;
}

}  // namespace polygraphy
