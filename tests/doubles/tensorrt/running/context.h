// Execution contexts: shapes and addresses of one inference, which runs on ONNX Runtime.
#pragma once

#include <NvInfer.h>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "base/arrays/array.h"
#include "forward.h"
#include "log.h"
#include "running/execution.h"
#include "running/plan.h"

namespace tensorrt_double {

struct EngineImpl;

struct ContextImpl {
  ContextImpl(const EngineImpl& e);  // NOLINT(google-explicit-constructor)
  nvinfer1::IExecutionContext* self = nullptr;
  const nvinfer1::ICudaEngine* engine;
  Log log;
  std::shared_ptr<const Plan> plan;
  std::string name = "Unnamed Context 0";
  int32_t profile = 0;
  nvinfer1::IProfiler* profiler = nullptr;
  nvinfer1::IDebugListener* listener = nullptr;
  nvinfer1::IGpuAllocator* temporary_allocator = nullptr;
  nvinfer1::ProfilingVerbosity nvtx{};
  cudaEvent_t consumed = nullptr;
  bool debug_sync = false, emits_profile = true, unfused_state = false;
  size_t cache_limit = 0;
  std::map<std::string, nvinfer1::Dims> shapes;  // of inputs
  std::map<std::string, void*> addresses;
  std::map<std::string, nvinfer1::IOutputAllocator*> allocators;
  std::set<std::string> debugged;

  nvinfer1::IExecutionContext* getPImpl() { return self; }
  void setDebugSync(bool value) { debug_sync = value; }
  bool getDebugSync() const { return debug_sync; }
  void setProfiler(nvinfer1::IProfiler* value) { profiler = value; }
  nvinfer1::IProfiler* getProfiler() const { return profiler; }
  const nvinfer1::ICudaEngine& getEngine() const { return *engine; }
  void setName(const char* value) { name = value; }
  const char* getName() const { return name.c_str(); }
  void setDeviceMemory(void*) {}
  void setDeviceMemoryV2(void*, int64_t) {}
  int64_t updateDeviceMemorySizeForShapes();
  int32_t getOptimizationProfile() const { return profile; }
  bool setOptimizationProfileAsync(int32_t index, cudaStream_t stream);
  bool allInputDimensionsSpecified() const { return missing().empty(); }
  bool allInputShapesSpecified() const { return missing().empty(); }
  void setErrorRecorder(nvinfer1::IErrorRecorder* recorder) { log.recorder = recorder; }
  nvinfer1::IErrorRecorder* getErrorRecorder() const { return log.recorder; }
  void setEnqueueEmitsProfile(bool value) { emits_profile = value; }
  bool getEnqueueEmitsProfile() const { return emits_profile; }
  bool reportToProfiler() const;
  bool setInputShape(const char* tensor, const nvinfer1::Dims& dims);
  nvinfer1::Dims getTensorShape(const char* tensor) const;
  nvinfer1::Dims getTensorStrides(const char* tensor) const;
  bool setTensorAddress(const char* tensor, void* data);
  const void* getTensorAddress(const char* tensor) const { return address(tensor); }
  bool setInputTensorAddress(const char* tensor, const void* data) {
    return setTensorAddress(tensor, const_cast<void*>(data));
  }
  bool setOutputTensorAddress(const char* tensor, void* data) {
    return setTensorAddress(tensor, data);
  }
  void* getOutputTensorAddress(const char* tensor) const { return address(tensor); }
  int32_t inferShapes(int32_t count, const char** names);
  bool setInputConsumedEvent(cudaEvent_t event) { return consumed = event, true; }
  cudaEvent_t getInputConsumedEvent() const { return consumed; }
  bool setOutputAllocator(const char* tensor, nvinfer1::IOutputAllocator* allocator);
  nvinfer1::IOutputAllocator* getOutputAllocator(const char* tensor) const;
  int64_t getMaxOutputSize(const char* tensor) const;
  bool setTemporaryStorageAllocator(nvinfer1::IGpuAllocator* value) {
    return temporary_allocator = value, true;
  }
  nvinfer1::IGpuAllocator* getTemporaryStorageAllocator() const { return temporary_allocator; }
  bool enqueueV3(cudaStream_t stream);
  bool executeV2(void* const* bindings);
  void setPersistentCacheLimit(size_t value) { cache_limit = value; }
  size_t getPersistentCacheLimit() const { return cache_limit; }
  bool setNvtxVerbosity(nvinfer1::ProfilingVerbosity value) { return nvtx = value, true; }
  nvinfer1::ProfilingVerbosity getNvtxVerbosity() const { return nvtx; }
  void setAuxStreams(cudaStream_t*, int32_t) {}
  bool setDebugListener(nvinfer1::IDebugListener* value) { return listener = value, true; }
  nvinfer1::IDebugListener* getDebugListener() const { return listener; }
  bool setTensorDebugState(const char* tensor, bool on);
  bool getDebugState(const char* tensor) const { return debugged.contains(tensor); }
  bool setAllTensorsDebugState(bool on);
  bool setUnfusedTensorsDebugState(bool on) { return unfused_state = on, true; }
  bool getUnfusedTensorsDebugState() const { return unfused_state; }
  bool isStreamCapturable(cudaStream_t) const { return false; }

 private:
  const PlanTensor* tensor_or_error(const char* function, const char* tensor) const;
  void* address(const std::string& tensor) const;
  // Inputs whose shapes are not known.
  std::vector<std::string> missing() const;
  nvinfer1::Dims input_shape(const PlanTensor& input) const;
  // By shape inference from the inputs; -1 if only a run of the model determines it. `largest`:
  // with the upper ends of the profile's ranges.
  nvinfer1::Dims infer(const std::string& tensor, bool largest) const;
  polygraphy::Array input_array(const PlanTensor& input) const;
  void run(cudaStream_t stream);
  void deliver(const PlanTensor& output, const polygraphy::Array& values, cudaStream_t stream);
  void show(const PlanTensor& tensor, const polygraphy::Array& values, cudaStream_t stream);

  std::shared_ptr<Execution> execution_;
  std::shared_ptr<const Plan> execution_of_;
};
using ContextObject = Made<nvinfer1::IExecutionContext, ForwardVExecutionContext<ContextImpl>>;

nvinfer1::IExecutionContext* context_of(const EngineImpl& engine);

}  // namespace tensorrt_double
