#include "polygraphy/facade/tensorrt_options.h"

#include <gmock/gmock.h>

#include <set>

#include "polygraphy/runtimes/backend/backend_catalog.h"

namespace polygraphy {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

TrtNetwork full_network() {
  return {.name = "n",
          .plugins = {"p.so"},
          .parser_flags = {"native_instancenorm"},
          .plugin_instancenorm = true,
          .outputs = {"*"},
          .exclude_outputs = {"a"},
          .outputs_by_type = {"CONVOLUTION"},
          .layer_precisions = {{"conv", "float16"}},
          .tensor_types = {{"x", "float16"}},
          .tensor_formats = {{"x", {"chw4", "linear"}}},
          .strongly_typed = true,
          .debug_tensors = {"h"},
          .unfused_are_debug = true};
}

TrtConfig full_config() {
  TrtConfig config{.profiles = {Profile().add("x", {1, 4}, {2, 4}, {8, 4})},
                   .tf32 = true,
                   .fp16 = true,
                   .bf16 = true,
                   .fp8 = true,
                   .int8 = true,
                   .precision_constraints = "obey",
                   .sparse_weights = true,
                   .version_compatible = true,
                   .exclude_lean_runtime = true,
                   .load_timing_cache = "l",
                   .error_on_timing_cache_miss = true,
                   .disable_compilation_cache = true,
                   .tactic_sources = {{"CUBLAS"}},
                   .restricted = true,
                   .refittable = true,
                   .strip_plan = true,
                   .use_dla = true,
                   .allow_gpu_fallback = true};
  config.calibrator = Calibrator{.cache = "c"};
  config.save_timing_cache = "s";
  config.memory_pool_limits = {{"workspace", 1024}};
  config.preview_features = config.quantization_flags = std::vector<std::string>{};
  config.builder_optimization_level = config.max_aux_streams = 3;
  config.hardware_compatibility_level = "ampere_plus";
  config.profiling_verbosity = "none";
  config.weight_streaming = config.direct_io = true;
  config.runtime_platform = "windows_amd64";
  config.tiling_optimization_level = "fast";
  config.engine_capability = "standard";
  return config;
}

TEST(TrtOptions, NothingIsSaidOfWhatIsNotSet) {
  EXPECT_THAT(options_of(TrtNetwork()), IsEmpty());
  EXPECT_THAT(options_of(TrtConfig()), IsEmpty());
}

TEST(TrtOptions, AllAreOptionsOfTheBackEnd) {
  std::set<std::string> known, given;
  for (const auto* table : backend_option_tables()) {
    if (table->name != std::string_view("tensorrt")) continue;
    for (size_t i = 0; i < table->option_count; ++i) known.emplace(table->options[i].key);
  }
  for (const BackendOptions& options : {options_of(full_network()), options_of(full_config())}) {
    for (const auto& [key, values] : options) {
      EXPECT_TRUE(known.contains(key)) << key;
      EXPECT_TRUE(given.insert(key).second) << key;
    }
  }
  EXPECT_EQ(given.size(), 13u + 35u);
}

TEST(TrtOptions, ValuesHaveTheFormsOfTheCommandLine) {
  const TrtNetwork network{.layer_precisions = {{"a", "float32"}, {"b:0", "float16"}},
                           .tensor_formats = {{"x", {"chw4", "linear"}}},
                           .options = {{"mark_debug", {"h"}}}};
  EXPECT_THAT(options_of(network),
              ElementsAre(Pair("layer_precisions", ElementsAre("a:float32", "b:0:float16")),
                          Pair("tensor_formats", ElementsAre("x:[chw4,linear]")),
                          Pair("mark_debug", ElementsAre("h"))));
  const TrtConfig config{
      .profiles = {Profile().add("x", {1, 4}, {2, 4}, {8, 4}).add("n", {}, {}, {})},
      .tactic_sources = {std::vector<std::string>{}}};
  EXPECT_THAT(options_of(config),
              ElementsAre(Pair("trt_min_shapes", ElementsAre("x:[1,4]", "n:[]")),
                          Pair("trt_opt_shapes", ElementsAre("x:[2,4]", "n:[]")),
                          Pair("trt_max_shapes", ElementsAre("x:[8,4]", "n:[]")),
                          Pair("tactic_sources", IsEmpty())));
}

}  // namespace
}  // namespace polygraphy
