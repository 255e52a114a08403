// The runtime: plans become engines.
#pragma once

#include <NvInfer.h>

#include <string>

#include "forward.h"
#include "log.h"

namespace tensorrt_double {

struct RuntimeImpl {
  explicit RuntimeImpl(nvinfer1::ILogger* logger) : log(logger) {}
  nvinfer1::IRuntime* self = nullptr;
  Log log;
  int32_t dla_core = 0, threads = 1;
  std::string temporary_folder = "/tmp";
  uint32_t temporary_flags = 3;
  bool host_code_allowed = false;

  nvinfer1::IRuntime* getPImpl() { return self; }
  nvinfer1::ICudaEngine* deserializeCudaEngine(const void* blob, size_t size);
  nvinfer1::ICudaEngine* deserializeCudaEngineV2(nvinfer1::IStreamReaderV2& reader);
  void setDLACore(int32_t value) { dla_core = value; }
  int32_t getDLACore() const { return dla_core; }
  int32_t getNbDLACores() const { return 0; }
  void setGpuAllocator(nvinfer1::IGpuAllocator*) {}
  void setErrorRecorder(nvinfer1::IErrorRecorder* recorder) { log.recorder = recorder; }
  nvinfer1::IErrorRecorder* getErrorRecorder() const { return log.recorder; }
  nvinfer1::ILogger* getLogger() const { return log.logger(); }
  bool setMaxThreads(int32_t value) { return value > 0 && (threads = value, true); }
  int32_t getMaxThreads() const { return threads; }
  void setTemporaryDirectory(const char* path) { temporary_folder = path ? path : ""; }
  const char* getTemporaryDirectory() const { return temporary_folder.c_str(); }
  void setTempfileControlFlags(uint32_t flags) { temporary_flags = flags; }
  uint32_t getTempfileControlFlags() const { return temporary_flags; }
  nvinfer1::IPluginRegistry& getPluginRegistry() const;
  void setPluginRegistryParent(nvinfer1::IPluginRegistry*) {}
  // A lean runtime: any file that is there will do.
  nvinfer1::IRuntime* loadRuntime(const char* path);
  void setEngineHostCodeAllowed(bool value) { host_code_allowed = value; }
  bool getEngineHostCodeAllowed() const { return host_code_allowed; }
  bool setDLAWorkspaceAllocationStrategy(auto value) {
    return dla_strategy = static_cast<int>(value), true;
  }
  AnyNumber getDLAWorkspaceAllocationStrategy() const { return {dla_strategy}; }
  int64_t getEngineHeaderSize() const { return 64; }

 private:
  int dla_strategy = 0;
};
using RuntimeObject = Made<nvinfer1::IRuntime, ForwardVRuntime<RuntimeImpl>>;

}  // namespace tensorrt_double
