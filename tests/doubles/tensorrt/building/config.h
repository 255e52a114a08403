// The builder's configuration: stores and returns settings.
#pragma once

#include <NvInfer.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "building/profile.h"
#include "building/timing_cache.h"
#include "forward.h"
#include "log.h"
#include "types.h"

// Declared here for headers that have no calibrators: the type is then never complete.
namespace nvinfer1 {
class IInt8Calibrator;
}  // namespace nvinfer1

namespace tensorrt_double {

struct ConfigImpl {
  explicit ConfigImpl(Log l) : log(l) { reset(); }
  nvinfer1::IBuilderConfig* self = nullptr;
  Log log;

  uint32_t flags = 0, quantization_flags = 0, tactic_sources = 0;
  int32_t average_iterations = 1, dla_core = 0, level = 3, aux_streams = -1, max_tactics = -1;
  int64_t l2_limit = 0;
  std::map<nvinfer1::MemoryPoolType, size_t> pools;
  std::map<nvinfer1::PreviewFeature, bool> previews;
  std::map<const nvinfer1::ILayer*, nvinfer1::DeviceType> devices;
  std::vector<const nvinfer1::IOptimizationProfile*> profiles;
  const nvinfer1::IOptimizationProfile* calibration_profile = nullptr;
  std::unique_ptr<TimingCacheObject> timing_cache;
  std::vector<std::string> plugins_to_serialize;
  std::vector<int> capabilities;
  std::string auto_tuning, build_route;
  cudaStream_t profile_stream = nullptr;
  nvinfer1::IInt8Calibrator* calibrator = nullptr;
  void* algorithm_selector = nullptr;
  nvinfer1::IProgressMonitor* monitor = nullptr;
  nvinfer1::EngineCapability capability{};
  nvinfer1::DeviceType default_device{};
  nvinfer1::ProfilingVerbosity verbosity{};
  nvinfer1::HardwareCompatibilityLevel hardware{};
  nvinfer1::RuntimePlatform platform{};
  nvinfer1::TilingOptimizationLevel tiling{};

  bool flag(const char* name) const { return has_bit<nvinfer1::BuilderFlag>(flags, name); }

  void reset() {
    for (int bit = 0; bit < 32; ++bit) {
      const char* name = name_of(static_cast<nvinfer1::BuilderFlag>(bit));
      if (name && std::string(name) == "kTF32") flags = 1U << bit;
    }
    for (int bit = 0; bit < 32; ++bit) {
      if (name_of(static_cast<nvinfer1::TacticSource>(bit))) tactic_sources |= 1U << bit;
    }
  }
  void setAvgTimingIterations(int32_t value) { average_iterations = value; }
  int32_t getAvgTimingIterations() const { return average_iterations; }
  void setEngineCapability(nvinfer1::EngineCapability value) { capability = value; }
  nvinfer1::EngineCapability getEngineCapability() const { return capability; }
  void setInt8Calibrator(auto* value) { calibrator = value; }
  void setFlags(uint32_t value) { flags = value; }
  uint32_t getFlags() const { return flags; }
  void clearFlag(nvinfer1::BuilderFlag value) { flags &= ~(1U << static_cast<int>(value)); }
  void setFlag(nvinfer1::BuilderFlag value) { flags |= 1U << static_cast<int>(value); }
  bool getFlag(nvinfer1::BuilderFlag value) const { return flags >> static_cast<int>(value) & 1; }
  void setDeviceType(const nvinfer1::ILayer* layer, nvinfer1::DeviceType type) {
    devices[layer] = type;
  }
  nvinfer1::DeviceType getDeviceType(const nvinfer1::ILayer* layer) const {
    const auto found = devices.find(layer);
    return found == devices.end() ? default_device : found->second;
  }
  bool isDeviceTypeSet(const nvinfer1::ILayer* layer) const { return devices.contains(layer); }
  void resetDeviceType(const nvinfer1::ILayer* layer) { devices.erase(layer); }
  bool canRunOnDLA(const nvinfer1::ILayer*) const { return false; }
  void setDLACore(int32_t value) { dla_core = value; }
  int32_t getDLACore() const { return dla_core; }
  void setDefaultDeviceType(nvinfer1::DeviceType type) { default_device = type; }
  nvinfer1::DeviceType getDefaultDeviceType() const { return default_device; }
  void setProfileStream(cudaStream_t stream) { profile_stream = stream; }
  cudaStream_t getProfileStream() const { return profile_stream; }
  int32_t addOptimizationProfile(const nvinfer1::IOptimizationProfile* profile) {
    const std::string input = ProfileObject::impl_of(*profile).contradiction();
    if (!input.empty()) {
      log.error(4, fmt::format("IOptimizationProfile::isValid: Error Code 4: API Usage Error "
                               "(Invalid optimization profiles for input tensors {}, please ensure "
                               "that the optimization profiles satisfy MIN<=OPT<=MAX.)",
                               input));
      log.error(3,
                "IBuilderConfig::addOptimizationProfile: Error Code 3: API Usage Error "
                "(Parameter check failed, condition: profile->isValid(). )");
      return -1;
    }
    profiles.push_back(profile);
    return static_cast<int32_t>(profiles.size()) - 1;
  }
  int32_t getNbOptimizationProfiles() const { return static_cast<int32_t>(profiles.size()); }
  void setProfilingVerbosity(nvinfer1::ProfilingVerbosity value) { verbosity = value; }
  nvinfer1::ProfilingVerbosity getProfilingVerbosity() const { return verbosity; }
  void setAlgorithmSelector(auto* value) { algorithm_selector = static_cast<void*>(value); }
  bool setCalibrationProfile(const nvinfer1::IOptimizationProfile* profile) {
    calibration_profile = profile;
    return true;
  }
  const nvinfer1::IOptimizationProfile* getCalibrationProfile() const {
    return calibration_profile;
  }
  void setQuantizationFlags(uint32_t value) { quantization_flags = value; }
  uint32_t getQuantizationFlags() const { return quantization_flags; }
  void setQuantizationFlag(auto value) { quantization_flags |= 1U << static_cast<int>(value); }
  void clearQuantizationFlag(auto value) { quantization_flags &= ~(1U << static_cast<int>(value)); }
  bool getQuantizationFlag(auto value) const {
    return quantization_flags >> static_cast<int>(value) & 1;
  }
  bool setTacticSources(uint32_t value) { return tactic_sources = value, true; }
  uint32_t getTacticSources() const { return tactic_sources; }
  nvinfer1::ITimingCache* createTimingCache(const void* blob, size_t size) const {
    auto cache = std::make_unique<TimingCacheObject>();
    if (!cache->impl().read(blob, size)) {
      log.warning("Failed to deserialize timing cache. Returning an empty timing cache.");
      cache->impl().tactics.clear();
    }
    return cache.release();
  }
  bool setTimingCache(const nvinfer1::ITimingCache& cache, bool) {
    timing_cache = std::make_unique<TimingCacheObject>(TimingCacheObject::impl_of(cache));
    return true;
  }
  const nvinfer1::ITimingCache* getTimingCache() const { return timing_cache.get(); }
  void setMemoryPoolLimit(nvinfer1::MemoryPoolType pool, size_t size) { pools[pool] = size; }
  size_t getMemoryPoolLimit(nvinfer1::MemoryPoolType pool) const {
    const auto found = pools.find(pool);
    return found == pools.end() ? size_t{1} << 36 : found->second;
  }
  void setPreviewFeature(nvinfer1::PreviewFeature feature, bool on) { previews[feature] = on; }
  bool getPreviewFeature(nvinfer1::PreviewFeature feature) const {
    const auto found = previews.find(feature);
    return found != previews.end() && found->second;
  }
  // Without a word, as the library does.
  void setBuilderOptimizationLevel(int32_t value) { level = std::clamp(value, 0, 5); }
  int32_t getBuilderOptimizationLevel() const { return level; }
  void setHardwareCompatibilityLevel(nvinfer1::HardwareCompatibilityLevel value) {
    hardware = value;
  }
  nvinfer1::HardwareCompatibilityLevel getHardwareCompatibilityLevel() const { return hardware; }
  void setPluginsToSerialize(const char* const* paths, int32_t count) {
    plugins_to_serialize.assign(paths, paths + count);
  }
  const char* getPluginToSerialize(int32_t index) const {
    return plugins_to_serialize[static_cast<size_t>(index)].c_str();
  }
  int32_t getNbPluginsToSerialize() const {
    return static_cast<int32_t>(plugins_to_serialize.size());
  }
  // Gives back nothing in one version, and success in others.
  bool setMaxAuxStreams(int32_t value) {
    if (value < 0) log.warning(fmt::format("nbStreams {} should not be negative", value));
    if (value >= 0) aux_streams = value;
    return value >= 0;
  }
  int32_t getMaxAuxStreams() const { return aux_streams; }
  void setProgressMonitor(nvinfer1::IProgressMonitor* value) { monitor = value; }
  nvinfer1::IProgressMonitor* getProgressMonitor() const { return monitor; }
  void setRuntimePlatform(nvinfer1::RuntimePlatform value) { platform = value; }
  nvinfer1::RuntimePlatform getRuntimePlatform() const { return platform; }
  void setMaxNbTactics(int32_t value) { max_tactics = value; }
  int32_t getMaxNbTactics() const { return max_tactics; }
  bool setTilingOptimizationLevel(nvinfer1::TilingOptimizationLevel value) {
    return tiling = value, true;
  }
  nvinfer1::TilingOptimizationLevel getTilingOptimizationLevel() const { return tiling; }
  bool setL2LimitForTiling(int64_t value) { return l2_limit = value, true; }
  int64_t getL2LimitForTiling() const { return l2_limit; }
  bool setRemoteAutoTuningConfig(const char* text) { return auto_tuning = text, true; }
  const char* getRemoteAutoTuningConfig() const { return auto_tuning.c_str(); }
  bool setBuildRoute(const char* text) { return build_route = text, true; }
  const char* getBuildRoute() const { return build_route.c_str(); }
  const char* getAllBuildRoutes() const { return ""; }
  bool setNbComputeCapabilities(int32_t count) {
    return capabilities.resize(static_cast<size_t>(count)), true;
  }
  int32_t getNbComputeCapabilities() const { return static_cast<int32_t>(capabilities.size()); }
  bool setComputeCapability(auto value, int32_t index) {
    return capabilities.at(static_cast<size_t>(index)) = static_cast<int>(value), true;
  }
};
using ConfigObject = Made<nvinfer1::IBuilderConfig, ForwardVBuilderConfig<ConfigImpl>>;

}  // namespace tensorrt_double
