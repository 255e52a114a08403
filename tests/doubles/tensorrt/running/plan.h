// The plan, which the builder writes and the runtime reads. The model is in it as ONNX, with the
// wanted outputs and all weights, so that an engine needs nothing else.
#pragma once

#include <NvInfer.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "building/profile.h"

namespace tensorrt_double {

struct PlanTensor {
  std::string name;
  int32_t type = 0;        // nvinfer1::DataType at the binding
  int32_t model_type = 0;  // polygraphy::DataType in the model
  nvinfer1::Dims dims{};
  bool is_input = false, is_output = false, is_shape = false;  // neither: a debug tensor
  uint32_t formats = 1;
};

struct PlanLayer {
  std::string name, type, metadata, precision;
  std::vector<std::string> inputs, outputs;
};

struct Plan {
  std::string name;
  std::vector<PlanTensor> tensors;  // inputs, outputs, debug tensors
  std::vector<std::string> debug_tensors, unfused_tensors;
  std::vector<std::map<std::string, ProfileRange>> profiles;
  std::vector<PlanLayer> layers;
  std::vector<std::string> refittable_weights;
  bool is_refittable = false, is_stripped = false, streams_weights = false, has_nan = false;
  bool has_host_code = false;  // the lean runtime of version compatible plans
  int32_t capability = 0, verbosity = 0, hardware = 0, aux_streams = 0, runtime_platform = 0;
  uint32_t tactic_sources = 0;
  int64_t weight_bytes = 0;
  std::string onnx;

  const PlanTensor* find(std::string_view tensor) const;
  bool is_debug_tensor(std::string_view tensor) const;

  // The same bytes for the same plan.
  std::string encode() const;
  // Throws Refusal for bytes that are not a plan of this version and device.
  static Plan decode(std::string_view bytes);
};

// "10.16.0.72".
std::string library_version();
// Of the GPU that there would be: PG_TENSORRT_DOUBLE_COMPUTE, else "8.6".
std::string compute_capability();

}  // namespace tensorrt_double
