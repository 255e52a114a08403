// One inference of a context.
#include <algorithm>
#include <cstring>
#include <limits>

#include "base/arrays/convert.h"
#include "failures.h"
#include "running/context.h"
#include "types.h"

namespace tensorrt_double {
namespace {

using nvinfer1::Dims;
using polygraphy::Array;

polygraphy::DataType binding_type(const PlanTensor& tensor) {
  return to_onnx(static_cast<nvinfer1::DataType>(tensor.type));
}
polygraphy::DataType model_type(const PlanTensor& tensor) {
  return static_cast<polygraphy::DataType>(tensor.model_type);
}

Array all_nan(const Array& values) {
  if (!polygraphy::is_floating(values.dtype())) return values;
  std::vector<float> nan(static_cast<size_t>(values.size()),
                         std::numeric_limits<float>::quiet_NaN());
  return polygraphy::convert(Array::of<float>(values.shape(), std::span<const float>(nan)),
                             values.dtype());
}

}  // namespace

Array ContextImpl::input_array(const PlanTensor& input) const {
  const Dims dims = input_shape(input);
  const auto bound = Array::view(binding_type(input), shape_of(dims), address(input.name), nullptr);
  return polygraphy::convert(bound, model_type(input));
}

bool ContextImpl::executeV2(void* const* bindings) {
  for (int32_t i = 0; i < engine->getNbIOTensors(); ++i) {
    addresses[engine->getIOTensorName(i)] = bindings[i];
  }
  return enqueueV3(nullptr);
}

bool ContextImpl::enqueueV3(cudaStream_t stream) {
  return log.guarded(
      "IExecutionContext::enqueueV3",
      [&] {
        if (shall_fail("enqueue")) {
          throw Refusal(1, "Cuda Runtime", "an illegal memory access was encountered");
        }
        run(stream);
        if (profiler && emits_profile) reportToProfiler();
        return true;
      },
      false);
}

void ContextImpl::run(cudaStream_t stream) {
  if (plan->is_stripped) {
    throw usage_error("The engine was built without weights and has not been refitted.");
  }
  const std::vector<std::string> unknown = missing();
  if (!unknown.empty()) {
    throw usage_error(
        fmt::format("Parameter check failed, condition: allInputDimensionsSpecified. "
                    "Not all shapes are specified. Following input tensors' "
                    "dimensions are not specified: {}.",
                    unknown.front()));
  }
  std::map<std::string, Array> inputs;
  std::vector<const PlanTensor*> wanted;
  std::vector<std::string> names;
  for (const PlanTensor& tensor : plan->tensors) {
    const auto allocator = allocators.find(tensor.name);
    const bool has_allocator = allocator != allocators.end() && allocator->second;
    if (tensor.is_input) {
      if (!address(tensor.name)) {
        throw usage_error(
            fmt::format("Parameter check failed, Address is not set for input tensor "
                        "{}. Call setInputTensorAddress or setTensorAddress before "
                        "enqueue/execute.",
                        tensor.name));
      }
      inputs[tensor.name] = input_array(tensor);
      continue;
    }
    if (tensor.is_output && !address(tensor.name) && !has_allocator) {
      throw usage_error(
          fmt::format("Parameter check failed, Neither address or allocator is set "
                      "for output tensor {}. Call setOutputTensorAddress, "
                      "setTensorAddress or setOutputAllocator before "
                      "enqueue/execute.",
                      tensor.name));
    }
    const bool shown =
        debugged.contains(tensor.name) ||
        (unfused_state && std::find(plan->unfused_tensors.begin(), plan->unfused_tensors.end(),
                                    tensor.name) != plan->unfused_tensors.end());
    if (!tensor.is_output && !(listener && shown)) continue;
    wanted.push_back(&tensor);
    names.push_back(tensor.name);
  }
  if (!execution_) execution_ = std::make_shared<Execution>(plan->onnx);
  const std::vector<Array> results = execution_->run(inputs, names);
  for (size_t i = 0; i < wanted.size(); ++i) {
    const Array values = plan->has_nan ? all_nan(results[i]) : results[i];
    const Array bound = polygraphy::convert(values, binding_type(*wanted[i]));
    show(*wanted[i], bound, stream);
    if (wanted[i]->is_output) deliver(*wanted[i], bound, stream);
  }
}

void ContextImpl::show(const PlanTensor& tensor, const Array& values, cudaStream_t stream) {
  const bool unfused = unfused_state && !debugged.contains(tensor.name);
  const bool is_unfused = std::find(plan->unfused_tensors.begin(), plan->unfused_tensors.end(),
                                    tensor.name) != plan->unfused_tensors.end();
  if (!listener || !(debugged.contains(tensor.name) || (unfused && is_unfused))) return;
  // The double's memory does not come from the double of the driver.
  listener->processDebugTensor(values.data(), nvinfer1::TensorLocation::kHOST,
                               static_cast<nvinfer1::DataType>(tensor.type),
                               dims_of(values.shape()), tensor.name.c_str(), stream);
}

void ContextImpl::deliver(const PlanTensor& output, const Array& values, cudaStream_t stream) {
  const char* of = output.name.c_str();
  void* target = address(output.name);
  const auto allocator = allocators.find(output.name);
  if (allocator != allocators.end() && allocator->second) {
    const auto bytes = static_cast<uint64_t>(values.nbytes());
    target = allocator->second->reallocateOutputAsync(of, target, std::max<uint64_t>(bytes, 1), 256,
                                                      stream);
    if (!target && bytes > 0) {
      throw Refusal(2, "OutOfMemory", fmt::format("Requested size was {} bytes.", bytes));
    }
    addresses[output.name] = target;
    allocator->second->notifyShape(of, dims_of(values.shape()));
  }
  if (target && values.nbytes() > 0) {
    std::memcpy(target, values.data(), static_cast<size_t>(values.nbytes()));
  }
}

}  // namespace tensorrt_double
