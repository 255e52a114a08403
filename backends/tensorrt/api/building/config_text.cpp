#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "tensorrt/api/building/config.h"
#include "tensorrt/api/names.h"

namespace tensorrt::TENSORRT_FAMILY {
namespace {

constexpr size_t kTitleWidth = 22;

std::string line(std::string title, const std::string& value) {
  title.resize(kTitleWidth, ' ');
  return title + " | " + value + "\n";
}

std::string bracketed(const std::vector<std::string>& words) {
  std::string text = "[";
  for (const std::string& word : words) text += (text.size() > 1 ? ", " : "") + word;
  return text + "]";
}

std::string mebibytes(size_t bytes) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.2f MiB", static_cast<double>(bytes) / (1 << 20));
  return text;
}

}  // namespace

std::string config_text(nv::IBuilderConfig& config, const nv::INetworkDefinition& network) {
  std::vector<std::string> flags, pools, sources, features;
  for (const auto& flag : names<nv::BuilderFlag>()) {
    if (config.getFlag(flag.value)) flags.emplace_back(flag.name);
  }
  for (std::string& flag : flags_of(network)) flags.push_back(std::move(flag));
  const bool dla = config.getDefaultDeviceType() == nv::DeviceType::kDLA;
  for (const auto& pool : names<nv::MemoryPoolType>()) {
    if (dla || !pool.name.starts_with("DLA")) {
      pools.push_back(std::string(pool.name) + ": " +
                      mebibytes(config.getMemoryPoolLimit(pool.value)));
    }
  }
  const uint32_t mask = config.getTacticSources();
  for (const auto& source : names<nv::TacticSource>()) {
    if (mask & (1U << static_cast<uint32_t>(source.value))) sources.emplace_back(source.name);
  }
  for (const auto& feature : names<nv::PreviewFeature>()) {
    if (config.getPreviewFeature(feature.value)) features.emplace_back(feature.name);
  }
  std::string text = line("Flags", bracketed(flags));
  text += line("Engine Capability", enum_text(config.getEngineCapability()));
  text += line("Memory Pools", bracketed(pools));
  text += line("Tactic Sources", bracketed(sources));
  if (dla)
    text += line("DLA", "Default Device Type: DLA, Core: " + std::to_string(config.getDLACore()));
  text += line("Profiling Verbosity", enum_text(config.getProfilingVerbosity()));
  if (config.getNbOptimizationProfiles() > 1) {
    text += line("Optimization Profiles",
                 std::to_string(config.getNbOptimizationProfiles()) + " profile(s)");
  }
  text += line("Preview Features", bracketed(features));
  text.pop_back();
  return text;
}

}  // namespace tensorrt::TENSORRT_FAMILY
