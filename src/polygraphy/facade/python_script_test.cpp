#include "polygraphy/facade/python_script.h"

#include <gmock/gmock.h>

#include "base/error.h"

namespace polygraphy {
namespace {

using testing::HasSubstr;

TEST(RunScript, RunnersAndComparisonAreThoseOfTheCall) {
  Logger log;
  CompareOptions comparison;
  comparison.fail_fast = true;
  comparison.save_outputs = "out.json";
  const std::string script =
      run_script({.path = "m.onnx"}, {parse_runner_spec("onnxrt"), parse_runner_spec("onnxrt")},
                 comparison, {.seed = 3}, log);
  EXPECT_THAT(script, HasSubstr("SessionFromOnnx('m.onnx')"));
  EXPECT_THAT(script, HasSubstr("seed=3"));
  EXPECT_THAT(script, HasSubstr("out.json"));
}

TEST(RunScript, AveragesAreCheckedAsInRuns) {
  Logger log;
  CompareOptions comparison;
  comparison.check_average = true;
  comparison.fail_fast = true;
  EXPECT_THROW(run_script({.path = "m.onnx"}, {parse_runner_spec("onnxrt")}, comparison, {}, log),
               Error);
}

TEST(RunScript, TheOriginalMayLackARunner) {
  Logger log;
  EXPECT_THROW(run_script({.path = "m.onnx"}, {parse_runner_spec("openvino")}, {}, {}, log), Error);
}

}  // namespace
}  // namespace polygraphy
