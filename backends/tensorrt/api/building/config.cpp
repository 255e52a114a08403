#include "tensorrt/api/building/config.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "tensorrt/api/building/calibration.h"
#include "tensorrt/api/building/profiles.h"
#include "tensorrt/api/building/tactic_selector.h"
#include "tensorrt/api/building/timing_cache.h"
#include "tensorrt/api/names.h"
#include "tensorrt/api/option_text.h"

extern "C" const pgb_backend_options backend_options_tensorrt;  // tensorrt_options.cpp

namespace tensorrt::TENSORRT_FAMILY {
namespace {

// The replacements of missing options for the types of layers.
constexpr const char* kFloat16 =
    "`polygraphy surgeon sanitize --fp-to-fp16` converts it to float16.";
constexpr const char* kQuantize = "quantize the model first.";

std::string types_of_the_model(const Library& library, const char* remedy) {
  return (library.family() == Family::kRtx ? "TensorRT-RTX takes types from the model: "
                                           : "Since TensorRT 11 types come from the model: ") +
         std::string(remedy);
}

// The remedy for a missing flag that allows types; null: the flag does not.
const char* remedy_for_types(std::string_view key) {
  if (key == "fp16" || key == "bf16") return kFloat16;
  return key == "fp8" || key == "int8" ? kQuantize : nullptr;
}

// An option with a single whole number.
int32_t number_in(const pgb::Options& options, std::string_view key, int least) {
  return options.integer(key, spelling_of(key).c_str(), least).value_or(least);
}

class Settings {
 public:
  Settings(nv::IBuilderConfig& config, const Library& library, Logger& logger,
           const pgb::Options& options)
      : config_(config), library_(library), logger_(logger), options_(options) {}

  void set_flags() {
    const auto* tf32 = find_name<nv::BuilderFlag>("TF32");
    if (tf32 && !options_.has("tf32")) {
      config_.clearFlag(*tf32);
      logger_.host().log(pgb::kInfo, kConfigModule,
                         "TF32 is disabled by default. Turn on TF32 for better performance with "
                         "minor accuracy differences.");
    }
    for (size_t i = 0; i < backend_options_tensorrt.option_count; ++i) {
      const pgb_option_spec& each = backend_options_tensorrt.options[i];
      if (!options_.has(each.key) || !each.enumerator ||
          each.enumeration != std::string_view("BuilderFlag"))
        continue;
      set_flag(each.enumerator, spelling_of(each.key), remedy_for_types(each.key));
    }
    if (options_.has("exclude_lean_runtime") && !options_.has("version_compatible")) {
      throw pgb::bad_option(
          "`--exclude-lean-runtime` requires `--version-compatible` to be enabled.");
    }
    const std::string constraints = options_.value("precision_constraints").value_or("none");
    if (constraints == "obey")
      set_flag("OBEY_PRECISION_CONSTRAINTS", "--precision-constraints", kFloat16);
    if (constraints == "prefer")
      set_flag("PREFER_PRECISION_CONSTRAINTS", "--precision-constraints", kFloat16);
    if (constraints == "none" && options_.has("layer_precisions")) {
      logger_.host().log(
          pgb::kWarning, kConfigModule,
          "Layer precisions have no effect unless --precision-constraints is 'prefer' or 'obey'.");
    }
  }

  void set_memory_pools() {
    for (const std::string& text : options_.values("pool_limit")) {
      const auto [name, bytes] = split_key(text, "--pool-limit");
      config_.setMemoryPoolLimit(named<nv::MemoryPoolType>(name, "--pool-limit", library_),
                                 static_cast<size_t>(whole_number(bytes, "--pool-limit")));
    }
  }

  void set_lists() {
    if (options_.has("tactic_sources")) {
      uint32_t mask = 0;
      for (const std::string& name : options_.values("tactic_sources")) {
        mask |= 1U << static_cast<uint32_t>(
                    named<nv::TacticSource>(name, "--tactic-sources", library_));
      }
      if (!config_.setTacticSources(mask)) {
        throw logger_.failure("--tactic-sources " + list("tactic_sources") +
                              " is not supported by " + library_.name());
      }
    }
    if (options_.has("preview_features")) {
      const auto wanted = options_.values("preview_features");
      for (const std::string& name : wanted)
        named<nv::PreviewFeature>(name, "--preview-features", library_);
      for (const auto& feature : names<nv::PreviewFeature>()) {
        config_.setPreviewFeature(
            feature.value, std::any_of(wanted.begin(), wanted.end(), [&](const std::string& name) {
              return same_but_for_case(name, feature.name);
            }));
      }
    }
  }

  void set_levels() {
    // The library moves levels that it does not have to those that it has, in silence.
    constexpr int kLastLevel = 5;
    if (options_.has("builder_optimization_level")) {
      const int32_t level = number_in(options_, "builder_optimization_level", 0);
      if (level > kLastLevel) {
        throw pgb::bad_option("--builder-optimization-level is at most " +
                              std::to_string(kLastLevel) +
                              ", but received: " + std::to_string(level));
      }
      config_.setBuilderOptimizationLevel(level);
    }
    if (options_.has("max_aux_streams"))
      config_.setMaxAuxStreams(number_in(options_, "max_aux_streams", 0));
    if (const auto name = options_.value("hardware_compatibility_level")) {
      config_.setHardwareCompatibilityLevel(
          named<nv::HardwareCompatibilityLevel>(*name, "--hardware-compatibility-level", library_));
    }
    set_runtime_platform();
    if (const auto name = options_.value("tiling_optimization_level")) {
      require_version(100800, "--tiling-optimization-level", library_);
      config_.setTilingOptimizationLevel(
          named<nv::TilingOptimizationLevel>(*name, "--tiling-optimization-level", library_));
    }
    if (const auto name = options_.value("engine_capability"))
      config_.setEngineCapability(
          named<nv::EngineCapability>(*name, "--engine-capability", library_));
    config_.setProfilingVerbosity(
        named<nv::ProfilingVerbosity>(options_.value("profiling_verbosity").value_or("detailed"),
                                      "--profiling-verbosity", library_));
  }

  // The library logs its refusal only, and builds for this platform.
  void set_runtime_platform() {
    const auto name = options_.value("runtime_platform");
    if (!name) return;
    require_version(100700, "--runtime-platform", library_);
    const auto platform = named<nv::RuntimePlatform>(*name, "--runtime-platform", library_);
    config_.setRuntimePlatform(platform);
    if (config_.getRuntimePlatform() == platform) return;
    throw pgb::bad_option("--runtime-platform " + *name + ": the library refuses this platform",
                          "Build the engine on that platform, or with another library.");
  }

  void set_dla(nv::IBuilder& builder) {
    if (!options_.has("use_dla")) return;
    if (builder.getNbDLACores() == 0) {
      const std::string what = "--use-dla: this machine has no DLA core";
      if (!options_.has("allow_gpu_fallback")) {
        throw pgb::bad_option(what, "Add --allow-gpu-fallback to run on the GPU instead.");
      }
      logger_.host().log(pgb::kWarning, kConfigModule, what + ". All layers run on the GPU.");
    }
    config_.setDefaultDeviceType(nv::DeviceType::kDLA);
    config_.setDLACore(0);
    if (const auto* prefer = find_name<nv::BuilderFlag>("PREFER_PRECISION_CONSTRAINTS"))
      config_.setFlag(*prefer);
    if (!options_.has("allow_gpu_fallback")) set_flag("DIRECT_IO", "--use-dla");
  }

 private:
  std::string list(std::string_view key) const { return pgb::list_text(options_.values(key)); }

  void set_flag(std::string_view name, const std::string& option, const char* types = nullptr) {
    const nv::BuilderFlag* flag = find_name<nv::BuilderFlag>(name);
    if (!flag) {
      throw not_available(option, library_,
                          types ? types_of_the_model(library_, types) : std::string());
    }
    config_.setFlag(*flag);
  }

  nv::IBuilderConfig& config_;
  const Library& library_;
  Logger& logger_;
  const pgb::Options& options_;
};

// "8.6" -> 86. Throws pgb::Failure.
int32_t capability_in(const std::string& text, const std::vector<std::string>& all) {
  const size_t dot = text.find('.');
  const auto is_number = [](std::string_view digits) {
    return !digits.empty() && digits.size() <= 3 &&
           digits.find_first_not_of("0123456789") == std::string_view::npos;
  };
  if (dot == std::string::npos || !is_number(std::string_view(text).substr(0, dot)) ||
      !is_number(std::string_view(text).substr(dot + 1))) {
    throw pgb::bad_option("Invalid compute capabilities format: " + pgb::list_text(all),
                          "Expected format: MAJOR.MINOR, such as 8.6.");
  }
  return std::stoi(text.substr(0, dot)) * 10 + std::stoi(text.substr(dot + 1));
}

// The GPUs that an engine is for, where it need not be the one at hand: RTX alone.
template <typename Config>
void set_compute_capabilities(Config& config, const Library& library, Logger& logger,
                              const pgb::Options& options) {
  const std::vector<std::string> wanted = options.values("compute_capabilities");
  if (!options.has("use_gpu") && wanted.empty()) return;
  const char* option = wanted.empty() ? "--use-gpu" : "--compute-capabilities";
  if constexpr (requires { config.setNbComputeCapabilities(1); }) {
    using Capability = decltype(config.getComputeCapability(0));
    constexpr std::array kKnown = {Capability::kSM75, Capability::kSM80,  Capability::kSM86,
                                   Capability::kSM89, Capability::kSM120, Capability::kSM121};
    std::vector<Capability> capabilities;
    if (wanted.empty()) capabilities.push_back(Capability::kCURRENT);
    for (const std::string& text : wanted) {
      const auto known = static_cast<Capability>(capability_in(text, wanted));
      if (std::find(kKnown.begin(), kKnown.end(), known) == kKnown.end()) {
        throw pgb::bad_option(
            "--compute-capabilities: " + library.name() + " does not support " + text,
            "Supported: 7.5, 8.0, 8.6, 8.9, 12.0, 12.1.");
      }
      capabilities.push_back(known);
    }
    const auto count = static_cast<int32_t>(capabilities.size());
    bool set = config.setNbComputeCapabilities(count);
    for (int32_t i = 0; set && i < count; ++i)
      set = config.setComputeCapability(capabilities[i], i);
    if (!set) throw logger.failure(std::string(option) + " is not supported by " + library.name());
  } else {
    throw not_available(option, library, "It builds engines for the GPU of this machine only.");
  }
}

// The options that only TensorRT 10 has classes for.
void refuse_what_is_gone(const Library& library, const pgb::Options& options) {
  if (library.family() == Family::kTensorRt10) return;
  for (const char* key : {"calibration_cache", "calib_base_cls", "quantile", "regression_cutoff",
                          "quantization_flags"}) {
    if (options.has(key))
      throw not_available(spelling_of(key), library, types_of_the_model(library, kQuantize));
  }
  for (const char* key : {"save_tactics", "load_tactics"}) {
    if (!options.has(key)) continue;
    throw not_available(
        spelling_of(key), library,
        library.family() == Family::kRtx
            ? "TensorRT-RTX chooses algorithms when the engine runs: leave the option out."
            : "TensorRT 11 removed tactic replays: use --save-timing-cache and --load-timing-cache "
              "to rebuild the same engine.");
  }
}

}  // namespace

Configuration make_config(Network& network, const Library& library, Logger& logger,
                          const pgb::Options& options) {
  refuse_what_is_gone(library, options);
  nv::IBuilder& builder = network.builder();
  Owned<nv::IBuilderConfig> config(builder.createBuilderConfig());
  if (!config) throw logger.failure(library.name() + " cannot create a builder configuration");
  Settings set(*config, library, logger, options);
  set.set_flags();
  set.set_memory_pools();
  set.set_lists();
  set.set_levels();
  set.set_dla(builder);
  set_compute_capabilities(*config, library, logger, options);
  set_quantization_flags(*config, library, options);
  const AddedProfile profile = add_profiles(profiles_of(logger.host(), options), builder,
                                            network.network(), *config, library, logger);
  std::shared_ptr<Calibration> calibration =
      make_calibrator(*config, network.network(), profile, logger, options);
  std::shared_ptr<TacticSelector> tactics = make_tactic_selector(*config, logger, options);
  Owned<nv::ITimingCache> timing_cache = load_timing_cache(*config, logger, options);
  return {std::move(timing_cache), std::move(calibration), std::move(tactics), std::move(config)};
}

}  // namespace tensorrt::TENSORRT_FAMILY
