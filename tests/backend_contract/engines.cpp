// The engines, and what each does not do.
#include "contract.h"

namespace polygraphy::contract {

namespace {

constexpr Exclusion kOnnxRuntime[] = {
    {"types/identity_complex*", Deviation::kUnsupported, "no complex types"},
    {"types/identity_*int[24]", Deviation::kUnsupported,
     "no Identity kernel below 8 bits; Cast has one"},
    {"types/identity_float8e8m0", Deviation::kUnsupported, "no Identity kernel; Cast has one"},
    {"types/*_float4", Deviation::kUnsupported, "knows the type, has no kernel"},
    {"types/*_float6e*", Deviation::kUnsupported, "takes IR versions up to 13"},
};

constexpr Exclusion kOpenVino[] = {
    {"types/identity_complex*", Deviation::kUnsupported, "no complex types"},
    {"types/*_float8*fnuz", Deviation::kUnsupported, "its ONNX reader does not know the type"},
    {"types/*_*int2", Deviation::kUnsupported, "its ONNX reader does not know the type"},
    {"types/*_float6e*", Deviation::kUnsupported, "its ONNX reader does not know the type"},
    {"types/identity_int64", Deviation::kWrong, "the CPU computes in 32 bits"},
    {"types/cast_to_*int64", Deviation::kWrong, "the CPU computes in 32 bits"},
    {"types/cast_to_uint32", Deviation::kWrong, "the CPU computes in signed 32 bits"},
    {"types/constant_float8e8m0", Deviation::kWrong, "2^-127 becomes 0"},
    {"shapes/outputs_of_unknown_rank", Deviation::kUnsupported, "the CPU runs no such node"},
    {"shapes/names_of_dimensions", Deviation::kWrong, "the C API does not tell them"},
    {"values/strings_in_and_out", Deviation::kUnsupported, "the C API cannot read strings"},
    {"values/strings_made_by_a_node", Deviation::kUnsupported, "no Cast to strings"},
    {"values/no_strings", Deviation::kUnsupported, "the C API cannot read strings"},
    {"values/*sequence*", Deviation::kUnsupported, "no sequences"},
    {"values/map_out", Deviation::kUnsupported, "no maps"},
    {"values/*optional*", Deviation::kUnsupported, "no optionals"},
    {"models/local_functions", Deviation::kUnsupported, "its ONNX reader does not know them"},
};

}  // namespace

std::span<const Engine> engines() {
  static constexpr Engine kEngines[] = {
      {"onnxrt", kOnnxRuntime},
      {"openvino", kOpenVino},
  };
  return kEngines;
}

}  // namespace polygraphy::contract
