// Engines: a plan's tensors, profiles and layers.
#pragma once

#include <NvInfer.h>

#include <memory>
#include <set>
#include <string>

#include "forward.h"
#include "log.h"
#include "running/plan.h"

namespace tensorrt_double {

// Of the options of a context.
struct RuntimeConfigImpl {
  nvinfer1::IRuntimeConfig* self = nullptr;
  nvinfer1::ExecutionContextAllocationStrategy strategy{};
  nvinfer1::IRuntimeConfig* getPImpl() { return self; }
  // Of RTX.
  void setDynamicShapesKernelSpecializationStrategy(auto) {}
  bool setCudaGraphStrategy(auto) { return true; }
  void setExecutionContextAllocationStrategy(nvinfer1::ExecutionContextAllocationStrategy value) {
    strategy = value;
  }
  nvinfer1::ExecutionContextAllocationStrategy getExecutionContextAllocationStrategy() const {
    return strategy;
  }
};
using RuntimeConfigObject =
    Made<nvinfer1::IRuntimeConfig, ForwardVRuntimeConfig<RuntimeConfigImpl>>;

struct SerializationConfigImpl {
  nvinfer1::ISerializationConfig* self = nullptr;
  uint32_t flags = 0;
  bool setFlags(uint32_t value) { return flags = value, true; }
  uint32_t getFlags() const { return flags; }
  bool setFlag(nvinfer1::SerializationFlag value) {
    return flags |= 1U << static_cast<int>(value), true;
  }
  bool clearFlag(nvinfer1::SerializationFlag value) {
    return flags &= ~(1U << static_cast<int>(value)), true;
  }
  bool getFlag(nvinfer1::SerializationFlag value) const {
    return flags >> static_cast<int>(value) & 1;
  }
};
using SerializationConfigObject =
    Made<nvinfer1::ISerializationConfig, ForwardVSerializationConfig<SerializationConfigImpl>>;

struct EngineImpl {
  EngineImpl(Log l, std::shared_ptr<Plan> p) : log(l), plan(std::move(p)) {}
  nvinfer1::ICudaEngine* self = nullptr;
  Log log;
  std::shared_ptr<Plan> plan;  // contexts and refitters share it
  int64_t streaming_budget = 0;

  nvinfer1::ICudaEngine* getPImpl() { return self; }
  // Each profile has separate layers.
  int32_t getNbLayers() const {
    return static_cast<int32_t>(plan->layers.size() * plan->profiles.size());
  }
  nvinfer1::IHostMemory* serialize() const;
  nvinfer1::IHostMemory* serializeWithConfig(nvinfer1::ISerializationConfig& config) const;
  nvinfer1::ISerializationConfig* createSerializationConfig() {
    return new SerializationConfigObject;
  }
  nvinfer1::IExecutionContext* createExecutionContext(
      nvinfer1::ExecutionContextAllocationStrategy strategy);
  nvinfer1::IExecutionContext* createExecutionContextWithoutDeviceMemory();
  nvinfer1::IExecutionContext* createExecutionContextWithRuntimeConfig(
      nvinfer1::IRuntimeConfig* config);
  nvinfer1::IRuntimeConfig* createRuntimeConfig() { return new RuntimeConfigObject; }
  nvinfer1::IRefitter* createRefitter(nvinfer1::ILogger& logger);
  nvinfer1::IEngineInspector* createEngineInspector() const;
  bool isRefittable() const { return plan->is_refittable; }
  const char* getName() const { return plan->name.c_str(); }
  int32_t getNbOptimizationProfiles() const { return static_cast<int32_t>(plan->profiles.size()); }
  nvinfer1::EngineCapability getEngineCapability() const {
    return static_cast<nvinfer1::EngineCapability>(plan->capability);
  }
  void setErrorRecorder(nvinfer1::IErrorRecorder* recorder) { log.recorder = recorder; }
  nvinfer1::IErrorRecorder* getErrorRecorder() const { return log.recorder; }
  bool hasImplicitBatchDimension() const { return false; }
  uint32_t getTacticSources() const { return plan->tactic_sources; }
  nvinfer1::ProfilingVerbosity getProfilingVerbosity() const {
    return static_cast<nvinfer1::ProfilingVerbosity>(plan->verbosity);
  }
  nvinfer1::HardwareCompatibilityLevel getHardwareCompatibilityLevel() const {
    return static_cast<nvinfer1::HardwareCompatibilityLevel>(plan->hardware);
  }
  int32_t getNbAuxStreams() const { return plan->aux_streams; }

  int32_t getNbIOTensors() const { return static_cast<int32_t>(bindings().size()); }
  const char* getIOTensorName(int32_t index) const;
  nvinfer1::Dims getTensorShape(const char* name) const;
  nvinfer1::DataType getTensorDataType(const char* name) const;
  nvinfer1::TensorLocation getTensorLocation(const char* name) const;
  bool isShapeInferenceIO(const char* name) const;
  nvinfer1::TensorIOMode getTensorIOMode(const char* name) const;
  nvinfer1::TensorFormat getTensorFormat(const char* name) const;
  const char* getTensorFormatDesc(const char* name) const;
  int32_t getTensorBytesPerComponent(const char* name) const;
  int32_t getTensorComponentsPerElement(const char*) const { return 1; }
  int32_t getTensorVectorizedDim(const char*) const { return -1; }
  nvinfer1::TensorFormat getTensorFormatV2(const char* name, int32_t) const {
    return getTensorFormat(name);
  }
  const char* getTensorFormatDescV2(const char* name, int32_t) const {
    return getTensorFormatDesc(name);
  }
  int32_t getTensorBytesPerComponentV2(const char* name, int32_t) const {
    return getTensorBytesPerComponent(name);
  }
  int32_t getTensorComponentsPerElementV2(const char*, int32_t) const { return 1; }
  int32_t getTensorVectorizedDimV2(const char*, int32_t) const { return -1; }
  const char* getAliasedInputTensor(const char*) const { return nullptr; }
  nvinfer1::Dims getProfileShape(const char* name, int32_t profile,
                                 nvinfer1::OptProfileSelector select) const;
  const int64_t* getProfileTensorValuesV2(const char* name, int32_t profile,
                                          nvinfer1::OptProfileSelector select) const;
  const int32_t* getProfileTensorValues(const char* name, int32_t profile,
                                        nvinfer1::OptProfileSelector select) const;
  bool isDebugTensor(const char* name) const { return plan->is_debug_tensor(name); }

  // Numbers that a program can compare: the bytes of the weights, and a working memory of a size.
  static constexpr int64_t kDeviceMemory = 1 << 20;
  int64_t getDeviceMemorySize() const { return kDeviceMemory; }
  int64_t getDeviceMemorySizeV2() const { return kDeviceMemory; }
  int64_t getDeviceMemorySizeForProfile(int32_t) const { return kDeviceMemory; }
  int64_t getDeviceMemorySizeForProfileV2(int32_t) const { return kDeviceMemory; }
  int64_t getStreamableWeightsSize() const {
    return plan->streams_weights ? plan->weight_bytes : 0;
  }
  bool setWeightStreamingBudgetV2(int64_t budget);
  int64_t getWeightStreamingBudgetV2() const { return streaming_budget; }
  int64_t getWeightStreamingAutomaticBudget() const { return getStreamableWeightsSize() / 2; }
  int64_t getWeightStreamingScratchMemorySize() const { return 4096; }
  bool setWeightStreamingBudget(int64_t budget) { return setWeightStreamingBudgetV2(budget); }
  int64_t getWeightStreamingBudget() const { return streaming_budget; }
  int64_t getMinimumWeightStreamingBudget() const { return 0; }
  int64_t getEngineStat(nvinfer1::EngineStat) const { return plan->weight_bytes; }

 private:
  // Without debug tensors that are not outputs.
  std::vector<const PlanTensor*> bindings() const;
  const PlanTensor& binding(const char* name) const;
  const ProfileRange* range(const char* name, int32_t profile) const;
  mutable std::map<std::pair<std::string, int>, std::vector<int32_t>> narrow_values_;
};
using EngineObject = Made<nvinfer1::ICudaEngine, ForwardVCudaEngine<EngineImpl>>;

// Throws Refusal for bytes that are not a plan of this library, and for host code that is not
// allowed.
nvinfer1::ICudaEngine* engine_from_plan(std::string_view bytes, Log log,
                                        bool host_code_allowed = true);

}  // namespace tensorrt_double
