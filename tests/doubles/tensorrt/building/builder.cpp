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

bool is_dynamic(const TensorImpl& input) {
  return !is_static(input.dims);
}

// What the profile says of an input agrees with what the network says of it.
void check_range(const TensorImpl& input, const ProfileRange& range, size_t profile) {
  static constexpr std::array<const char*, 3> kNames = {"kMIN", "kOPT", "kMAX"};
  static constexpr std::array<OptProfileSelector, 3> kSelectors = {
      OptProfileSelector::kMIN, OptProfileSelector::kOPT, OptProfileSelector::kMAX};
  for (size_t i = 0; i < kNames.size(); ++i) {
    const auto& dims = range.dims[ProfileImpl::index(kSelectors[i])];
    if (!dims) {
      throw invalid(fmt::format("{}: dynamic input is missing dimensions in profile {}.",
                                input.name, profile));
    }
    bool agrees = dims->nbDims == input.dims.nbDims;
    for (int d = 0; agrees && d < dims->nbDims; ++d) {
      agrees = input.dims.d[d] < 0 || input.dims.d[d] == dims->d[d];
    }
    if (!agrees) {
      throw invalid(
          fmt::format("{}: {} dimensions in profile {} are {} but input has static "
                      "dimensions {}.",
                      input.name, kNames[i], profile, text_of(*dims), text_of(input.dims)));
    }
  }
}

void check_profiles(const NetworkImpl& network, const ConfigImpl& config) {
  for (const nvinfer1::ITensor* tensor : network.inputs) {
    const TensorImpl& input = TensorObject::impl_of(*tensor);
    if (!is_dynamic(input) && !input.is_shape) continue;
    if (config.profiles.empty()) {
      throw invalid(
          "Network has dynamic or shape inputs, but no optimization profile has been "
          "defined.");
    }
    for (size_t i = 0; i < config.profiles.size(); ++i) {
      const auto& ranges = ProfileObject::impl_of(*config.profiles[i]).ranges;
      const auto found = ranges.find(input.name);
      if (found == ranges.end()) {
        throw invalid(
            fmt::format("{}: dynamic input is missing dimensions in profile {}.", input.name, i));
      }
      if (input.is_shape && !found->second.values[0].empty()) continue;
      if (is_dynamic(input)) check_range(input, found->second, i);
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
