// Each option reaches the call that it stands for, or is an error with this version.
#include "fixture.h"

namespace polygraphy::cli {
namespace {

constexpr const char* kGone = "";  // an error: not available

struct OptionCase {
  std::vector<std::string> option;
  const char *ten, *eleven, *rtx;  // the recording
  bool fails = false;              // the build, with this model
};

std::ostream& operator<<(std::ostream& out, const OptionCase& test) {
  for (const std::string& word : test.option) out << word << ' ';
  return out;
}

OptionCase same(std::vector<std::string> option, const char* call) {
  return {std::move(option), call, call, call, false};
}

std::vector<OptionCase> cases() {
  return {
      {{"--fp16"}, "setFlag(kFP16)", kGone, kGone},
      {{"--bf16"}, "setFlag(kBF16)", kGone, kGone},
      {{"--fp8"}, "setFlag(kFP8)", kGone, kGone},
      {{"--int8"}, "setFlag(kINT8)", kGone, kGone},
      {{"--use-gpu"}, kGone, kGone, "setComputeCapability(kCURRENT, 0)"},
      {{"--compute-capabilities", "8.6", "12.0"}, kGone, kGone, "setComputeCapability(kSM120, 1)"},
      {{"--save-tactics", "tactics.json"}, "setAlgorithmSelector(", kGone, kGone},
      {{"--precision-constraints", "obey"}, "setFlag(kOBEY_PRECISION_CONSTRAINTS)", kGone, kGone},
      {{"--precision-constraints", "prefer"},
       "setFlag(kPREFER_PRECISION_CONSTRAINTS)",
       kGone,
       kGone},
      {{"--quantization-flags", "calibrate_before_fusion"},
       "setQuantizationFlag(kCALIBRATE_BEFORE_FUSION)",
       kGone,
       kGone},
      {{"--tactic-sources", "CUDNN"}, "setTacticSources(kCUDNN)", kGone, kGone},
      {{"--layer-precisions", "node_of_a:float16"}, "setPrecision(kHALF)", kGone, kGone},
      {{"--tensor-dtypes", "x:float16"}, "setType(kHALF)", kGone, kGone},
      {{"--all-tensor-dtypes", "float16"}, "setType(kHALF)", kGone, kGone},
      same({"--tf32"}, "setFlag(kTF32)"),
      same({"--sparse-weights"}, "setFlag(kSPARSE_WEIGHTS)"),
      same({"--version-compatible"}, "setFlag(kVERSION_COMPATIBLE)"),
      same({"--version-compatible", "--exclude-lean-runtime"}, "setFlag(kEXCLUDE_LEAN_RUNTIME)"),
      {{"--error-on-timing-cache-miss"},
       "setFlag(kERROR_ON_TIMING_CACHE_MISS)",
       "setFlag(kERROR_ON_TIMING_CACHE_MISS)",
       "setFlag(kERROR_ON_TIMING_CACHE_MISS)",
       true},
      same({"--disable-compilation-cache"}, "setFlag(kDISABLE_COMPILATION_CACHE)"),
      same({"--refittable"}, "setFlag(kREFIT)"),
      same({"--strip-plan"}, "setFlag(kSTRIP_PLAN)"),
      same({"--weight-streaming"}, "setFlag(kWEIGHT_STREAMING)"),
      same({"--allow-gpu-fallback"}, "setFlag(kGPU_FALLBACK)"),
      same({"--direct-io"}, "setFlag(kDIRECT_IO)"),
      same({"--trt-safety-restricted"}, "setFlag(kSAFETY_SCOPE)"),
      same({"--pool-limit", "workspace:1M"}, "setMemoryPoolLimit(kWORKSPACE, 1048576)"),
      same({"--preview-features", "aliased_plugin_io_10_03"},
           "setPreviewFeature(kALIASED_PLUGIN_IO_10_03, true)"),
      same({"--builder-optimization-level", "4"}, "setBuilderOptimizationLevel(4)"),
      same({"--hardware-compatibility-level", "ampere_plus"},
           "setHardwareCompatibilityLevel(kAMPERE_PLUS)"),
      same({"--max-aux-streams", "2"}, "setMaxAuxStreams(2)"),
      same({"--profiling-verbosity", "none"}, "setProfilingVerbosity(kNONE)"),
      same({"--runtime-platform", "windows_amd64"}, "setRuntimePlatform(kWINDOWS_AMD64)"),
      same({"--tiling-optimization-level", "fast"}, "setTilingOptimizationLevel(kFAST)"),
      same({"--engine-capability", "standard"}, "setEngineCapability(kSTANDARD)"),
      same({"--tensor-formats", "x:[linear,chw4]"}, "setAllowedFormats(kLINEAR|kCHW4)"),
      same({"--all-tensor-formats", "linear"}, "setAllowedFormats(kLINEAR)"),
      same({"--mark-debug", "a"}, "markDebug("),
      same({"--mark-unfused-tensors-as-debug-tensors"}, "markUnfusedTensorsAsDebugTensors("),
      same({"--onnx-flags", "native_instancenorm"}, "setFlags(kNATIVE_INSTANCENORM)"),
      same({"--plugin-instancenorm"}, "clearFlag(kNATIVE_INSTANCENORM)"),
      same({"--trt-exclude-outputs", "y", "--trt-outputs", "a", "y"}, "unmarkOutput("),
  };
}

class Options : public TensorRt, public testing::WithParamInterface<OptionCase> {
 protected:
  void expect(const std::string& set, const std::string& call) {
    std::vector<std::string> args = {"convert", model(kSum), "-o", "m.engine"};
    args.insert(args.end(), GetParam().option.begin(), GetParam().option.end());
    const Outcome seen = run(args, set);
    if (call.empty()) {
      EXPECT_EQ(seen.code, 1) << set;
      EXPECT_THAT(seen.err, AllOf(HasSubstr(GetParam().option.front()),
                                  testing::AnyOf(HasSubstr("is not available with TensorRT"),
                                                 HasSubstr("has no value"))))
          << set;
    } else {
      EXPECT_EQ(seen.code, GetParam().fails ? 1 : 0) << set << seen.err;
      EXPECT_THAT(recorded(), HasSubstr(call)) << set << seen.err;
    }
  }
};

TEST_P(Options, ReachTheBuilder) {
  expect("10", GetParam().ten);
  expect("11", GetParam().eleven);
  expect("rtx", GetParam().rtx);
}

INSTANTIATE_TEST_SUITE_P(Options, Options, testing::ValuesIn(cases()), [](const auto& each) {
  std::string name = std::to_string(each.index);
  for (const char c : each.param.option.front()) name += std::isalnum(c) ? c : '_';
  return name;
});

TEST_F(TensorRt, ValuesThatItDoesNotKnow) {
  const std::string name = model(kSum);
  const auto error = [&](std::vector<std::string> option) {
    option.insert(option.begin(), {"convert", name, "-o", "m.engine"});
    const Outcome seen = run(option);
    EXPECT_EQ(seen.code, 1);
    return seen.err;
  };
  EXPECT_THAT(error({"--pool-limit", "lake:1M"}),
              AllOf(HasSubstr("TensorRT 10.16.0 has no value 'lake'"), HasSubstr("'WORKSPACE'")));
  EXPECT_THAT(error({"--builder-optimization-level", "9"}), HasSubstr("is at most 5"));
  EXPECT_THAT(error({"--exclude-lean-runtime"}),
              HasSubstr("`--exclude-lean-runtime` requires `--version-compatible` to be enabled."));
  EXPECT_THAT(error({"--use-dla"}), HasSubstr("this machine has no DLA core"));
  EXPECT_THAT(run({"convert", name, "-o", "m.engine", "--compute-capabilities", "86"}, "rtx").err,
              HasSubstr("Invalid compute capabilities format: ['86']"));
  EXPECT_THAT(run({"convert", name, "-o", "m.engine", "--compute-capabilities", "9.0"}, "rtx").err,
              HasSubstr("does not support 9.0"));
  EXPECT_THAT(error({"--mark-debug", "q"}), HasSubstr("the network has no tensor 'q'"));
  EXPECT_THAT(error({"--tensor-formats", "q:[linear]"}),
              HasSubstr("'q' is not an input or output of the network"));
}

TEST_F(TensorRt, WhatTakesTheirPlaceIsOfTheFamily) {
  const std::vector<std::string> args = {"convert", model(kSum), "-o", "m.engine", "--fp16"};
  EXPECT_THAT(run(args, "11").err, HasSubstr("Since TensorRT 11 types come from the model"));
  EXPECT_THAT(run(args, "rtx").err,
              AllOf(HasSubstr("TensorRT-RTX takes types from the model: `polygraphy surgeon"),
                    Not(HasSubstr("TensorRT 11"))));
}

TEST_F(TensorRt, AttentionsAreDecomposed) {
  const std::string name = model(
      "<ir_version: 10, opset_import: [\"\": 23]>\n"
      "g (float[1,2,4,8] q, float[1,2,4,8] k, float[1,2,4,8] v) => (float[1,2,4,8] y) {\n"
      "  y = Attention(q, k, v) }");
  for (const char* set : {"10", "11", "rtx"}) {
    EXPECT_EQ(run({"convert", name, "-o", "m.engine"}, set).code, 0) << set;
    EXPECT_THAT(recorded(), Not(HasSubstr("setDecomposable"))) << set;
    EXPECT_EQ(run({"convert", name, "-o", "m.engine", "--decomposable-attentions"}, set).code, 0);
    EXPECT_THAT(recorded(), HasSubstr("setDecomposable(true)")) << set;
  }
}

}  // namespace
}  // namespace polygraphy::cli
