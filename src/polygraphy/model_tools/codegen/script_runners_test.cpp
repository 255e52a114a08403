#include "polygraphy/model_tools/codegen/script_runners.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace polygraphy {
namespace {

using testing::HasSubstr;
using RunnerKind = RunScript::Runner::Kind;

RunScript script_of(const std::string& spec, const std::string& format = "onnx") {
  RunScript script;
  script.model.source = {.path = "m", .format = format};
  add_runners({parse_runner_spec(spec)}, script);
  return script;
}

std::string error_of(const std::string& spec, const std::string& format = "onnx") {
  try {
    script_of(spec, format);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), kNotInOriginal);
    return error.what();
  }
  return "nothing was thrown";
}

TEST(ScriptRunners, OfOnnxRuntime) {
  const RunScript script =
      script_of("onnxrt providers=cpu graph_optimization_level=ORT_DISABLE_ALL");
  ASSERT_EQ(script.runners.size(), 1u);
  EXPECT_EQ(script.runners[0].kind, RunnerKind::kOnnxRuntime);
  EXPECT_THAT(script.runners[0].providers, testing::ElementsAre("cpu"));
  EXPECT_EQ(script.runners[0].graph_optimization_level, "ORT_DISABLE_ALL");
}

TEST(ScriptRunners, OfTensorRt) {
  const RunScript script = script_of("tensorrt --input=x:[2,-1]:float32");
  EXPECT_EQ(script.runners[0].kind, RunnerKind::kTensorRt);
  ASSERT_EQ(script.trt.config.profiles.size(), 1u);
  EXPECT_EQ((*script.trt.config.profiles[0].find("x"))[1], (Shape{2, 1}));
  EXPECT_EQ(script_of("tensorrt", "engine").trt.engine.path, "m");
}

TEST(ScriptRunners, OfAModelOfTensorFlow) {
  const RunScript script = script_of("onnxrt", "keras");
  ASSERT_TRUE(script.model.tensorflow);
  EXPECT_EQ(script.model.tensorflow->format, TfScript::Format::kKeras);
}

TEST(ScriptRunners, WhatTheOriginalLacks) {
  EXPECT_THAT(error_of("openvino"), HasSubstr("no such runner"));
  EXPECT_THAT(error_of("./program.sh"), HasSubstr("no such runner"));
  EXPECT_THAT(error_of("onnxrt --isolated"), HasSubstr("separate processes"));
  EXPECT_THAT(error_of("onnxrt --library=l.so"), HasSubstr("libraries"));
  EXPECT_THAT(error_of("onnxrt disable_optimizers=a"), HasSubstr("disable_optimizers"));
  EXPECT_THAT(error_of("tensorrt fp16"), HasSubstr("fp16"));
  EXPECT_THAT(error_of("onnxrt", "engine"), HasSubstr("of type engine"));
  EXPECT_THAT(error_of("onnxrt", "saved_model"), HasSubstr("of type saved_model"));
}

}  // namespace
}  // namespace polygraphy
