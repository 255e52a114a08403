#include "polygraphy/facade/tensorrt_options.h"

#include <fmt/format.h>

namespace polygraphy {
namespace {

using Texts = std::vector<std::string>;

std::string shape_text(const Shape& shape) {
  std::string text;
  for (const int64_t dim : shape) text += (text.empty() ? "" : ",") + std::to_string(dim);
  return "[" + text + "]";
}

// Options for what is set: a flag, a text, a number, a list that is not empty, a list that is
// there, values by name.
class OptionList {
 public:
  explicit OptionList(BackendOptions others) : others_(std::move(others)) {}

  OptionList& add(const char* key, bool set) { return set ? put(key, {}) : *this; }
  OptionList& add(const char* key, const std::string& text) {
    return text.empty() ? *this : put(key, {text});
  }
  OptionList& add(const char* key, const std::optional<int>& number) {
    return number ? put(key, {std::to_string(*number)}) : *this;
  }
  OptionList& add(const char* key, const std::optional<double>& number) {
    return number ? put(key, {fmt::format("{}", *number)}) : *this;
  }
  OptionList& add(const char* key, const Texts& list) {
    return list.empty() ? *this : put(key, list);
  }
  OptionList& add(const char* key, const std::optional<Texts>& list) {
    return list ? put(key, *list) : *this;
  }
  template <typename T>
  OptionList& add(const char* key, const OrderedMap<T>& values) {
    Texts list;
    for (const auto& [name, value] : values) list.push_back(name + ":" + text_of(value));
    return add(key, list);
  }
  // The others come last, so that they win.
  BackendOptions take() {
    for (auto& option : others_) options_.push_back(std::move(option));
    return std::move(options_);
  }

 private:
  OptionList& put(const char* key, Texts values) {
    options_.emplace_back(key, std::move(values));
    return *this;
  }
  static std::string text_of(const std::string& text) { return text; }
  static std::string text_of(int64_t number) { return std::to_string(number); }
  static std::string text_of(const Texts& list) {
    std::string text;
    for (const std::string& each : list) text += (text.empty() ? "" : ",") + each;
    return "[" + text + "]";
  }

  BackendOptions options_, others_;
};

void add_profiles(OptionList& list, const std::vector<Profile>& profiles) {
  for (const Profile& profile : profiles) {
    Texts min, opt, max;
    for (const auto& [input, range] : profile.inputs()) {
      min.push_back(input + ":" + shape_text(range.min));
      opt.push_back(input + ":" + shape_text(range.opt));
      max.push_back(input + ":" + shape_text(range.max));
    }
    list.add("trt_min_shapes", std::optional(min))
        .add("trt_opt_shapes", std::optional(opt))
        .add("trt_max_shapes", std::optional(max));
  }
}

void add_calibrator(OptionList& list, const Calibrator& calibrator) {
  list.add("calibration_cache", calibrator.cache)
      .add("calib_base_cls", calibrator.base_class)
      .add("quantile", calibrator.quantile)
      .add("regression_cutoff", calibrator.regression_cutoff);
}

}  // namespace

BackendOptions options_of(const TrtNetwork& network) {
  return OptionList(network.options)
      .add("network_name", network.name)
      .add("trt_outputs", network.outputs)
      .add("trt_exclude_outputs", network.exclude_outputs)
      .add("trt_outputs_by_type", network.outputs_by_type)
      .add("layer_precisions", network.layer_precisions)
      .add("tensor_dtypes", network.tensor_types)
      .add("tensor_formats", network.tensor_formats)
      .add("mark_debug", network.debug_tensors)
      .add("mark_unfused_tensors_as_debug_tensors", network.unfused_are_debug)
      .add("strongly_typed", network.strongly_typed)
      .add("onnx_flags", network.parser_flags)
      .add("plugin_instancenorm", network.plugin_instancenorm)
      .add("decomposable_attentions", network.decomposable_attentions)
      .add("plugins", network.plugins)
      .take();
}

BackendOptions options_of(const TrtConfig& config) {
  OptionList list(config.options);
  add_profiles(list, config.profiles);
  if (config.calibrator) add_calibrator(list, *config.calibrator);
  return list.add("tf32", config.tf32)
      .add("fp16", config.fp16)
      .add("bf16", config.bf16)
      .add("fp8", config.fp8)
      .add("int8", config.int8)
      .add("precision_constraints", config.precision_constraints)
      .add("sparse_weights", config.sparse_weights)
      .add("version_compatible", config.version_compatible)
      .add("exclude_lean_runtime", config.exclude_lean_runtime)
      .add("save_tactics", config.save_tactics)
      .add("load_tactics", config.load_tactics)
      .add("load_timing_cache", config.load_timing_cache)
      .add("save_timing_cache", config.save_timing_cache)
      .add("error_on_timing_cache_miss", config.error_on_timing_cache_miss)
      .add("disable_compilation_cache", config.disable_compilation_cache)
      .add("tactic_sources", config.tactic_sources)
      .add("trt_safety_restricted", config.restricted)
      .add("refittable", config.refittable)
      .add("strip_plan", config.strip_plan)
      .add("use_dla", config.use_dla)
      .add("allow_gpu_fallback", config.allow_gpu_fallback)
      .add("pool_limit", config.memory_pool_limits)
      .add("preview_features", config.preview_features)
      .add("builder_optimization_level", config.builder_optimization_level)
      .add("max_aux_streams", config.max_aux_streams)
      .add("hardware_compatibility_level", config.hardware_compatibility_level)
      .add("profiling_verbosity", config.profiling_verbosity)
      .add("quantization_flags", config.quantization_flags)
      .add("weight_streaming", config.weight_streaming)
      .add("direct_io", config.direct_io)
      .add("use_gpu", config.use_gpu)
      .add("compute_capabilities", config.compute_capabilities)
      .add("runtime_platform", config.runtime_platform)
      .add("tiling_optimization_level", config.tiling_optimization_level)
      .add("engine_capability", config.engine_capability)
      .take();
}

}  // namespace polygraphy
