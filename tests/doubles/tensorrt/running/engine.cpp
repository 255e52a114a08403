#include "running/engine.h"

#include <algorithm>

#include "host_memory.h"
#include "running/context.h"
#include "running/inspector.h"
#include "running/refitter.h"
#include "types.h"

namespace tensorrt_double {

using nvinfer1::Dims;

std::vector<const PlanTensor*> EngineImpl::bindings() const {
  std::vector<const PlanTensor*> result;
  for (const PlanTensor& tensor : plan->tensors) {
    if (tensor.is_input || tensor.is_output) result.push_back(&tensor);
  }
  return result;
}

// An unknown tensor for an unknown name.
const PlanTensor& EngineImpl::binding(const char* name) const {
  static const PlanTensor none = [] {
    PlanTensor tensor;
    tensor.dims.nbDims = -1;
    return tensor;
  }();
  const PlanTensor* found = plan->find(name);
  if (!found) {
    log.error(3, fmt::format("ICudaEngine::getTensorIOMode: Error Code 3: API Usage Error "
                             "(Parameter check failed, Given invalid tensor name: {}.)",
                             name));
  }
  return found ? *found : none;
}

nvinfer1::IHostMemory* EngineImpl::serialize() const {
  return host_memory(plan->encode());
}
nvinfer1::IHostMemory* EngineImpl::serializeWithConfig(nvinfer1::ISerializationConfig&) const {
  return host_memory(plan->encode());
}

nvinfer1::IExecutionContext* EngineImpl::createExecutionContext(
    nvinfer1::ExecutionContextAllocationStrategy) {
  return context_of(*this);
}
nvinfer1::IExecutionContext* EngineImpl::createExecutionContextWithoutDeviceMemory() {
  return context_of(*this);
}
nvinfer1::IExecutionContext* EngineImpl::createExecutionContextWithRuntimeConfig(
    nvinfer1::IRuntimeConfig*) {
  return context_of(*this);
}
nvinfer1::IRefitter* EngineImpl::createRefitter(nvinfer1::ILogger& logger) {
  return refitter_of(*this, Log(&logger));
}
nvinfer1::IEngineInspector* EngineImpl::createEngineInspector() const {
  return inspector_of(plan);
}

const char* EngineImpl::getIOTensorName(int32_t index) const {
  const auto all = bindings();
  const bool known = index >= 0 && index < static_cast<int32_t>(all.size());
  return known ? all[static_cast<size_t>(index)]->name.c_str() : nullptr;
}
Dims EngineImpl::getTensorShape(const char* name) const {
  return binding(name).dims;
}
nvinfer1::DataType EngineImpl::getTensorDataType(const char* name) const {
  return static_cast<nvinfer1::DataType>(binding(name).type);
}
nvinfer1::TensorLocation EngineImpl::getTensorLocation(const char* name) const {
  const PlanTensor& tensor = binding(name);
  return tensor.is_shape && tensor.is_input ? nvinfer1::TensorLocation::kHOST
                                            : nvinfer1::TensorLocation::kDEVICE;
}
bool EngineImpl::isShapeInferenceIO(const char* name) const {
  return binding(name).is_shape;
}
nvinfer1::TensorIOMode EngineImpl::getTensorIOMode(const char* name) const {
  const PlanTensor& tensor = binding(name);
  return tensor.is_input    ? nvinfer1::TensorIOMode::kINPUT
         : tensor.is_output ? nvinfer1::TensorIOMode::kOUTPUT
                            : nvinfer1::TensorIOMode::kNONE;
}
nvinfer1::TensorFormat EngineImpl::getTensorFormat(const char* name) const {
  const uint32_t formats = binding(name).formats;
  for (int bit = 0; bit < 32; ++bit) {
    if (formats >> bit & 1) return static_cast<nvinfer1::TensorFormat>(bit);
  }
  return nvinfer1::TensorFormat::kLINEAR;
}
const char* EngineImpl::getTensorFormatDesc(const char* name) const {
  return getTensorFormat(name) == nvinfer1::TensorFormat::kLINEAR ? "Row major linear format"
                                                                  : "Another format";
}
int32_t EngineImpl::getTensorBytesPerComponent(const char* name) const {
  return polygraphy::bit_width(to_onnx(getTensorDataType(name))) / 8;
}

const ProfileRange* EngineImpl::range(const char* name, int32_t profile) const {
  if (profile < 0 || profile >= getNbOptimizationProfiles()) return nullptr;
  const auto& ranges = plan->profiles[static_cast<size_t>(profile)];
  const auto found = ranges.find(name);
  return found == ranges.end() ? nullptr : &found->second;
}
// An input of a fixed shape needs no range.
Dims EngineImpl::getProfileShape(const char* name, int32_t profile,
                                 nvinfer1::OptProfileSelector select) const {
  const ProfileRange* found = range(name, profile);
  if (found && found->dims[ProfileImpl::index(select)]) {
    return *found->dims[ProfileImpl::index(select)];
  }
  const PlanTensor& tensor = binding(name);
  Dims none{};
  none.nbDims = -1;
  return tensor.is_input && is_static(tensor.dims) ? tensor.dims : none;
}
const int64_t* EngineImpl::getProfileTensorValuesV2(const char* name, int32_t profile,
                                                    nvinfer1::OptProfileSelector select) const {
  const ProfileRange* found = range(name, profile);
  const size_t index = ProfileImpl::index(select);
  return found && !found->values[index].empty() ? found->values[index].data() : nullptr;
}
const int32_t* EngineImpl::getProfileTensorValues(const char* name, int32_t profile,
                                                  nvinfer1::OptProfileSelector select) const {
  const ProfileRange* found = range(name, profile);
  const auto index = ProfileImpl::index(select);
  if (!found || found->values[index].empty()) return nullptr;
  auto& narrow = narrow_values_[{name, static_cast<int>(index) + 3 * profile}];
  narrow.assign(found->values[index].begin(), found->values[index].end());
  return narrow.data();
}

bool EngineImpl::setWeightStreamingBudgetV2(int64_t budget) {
  if (!plan->streams_weights || budget < 0 || budget > getStreamableWeightsSize()) {
    log.error(3, fmt::format("ICudaEngine::setWeightStreamingBudgetV2: Error Code 3: API Usage "
                             "Error (Parameter check failed, condition: gpuMemoryBudget >= 0 && "
                             "gpuMemoryBudget <= {}.)",
                             getStreamableWeightsSize()));
    return false;
  }
  streaming_budget = budget;
  return true;
}

nvinfer1::ICudaEngine* engine_from_plan(std::string_view bytes, Log log, bool host_code_allowed) {
  auto plan = std::make_shared<Plan>(Plan::decode(bytes));
  if (plan->has_host_code && !host_code_allowed) {
    throw usage_error(
        "The engine contains host code, which is run only after "
        "IRuntime::setEngineHostCodeAllowed(true).");
  }
  return new EngineObject(log, plan);
}

}  // namespace tensorrt_double
