#include "polygraphy/comparison/compare/postprocess_results.h"

#include <gtest/gtest.h>

#include "base/testdata/log_text.h"

namespace polygraphy {
namespace {

RunResults results() {
  IterationResult one;
  one.runner_name = "R";
  one.outputs = {{"x", Array::of<float>({3}, {1, 3, 2})}, {"y", Array::of<float>({3}, {1, 3, 2})}};
  return {{{"R", {one, one}}}};
}

TEST(PostprocessResults, OutputsWithoutAFunctionStay) {
  const OutputFunctions functions{{"y", parse_postprocess("top-1")}};
  RunResults run = results();
  LogText log;
  postprocess_run(run, *edit_of(functions), log.log());
  EXPECT_EQ(log.take(),
            "[I] Applying post-processing to outputs: TopKPostprocessFunc\n"
            "[I] Finished applying post-processing\n");
  for (const IterationResult& result : run.runners[0].second) {
    EXPECT_EQ(result.outputs.find("x")->dtype(), DataType::kFloat32);
    EXPECT_EQ(result.outputs.find("y")->get_int64(0), 1);
  }
}

TEST(PostprocessResults, AnOutputsOwnFunctionComesBeforeTheDefault) {
  const OutputFunctions functions{{"", parse_postprocess("top-1")},
                                  {"y", parse_postprocess("top-2")}};
  const RunResults run = results();
  LogText log(Severity::kVerbose);
  const auto stream = postprocessed(stored_results(run), edit_of(functions), log.log());
  for (int i = 0; i < 2; ++i) {
    const auto next = stream->next();
    ASSERT_TRUE(next);
    EXPECT_EQ(next->front().outputs.find("x")->shape(), Shape{1});
    EXPECT_EQ(next->front().outputs.find("y")->shape(), Shape{2});
  }
  EXPECT_FALSE(stream->next());
  EXPECT_EQ(log.take(),
            "[V] Will apply post-processing to streamed outputs: TopKPostprocessFunc\n");
  EXPECT_EQ(run.runners[0].second[0].outputs.find("x")->dtype(), DataType::kFloat32)
      << "what was stored stays";
}

}  // namespace
}  // namespace polygraphy
