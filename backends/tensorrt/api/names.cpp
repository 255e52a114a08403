#include "tensorrt/api/names.h"

#include <cctype>

namespace tensorrt::TENSORRT_FAMILY {
namespace {

// Enumerators that a family lacks are left out of its list; aliases of another come after it.
#define NAME(enumerator)                           \
  if constexpr (requires { Enum::k##enumerator; }) \
    names.push_back({#enumerator, Enum::k##enumerator});

template <typename Enum>
Names<Enum> list_of_builder_flags() {
  Names<Enum> names;
  NAME(FP16)
  NAME(INT8)
  NAME(DEBUG)
  NAME(GPU_FALLBACK)
  NAME(REFIT)
  NAME(DISABLE_TIMING_CACHE)
  NAME(TF32)
  NAME(SPARSE_WEIGHTS)
  NAME(SAFETY_SCOPE)
  NAME(OBEY_PRECISION_CONSTRAINTS)
  NAME(PREFER_PRECISION_CONSTRAINTS)
  NAME(DIRECT_IO)
  NAME(REJECT_EMPTY_ALGORITHMS)
  NAME(VERSION_COMPATIBLE)
  NAME(EXCLUDE_LEAN_RUNTIME)
  NAME(FP8)
  NAME(ERROR_ON_TIMING_CACHE_MISS)
  NAME(BF16)
  NAME(DISABLE_COMPILATION_CACHE)
  NAME(STRIP_PLAN)
  NAME(REFIT_IDENTICAL)
  NAME(WEIGHT_STREAMING)
  NAME(INT4)
  NAME(REFIT_INDIVIDUAL)
  NAME(STRICT_NANS)
  NAME(MONITOR_MEMORY)
  NAME(FP4)
  NAME(EDITABLE_TIMING_CACHE)
  NAME(DISTRIBUTIVE_INDEPENDENCE)
  NAME(REQUIRE_USER_ALLOCATION)
  NAME(WEIGHTLESS)
  return names;
}

template <typename Enum>
Names<Enum> list_of_memory_pools() {
  Names<Enum> names;
  NAME(WORKSPACE)
  NAME(DLA_MANAGED_SRAM)
  NAME(DLA_LOCAL_DRAM)
  NAME(DLA_GLOBAL_DRAM)
  NAME(TACTIC_DRAM)
  NAME(TACTIC_SHARED_MEMORY)
  return names;
}

template <typename Enum>
Names<Enum> list_of_tactic_sources() {
  Names<Enum> names;
  NAME(CUBLAS)
  NAME(CUBLAS_LT)
  NAME(CUDNN)
  NAME(EDGE_MASK_CONVOLUTIONS)
  NAME(JIT_CONVOLUTIONS)
  return names;
}

template <typename Enum>
Names<Enum> list_of_preview_features() {
  Names<Enum> names;
  NAME(PROFILE_SHARING_0806)
  NAME(ALIASED_PLUGIN_IO_10_03)
  NAME(RUNTIME_ACTIVATION_RESIZE_10_10)
  NAME(MULTIDEVICE_RUNTIME_10_16)
  return names;
}

template <typename Enum>
Names<Enum> list_of_hardware_compatibility_levels() {
  Names<Enum> names;
  NAME(NONE)
  NAME(AMPERE_PLUS)
  NAME(SAME_COMPUTE_CAPABILITY)
  return names;
}

template <typename Enum>
Names<Enum> list_of_runtime_platforms() {
  Names<Enum> names;
  NAME(SAME_AS_BUILD)
  NAME(WINDOWS_AMD64)
  return names;
}

template <typename Enum>
Names<Enum> list_of_profiling_verbosities() {
  Names<Enum> names;
  NAME(LAYER_NAMES_ONLY)
  NAME(NONE)
  NAME(DETAILED)
  return names;
}

template <typename Enum>
Names<Enum> list_of_tiling_optimization_levels() {
  Names<Enum> names;
  NAME(NONE)
  NAME(FAST)
  NAME(MODERATE)
  NAME(FULL)
  return names;
}

template <typename Enum>
Names<Enum> list_of_engine_capabilities() {
  Names<Enum> names;
  NAME(STANDARD)
  NAME(SAFETY)
  NAME(DLA_STANDALONE)
  return names;
}

template <typename Enum>
Names<Enum> list_of_tensor_formats() {
  Names<Enum> names;
  NAME(LINEAR)
  NAME(CHW2)
  NAME(HWC8)
  NAME(CHW4)
  NAME(CHW16)
  NAME(CHW32)
  NAME(DHWC8)
  NAME(CDHW32)
  NAME(HWC)
  NAME(DLA_LINEAR)
  NAME(DLA_HWC4)
  NAME(HWC16)
  NAME(DHWC)
  return names;
}

template <typename Enum>
Names<Enum> list_of_layer_types() {
  Names<Enum> names;
  NAME(CONVOLUTION)
  NAME(CAST)
  NAME(ACTIVATION)
  NAME(POOLING)
  NAME(LRN)
  NAME(SCALE)
  NAME(SOFTMAX)
  NAME(DECONVOLUTION)
  NAME(CONCATENATION)
  NAME(ELEMENTWISE)
  NAME(PLUGIN)
  NAME(UNARY)
  NAME(PADDING)
  NAME(SHUFFLE)
  NAME(REDUCE)
  NAME(TOPK)
  NAME(GATHER)
  NAME(MATRIX_MULTIPLY)
  NAME(RAGGED_SOFTMAX)
  NAME(CONSTANT)
  NAME(IDENTITY)
  NAME(PLUGIN_V2)
  NAME(SLICE)
  NAME(SHAPE)
  NAME(PARAMETRIC_RELU)
  NAME(RESIZE)
  NAME(TRIP_LIMIT)
  NAME(RECURRENCE)
  NAME(ITERATOR)
  NAME(LOOP_OUTPUT)
  NAME(SELECT)
  NAME(FILL)
  NAME(QUANTIZE)
  NAME(DEQUANTIZE)
  NAME(CONDITION)
  NAME(CONDITIONAL_INPUT)
  NAME(CONDITIONAL_OUTPUT)
  NAME(SCATTER)
  NAME(EINSUM)
  NAME(ASSERTION)
  NAME(ONE_HOT)
  NAME(NON_ZERO)
  NAME(GRID_SAMPLE)
  NAME(NMS)
  NAME(REVERSE_SEQUENCE)
  NAME(NORMALIZATION)
  NAME(PLUGIN_V3)
  NAME(SQUEEZE)
  NAME(UNSQUEEZE)
  NAME(CUMULATIVE)
  NAME(DYNAMIC_QUANTIZE)
  NAME(ATTENTION_INPUT)
  NAME(ATTENTION_OUTPUT)
  NAME(ROTARY_EMBEDDING)
  NAME(KVCACHE_UPDATE)
  NAME(MOE)
  NAME(DIST_COLLECTIVE)
  return names;
}

template <typename Enum>
Names<Enum> list_of_parser_flags() {
  Names<Enum> names;
  NAME(NATIVE_INSTANCENORM)
  NAME(ENABLE_UINT8_AND_ASYMMETRIC_QUANTIZATION_DLA)
  NAME(REPORT_CAPABILITY_DLA)
  NAME(ENABLE_PLUGIN_OVERRIDE)
  NAME(ADJUST_FOR_DLA)
  return names;
}

template <typename Enum>
Names<Enum> list_of_parser_errors() {
  Names<Enum> names;
  NAME(SUCCESS)
  NAME(INTERNAL_ERROR)
  NAME(MEM_ALLOC_FAILED)
  NAME(MODEL_DESERIALIZE_FAILED)
  NAME(INVALID_VALUE)
  NAME(INVALID_GRAPH)
  NAME(INVALID_NODE)
  NAME(UNSUPPORTED_GRAPH)
  NAME(UNSUPPORTED_NODE)
  NAME(UNSUPPORTED_NODE_ATTR)
  NAME(UNSUPPORTED_NODE_INPUT)
  NAME(UNSUPPORTED_NODE_DATATYPE)
  NAME(UNSUPPORTED_NODE_DYNAMIC)
  NAME(UNSUPPORTED_NODE_SHAPE)
  NAME(REFIT_FAILED)
  return names;
}

template <typename Enum>
Names<Enum> list_of_network_flags() {
  Names<Enum> names;
  NAME(STRONGLY_TYPED)
  return names;
}

#undef NAME

// As Polygraphy calls them.
#define TYPE(enumerator, text) \
  if constexpr (requires { Enum::k##enumerator; }) names.push_back({text, Enum::k##enumerator});

template <typename Enum>
Names<Enum> list_of_data_types() {
  Names<Enum> names;
  TYPE(FLOAT, "float32")
  TYPE(HALF, "float16")
  TYPE(INT8, "int8")
  TYPE(INT32, "int32")
  TYPE(BOOL, "bool")
  TYPE(UINT8, "uint8")
  TYPE(FP8, "float8")
  TYPE(BF16, "bfloat16")
  TYPE(INT64, "int64")
  TYPE(INT4, "int4")
  TYPE(FP4, "float4")
  TYPE(E8M0, "float8e8m0")
  return names;
}

#undef TYPE

}  // namespace

const Names<nv::BuilderFlag>& builder_flags() {
  static const Names<nv::BuilderFlag> names = list_of_builder_flags<nv::BuilderFlag>();
  return names;
}

const Names<nv::MemoryPoolType>& memory_pools() {
  static const Names<nv::MemoryPoolType> names = list_of_memory_pools<nv::MemoryPoolType>();
  return names;
}

const Names<nv::TacticSource>& tactic_sources() {
  static const Names<nv::TacticSource> names = list_of_tactic_sources<nv::TacticSource>();
  return names;
}

const Names<nv::PreviewFeature>& preview_features() {
  static const Names<nv::PreviewFeature> names = list_of_preview_features<nv::PreviewFeature>();
  return names;
}

const Names<nv::HardwareCompatibilityLevel>& hardware_compatibility_levels() {
  static const Names<nv::HardwareCompatibilityLevel> names =
      list_of_hardware_compatibility_levels<nv::HardwareCompatibilityLevel>();
  return names;
}

const Names<nv::RuntimePlatform>& runtime_platforms() {
  static const Names<nv::RuntimePlatform> names = list_of_runtime_platforms<nv::RuntimePlatform>();
  return names;
}

const Names<nv::ProfilingVerbosity>& profiling_verbosities() {
  static const Names<nv::ProfilingVerbosity> names =
      list_of_profiling_verbosities<nv::ProfilingVerbosity>();
  return names;
}

const Names<nv::TilingOptimizationLevel>& tiling_optimization_levels() {
  static const Names<nv::TilingOptimizationLevel> names =
      list_of_tiling_optimization_levels<nv::TilingOptimizationLevel>();
  return names;
}

const Names<nv::EngineCapability>& engine_capabilities() {
  static const Names<nv::EngineCapability> names =
      list_of_engine_capabilities<nv::EngineCapability>();
  return names;
}

const Names<nv::TensorFormat>& tensor_formats() {
  static const Names<nv::TensorFormat> names = list_of_tensor_formats<nv::TensorFormat>();
  return names;
}

const Names<nv::LayerType>& layer_types() {
  static const Names<nv::LayerType> names = list_of_layer_types<nv::LayerType>();
  return names;
}

const Names<nvonnxparser::OnnxParserFlag>& parser_flags() {
  static const Names<nvonnxparser::OnnxParserFlag> names =
      list_of_parser_flags<nvonnxparser::OnnxParserFlag>();
  return names;
}

const Names<nv::DataType>& data_types() {
  static const Names<nv::DataType> names = list_of_data_types<nv::DataType>();
  return names;
}

const Names<nvonnxparser::ErrorCode>& parser_errors() {
  static const Names<nvonnxparser::ErrorCode> names =
      list_of_parser_errors<nvonnxparser::ErrorCode>();
  return names;
}

std::vector<std::string> flags_of(const nv::INetworkDefinition& network) {
  std::vector<std::string> flags;
  for (const auto& flag : list_of_network_flags<nv::NetworkDefinitionCreationFlag>()) {
    if (network.getFlag(flag.value)) flags.emplace_back(flag.name);
  }
  return flags;
}

bool same_but_for_case(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (std::tolower(static_cast<unsigned char>(a[i])) !=
        std::tolower(static_cast<unsigned char>(b[i])))
      return false;
  }
  return true;
}

void refuse_name(std::string_view name, const std::string& option, const Library& library,
                 const std::vector<std::string>& names) {
  throw pgb::bad_option(
      option + ": " + library.name() + " has no value '" + std::string(name) + "'",
      "Values: " + pgb::list_text(names) + ".");
}

}  // namespace tensorrt::TENSORRT_FAMILY
