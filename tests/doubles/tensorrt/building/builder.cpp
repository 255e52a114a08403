#include "building/builder.h"

#include <unistd.h>

#include <csignal>

#include "building/calibration.h"
#include "building/plan_of_network.h"
#include "building/tactics.h"
#include "failures.h"
#include "host_memory.h"
#include "registry.h"
#include "running/engine.h"

namespace tensorrt_double {
namespace {

using nvinfer1::Dims;
using nvinfer1::OptProfileSelector;

Refusal invalid(const std::string& text) {
  return {4, "API Usage Error", text};
}

constexpr std::array<OptProfileSelector, 3> kSelectors = {
    OptProfileSelector::kMIN, OptProfileSelector::kOPT, OptProfileSelector::kMAX};

// Checks that the profile of an input agrees with the network.
void check_dims(const TensorImpl& input, const ProfileRange* range, size_t profile) {
  const auto in_range = [&](OptProfileSelector select) {
    return range->dims[ProfileImpl::index(select)];
  };
  const bool is_dynamic = !is_static(input.dims);
  if (!range || !in_range(OptProfileSelector::kMIN)) {
    if (!is_dynamic) return;
    throw invalid(fmt::format("Dynamic input tensor {} is missing dimensions in profile {}.",
                              input.name, profile));
  }
  for (const OptProfileSelector select : kSelectors) {
    const Dims dims = *in_range(select);
    if (!is_dynamic && !same_dims(dims, input.dims)) {
      throw invalid(fmt::format(
          "Input tensor {} has static dimensions that don't match {} dimensions in profile index "
          "{}. Input dimensions are {} but profile dimensions are {}.",
          input.name, text_of(select), profile, text_of(input.dims), text_of(dims)));
    }
    if (dims.nbDims != input.dims.nbDims) {
      throw invalid(fmt::format(
          "Dynamic-shaped input tensor {} has {} dimensions but profile {} has {} dimensions.",
          input.name, input.dims.nbDims, profile, dims.nbDims));
    }
    for (int i = 0; i < dims.nbDims; ++i) {
      const int64_t wanted = input.dims.d[i];
      if (wanted < 0 || wanted == dims.d[i]) continue;
      throw invalid(fmt::format(
          "Dimension mismatch for tensor {} and profile {}. At dimension axis {}, profile has "
          "min={}, opt={}, max={} but tensor has {}.",
          input.name, profile, i, int64_t{in_range(OptProfileSelector::kMIN)->d[i]},
          int64_t{in_range(OptProfileSelector::kOPT)->d[i]},
          int64_t{in_range(OptProfileSelector::kMAX)->d[i]}, wanted));
    }
  }
}

void check_values(const TensorImpl& input, const ProfileRange* range, size_t profile) {
  if (!range || range->values[0].empty()) {
    throw invalid(
        fmt::format("Optimization profile {} is missing values for shape input tensor {}.", profile,
                    input.name));
  }
  const auto count = static_cast<int64_t>(range->values[0].size());
  if (!is_static(input.dims) || volume(input.dims) == count) return;
  throw invalid(fmt::format(
      "Optimization profile {} provides number of elements in shape tensor {} to be {}. This "
      "doesn't match product of tensor dimensions {}.",
      profile, input.name, count, text_of(input.dims)));
}

void check_profiles(const NetworkImpl& network, const ConfigImpl& config) {
  for (const nvinfer1::ITensor* tensor : network.inputs) {
    const TensorImpl& input = TensorObject::impl_of(*tensor);
    if ((input.is_shape || !is_static(input.dims)) && config.profiles.empty()) {
      throw invalid(
          "Network has dynamic or shape inputs, but no optimization profile has been defined.");
    }
    for (size_t i = 0; i < config.profiles.size(); ++i) {
      const auto& ranges = ProfileObject::impl_of(*config.profiles[i]).ranges;
      const auto found = ranges.find(input.name);
      const ProfileRange* range = found == ranges.end() ? nullptr : &found->second;
      if (input.is_shape) {
        check_values(input, range, i);
      } else {
        check_dims(input, range, i);
      }
    }
  }
}

void fail_if_told(const NetworkImpl& network) {
  if (shall_fail("crash")) std::raise(SIGSEGV);
  while (shall_fail("hang")) ::usleep(10000);
  if (shall_fail("out-of-memory")) {
    throw Refusal(2, "OutOfMemory", "Requested size was 17179869184 bytes.");
  }
  if (!shall_fail("no-kernel")) return;
  const std::optional<std::string> wanted = failure_argument("no-kernel");
  for (const LayerObject& layer : network.layers) {
    if (wanted && layer.impl->name != *wanted) continue;
    throw Refusal(10, "Internal Error",
                  fmt::format("Could not find any implementation for node {}.", layer.impl->name));
  }
}

// The phases of a build, for who watches it; throws where that one has had enough.
void report_progress(nvinfer1::IProgressMonitor* monitor, const NetworkImpl& network) {
  if (!monitor) return;
  const auto count = static_cast<int32_t>(network.layers.size());
  constexpr const char* kPhase = "Building engine";
  monitor->phaseStart(kPhase, nullptr, count);
  bool goes_on = true;
  for (int32_t i = 0; i < count && goes_on; ++i) goes_on = monitor->stepComplete(kPhase, i);
  monitor->phaseFinish(kPhase);
  if (!goes_on) throw Refusal(9, "Internal Error", "The build was cancelled.");
}

}  // namespace

std::string BuilderImpl::build(NetworkImpl& network, ConfigImpl& config) {
  if (network.outputs.empty()) throw invalid("Network must have at least one output.");
  check_profiles(network, config);
  fail_if_told(network);
  report_progress(config.monitor, network);
  calibrate(network, config);
  Plan plan = plan_of_network(network, config);
  choose_tactics(plan, config);
  return plan.encode();
}

nvinfer1::IHostMemory* BuilderImpl::buildSerializedNetwork(nvinfer1::INetworkDefinition& network,
                                                           nvinfer1::IBuilderConfig& config) {
  return log.guarded(
      "IBuilder::buildSerializedNetwork",
      [&] {
        return host_memory(build(NetworkObject::impl_of(network), ConfigObject::impl_of(config)));
      },
      static_cast<nvinfer1::IHostMemory*>(nullptr));
}

bool BuilderImpl::buildSerializedNetworkToStream(nvinfer1::INetworkDefinition& network,
                                                 nvinfer1::IBuilderConfig& config,
                                                 nvinfer1::IStreamWriter& writer) {
  return log.guarded(
      "IBuilder::buildSerializedNetworkToStream",
      [&] {
        const std::string plan =
            build(NetworkObject::impl_of(network), ConfigObject::impl_of(config));
        const auto size = static_cast<int64_t>(plan.size());
        return writer.write(plan.data(), size) == size;
      },
      false);
}

nvinfer1::ICudaEngine* BuilderImpl::buildEngineWithConfig(nvinfer1::INetworkDefinition& network,
                                                          nvinfer1::IBuilderConfig& config) {
  return log.guarded(
      "IBuilder::buildEngineWithConfig",
      [&] {
        return engine_from_plan(
            build(NetworkObject::impl_of(network), ConfigObject::impl_of(config)), log);
      },
      static_cast<nvinfer1::ICudaEngine*>(nullptr));
}

nvinfer1::IPluginRegistry& BuilderImpl::getPluginRegistry() const {
  return plugin_registry();
}

}  // namespace tensorrt_double
