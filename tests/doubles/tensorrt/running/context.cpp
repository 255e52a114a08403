#include "running/context.h"

#include <algorithm>

#include "record.h"
#include "running/engine.h"
#include "running/output_shapes.h"
#include "types.h"

namespace tensorrt_double {

using nvinfer1::Dims;
using polygraphy::Array;

ContextImpl::ContextImpl(const EngineImpl& e) : engine(e.self), log(e.log), plan(e.plan) {}

const PlanTensor* ContextImpl::tensor_or_error(const char* function, const char* tensor) const {
  const PlanTensor* found = plan->find(tensor);
  if (!found) {
    log.error(3, fmt::format("IExecutionContext::{}: Error Code 3: API Usage Error (Parameter "
                             "check failed, Given invalid tensor name: {}.)",
                             function, tensor));
  }
  return found;
}

void* ContextImpl::address(const std::string& tensor) const {
  const auto found = addresses.find(tensor);
  return found == addresses.end() ? nullptr : found->second;
}

Dims ContextImpl::input_shape(const PlanTensor& input) const {
  if (is_static(input.dims)) return input.dims;
  const auto set = shapes.find(input.name);
  return set == shapes.end() ? input.dims : set->second;
}

std::vector<std::string> ContextImpl::missing() const {
  std::vector<std::string> names;
  for (const PlanTensor& tensor : plan->tensors) {
    if (tensor.is_input && !is_static(input_shape(tensor))) names.push_back(tensor.name);
  }
  return names;
}

bool ContextImpl::setOptimizationProfileAsync(int32_t index, cudaStream_t) {
  if (index < 0 || index >= static_cast<int32_t>(plan->profiles.size())) {
    log.error(3, fmt::format("IExecutionContext::setOptimizationProfileAsync: Error Code 3: API "
                             "Usage Error (Parameter check failed, condition: profileIndex >= 0 && "
                             "profileIndex < {}.)",
                             plan->profiles.size()));
    return false;
  }
  if (index != profile) shapes.clear();
  profile = index;
  return true;
}

bool ContextImpl::setInputShape(const char* tensor, const Dims& dims) {
  const PlanTensor* input = tensor_or_error("setInputShape", tensor);
  if (!input) return false;
  return log.guarded(
      "IExecutionContext::setInputShape",
      [&] {
        bool fits = dims.nbDims == input->dims.nbDims;
        for (int i = 0; fits && i < dims.nbDims; ++i) {
          fits = input->dims.d[i] < 0 || input->dims.d[i] == dims.d[i];
        }
        if (!fits) {
          throw usage_error(fmt::format(
              "Parameter check failed, condition: engineDims.d[i] == dims.d[i]. Static dimension "
              "mismatch while setting input shape for {}. Set dimensions are {}. Expected "
              "dimensions are {}.",
              tensor, text_of(dims), text_of(input->dims)));
        }
        const auto& ranges = plan->profiles[static_cast<size_t>(profile)];
        const auto range = ranges.find(tensor);
        const auto low = ProfileImpl::index(nvinfer1::OptProfileSelector::kMIN);
        const auto high = ProfileImpl::index(nvinfer1::OptProfileSelector::kMAX);
        for (int i = 0; range != ranges.end() && range->second.dims[low] && i < dims.nbDims; ++i) {
          const auto smallest = range->second.dims[low]->d[i];
          const auto largest = range->second.dims[high]->d[i];
          if (dims.d[i] >= smallest && dims.d[i] <= largest) continue;
          throw usage_error(fmt::format(
              "Parameter check failed, condition: satisfyProfile. Set dimension {} for tensor {} "
              "does not satisfy any optimization profiles. Valid range for profile {}: {}..{}.",
              text_of(dims), tensor, profile, text_of(*range->second.dims[low]),
              text_of(*range->second.dims[high])));
        }
        shapes[tensor] = dims;
        return true;
      },
      false);
}

Dims ContextImpl::infer(const std::string& tensor, bool largest) const {
  std::map<std::string, Dims> known;
  std::map<std::string, Array> values;
  for (const PlanTensor& input : plan->tensors) {
    if (!input.is_input) continue;
    known[input.name] = input_shape(input);
    if (largest) {
      const auto of_profile =
          engine->getProfileShape(input.name.c_str(), profile, nvinfer1::OptProfileSelector::kMAX);
      if (of_profile.nbDims >= 0) known[input.name] = of_profile;
    }
    if (input.is_shape && address(input.name) && is_static(known[input.name])) {
      values[input.name] = input_array(input);
    }
  }
  return output_shape(*plan, tensor, known, values);
}

Dims ContextImpl::getTensorShape(const char* tensor) const {
  Dims unknown{};
  unknown.nbDims = -1;
  const PlanTensor* found = tensor_or_error("getTensorShape", tensor);
  if (!found) return unknown;
  if (found->is_input) return input_shape(*found);
  if (is_static(found->dims)) return found->dims;
  return infer(found->name, false);
}

Dims ContextImpl::getTensorStrides(const char* tensor) const {
  Dims strides = getTensorShape(tensor);
  int64_t stride = 1;
  for (int i = strides.nbDims - 1; i >= 0; --i) {
    const int64_t dim = strides.d[i];
    strides.d[i] = stride;
    stride *= dim;
  }
  return strides;
}

int64_t ContextImpl::getMaxOutputSize(const char* tensor) const {
  const PlanTensor* output = tensor_or_error("getMaxOutputSize", tensor);
  if (!output) return -1;
  Dims dims = infer(output->name, true);
  if (!is_static(dims)) return int64_t{1} << 20;
  return polygraphy::storage_bytes(to_onnx(static_cast<nvinfer1::DataType>(output->type)),
                                   volume(dims));
}

int64_t ContextImpl::updateDeviceMemorySizeForShapes() {
  return EngineImpl::kDeviceMemory;
}

bool ContextImpl::setTensorAddress(const char* tensor, void* data) {
  if (!tensor_or_error("setTensorAddress", tensor)) return false;
  addresses[tensor] = data;
  return true;
}

bool ContextImpl::setOutputAllocator(const char* tensor, nvinfer1::IOutputAllocator* allocator) {
  const PlanTensor* output = tensor_or_error("setOutputAllocator", tensor);
  if (!output || !output->is_output) return false;
  allocators[tensor] = allocator;
  return true;
}
nvinfer1::IOutputAllocator* ContextImpl::getOutputAllocator(const char* tensor) const {
  const auto found = allocators.find(tensor);
  return found == allocators.end() ? nullptr : found->second;
}

int32_t ContextImpl::inferShapes(int32_t count, const char** names) {
  int32_t found = 0;
  for (const PlanTensor& input : plan->tensors) {
    const bool no_values = input.is_input && input.is_shape && !address(input.name);
    const bool no_shape = input.is_input && !is_static(input_shape(input));
    if (!no_values && !no_shape) continue;
    if (names && found < count) names[found] = input.name.c_str();
    ++found;
  }
  return found;
}

bool ContextImpl::setTensorDebugState(const char* tensor, bool on) {
  if (!plan->is_debug_tensor(tensor)) return false;
  if (on) {
    debugged.insert(tensor);
  } else {
    debugged.erase(tensor);
  }
  return true;
}
bool ContextImpl::setAllTensorsDebugState(bool on) {
  debugged.clear();
  if (on) debugged.insert(plan->debug_tensors.begin(), plan->debug_tensors.end());
  return true;
}

bool ContextImpl::reportToProfiler() const {
  if (!profiler) return false;
  for (const PlanLayer& layer : plan->layers) profiler->reportLayerTime(layer.name.c_str(), 0.25F);
  return true;
}

nvinfer1::IExecutionContext* context_of(const EngineImpl& engine) {
  return new ContextObject(engine);
}

}  // namespace tensorrt_double
