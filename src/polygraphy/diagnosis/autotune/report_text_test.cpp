#include "polygraphy/diagnosis/autotune/report_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace polygraphy {
namespace {

using testing::HasSubstr;

AutotuneReport two_attempts() {
  return {.model = "m.onnx",
          .runner = "onnxrt",
          .inputs = "x:[1,3]",
          .mode = "greedy",
          .warm_up = 2,
          .runs = 10,
          .found = {"p 0 (x -> y)", "q 0 (a, b -> c)", "q 1 (c -> d)"},
          .attempts = {{"p 0", Duel{0.004, 0.003, true}, ""},
                       {"q 0", Duel{0.003, 0.0031, false}, ""},
                       {"q 1", std::nullopt, "no such operator: Q\nsecond line"}},
          .kept = {"p 0 (x -> y)"},
          .result = Duel{0.004, 0.003, true},
          .output = "out.onnx"};
}

TEST(ReportText, SaysWhatWasTriedAndKept) {
  EXPECT_EQ(report_text(two_attempts()),
            "Model:    m.onnx\nRunner:   onnxrt\nInputs:   x:[1,3]\nMeasured: 10 run(s) after 2, "
            "in turns; latencies are medians\nMode:     greedy\n\n3 replacement(s) found:\n    p 0 "
            "(x -> y)\n    q 0 (a, b -> c)\n    q 1 (c -> d)\n\n3 candidate(s), each beside the "
            "best one so far:\n    tried  best before  candidate  result\n    p 0    4 ms         "
            "3 ms       25.0 % less, kept\n    q 0    3 ms         3.1 ms     3.3 % more, not "
            "kept\n    q 1    -            -          rejected: no such operator: Q second "
            "line\n\n1 replacement(s) kept:\n    p 0 (x -> y)\n\nUnmodified model: 4 ms\nBest "
            "model:       3 ms (25.0 % less)\nSaved to:         out.onnx\n");
}

TEST(ReportText, SaysThatItIsNotAll) {
  AutotuneReport report = two_attempts();
  report.result = std::nullopt;
  report.inputs = "";
  EXPECT_THAT(report_text(report), HasSubstr("Interrupted: the best model so far.\n"));
  EXPECT_THAT(report_text(report), HasSubstr("Inputs:   none\n"));
}

TEST(ReportText, Figures) {
  EXPECT_EQ(milliseconds(0.00321456), "3.215 ms");
  EXPECT_EQ(milliseconds(1.5), "1500 ms");
  EXPECT_EQ(change_text(2, 2), "0.0 % less");
  EXPECT_EQ(change_text(0, 2), "0.0 % less");
  EXPECT_EQ(change_text(2, 3), "50.0 % more");
}

}  // namespace
}  // namespace polygraphy
