// The builder.
#pragma once

#include <NvInfer.h>

#include "building/config.h"
#include "building/network.h"
#include "forward.h"
#include "log.h"
#include "running/plan.h"

namespace tensorrt_double {

struct BuilderImpl {
  explicit BuilderImpl(nvinfer1::ILogger* logger) : log(logger) {}
  nvinfer1::IBuilder* self = nullptr;
  Log log;
  int32_t threads = 1;

  bool platformHasFastFp16() const { return true; }
  bool platformHasFastInt8() const { return true; }
  bool platformHasTf32() const { return true; }
  int32_t getMaxDLABatchSize() const { return 1; }
  int32_t getNbDLACores() const { return 0; }
  void setGpuAllocator(nvinfer1::IGpuAllocator*) {}
  nvinfer1::IBuilderConfig* createBuilderConfig() { return new ConfigObject(log); }
  nvinfer1::INetworkDefinition* createNetworkV2(uint32_t flags) {
    return new NetworkObject(log, self, flags);
  }
  nvinfer1::IOptimizationProfile* createOptimizationProfile() {
    profiles.push_back(std::make_unique<ProfileObject>());
    return profiles.back().get();
  }
  void setErrorRecorder(nvinfer1::IErrorRecorder* recorder) { log.recorder = recorder; }
  nvinfer1::IErrorRecorder* getErrorRecorder() const { return log.recorder; }
  void reset() {}
  nvinfer1::IHostMemory* buildSerializedNetwork(nvinfer1::INetworkDefinition& network,
                                                nvinfer1::IBuilderConfig& config);
  bool buildSerializedNetworkToStream(nvinfer1::INetworkDefinition& network,
                                      nvinfer1::IBuilderConfig& config,
                                      nvinfer1::IStreamWriter& writer);
  nvinfer1::ICudaEngine* buildEngineWithConfig(nvinfer1::INetworkDefinition& network,
                                               nvinfer1::IBuilderConfig& config);
  bool isNetworkSupported(const nvinfer1::INetworkDefinition&,
                          const nvinfer1::IBuilderConfig&) const {
    return true;
  }
  nvinfer1::ILogger* getLogger() const { return log.logger(); }
  bool setMaxThreads(int32_t value) { return value > 0 && (threads = value, true); }
  int32_t getMaxThreads() const { return threads; }
  nvinfer1::IPluginRegistry& getPluginRegistry() const;

 private:
  std::string build(NetworkImpl& network, ConfigImpl& config);
  // The builder owns the profiles that it made.
  std::vector<std::unique_ptr<ProfileObject>> profiles;
};
using BuilderObject = Made<nvinfer1::IBuilder, ForwardVBuilder<BuilderImpl>>;

}  // namespace tensorrt_double
