#include "polygraphy/comparison/compare/report/comparison_document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graphsurgeon/onnx/onnx_text.h"
#include "polygraphy/comparison/compare/metric.h"

namespace polygraphy {
namespace {

using testing::HasSubstr;
using testing::Not;

const Metric& simple() {
  return *find_metric("simple");
}

class Report : public testing::Test {
 protected:
  void add(int64_t iteration, const std::string& name, const Array& a, const Array& b,
           bool passed) {
    const OutputResult result{.passed = passed, .figures = {0.5, 0.25}, .metric = &simple()};
    report_.compared(
        {iteration, "onnxrt-runner-N0", "openvino-runner-N0", name, name, a, b, {&result}, passed});
  }

  const graphsurgeon::Model model_ =
      graphsurgeon::parse_onnx_text(R"(g (float[2] x) => (float[2] y) {
      [first] a = Relu (x)  [second] b = Neg (a)  y = Abs (b) })");
  ComparisonReport report_{layers_of(*model_.graph), 2};
  const ReportFacts facts_{"polygraphy run m.onnx", "m.onnx", "FAILED", {}, {{"Log", "r/log.txt"}}};
  const Array good_ = Array::of<float>({2}, {1, 2});
};

TEST_F(Report, NamesOutputsThatAreNotFinite) {
  report_.validated(0, "onnxrt-runner-N0", "y", true);
  report_.validated(0, "onnxrt-runner-N0", "b", true);
  report_.validated(1, "onnxrt-runner-N0", "y", true);
  report_.validated(1, "onnxrt-runner-N0", "b", false);
  EXPECT_EQ(report_.text(facts_),
            "Command: polygraphy run m.onnx\n"
            "Model: m.onnx\n"
            "Verdict: FAILED\n"
            "Log: r/log.txt\n"
            "\n"
            "onnxrt-runner-N0: 1 of 2 tensors without NaN and infinity\n"
            "  INVALID | b holds NaN or infinity in 1 of 2 iterations, first in iteration 1\n"
            "    Layer: node 1 'second' [Op: Neg]\n");
  EXPECT_THAT(comparison_json(report_, facts_), HasSubstr("\"invalid_iterations\": 1"));
}

TEST_F(Report, NamesTheFirstBadLayerInTheOrderOfTheGraph) {
  add(0, "y", good_, Array::of<float>({2}, {1, 3}), false);
  add(0, "b", good_, Array::of<float>({2}, {1, 2.5F}), false);
  add(0, "a", good_, good_, true);
  EXPECT_EQ(report_.text(facts_),
            "Command: polygraphy run m.onnx\n"
            "Model: m.onnx\n"
            "Verdict: FAILED\n"
            "Log: r/log.txt\n"
            "\n"
            "onnxrt-runner-N0 vs. openvino-runner-N0: 1 of 3 tensors matched\n"
            "  First bad layer in the order of the graph: node 1 'second' [Op: Neg], tensor 'b'\n"
            "\n"
            "  FAILED | b [dtype=float32, shape=(2,)]\n"
            "    Layer: node 1 'second' [Op: Neg]\n"
            "    simple: failed | max_absdiff=0.5, max_reldiff=0.25\n"
            "    Worst elements:\n"
            "      index  onnxrt-runner-N0  openvino-runner-N0  difference\n"
            "      (1,)   2.0               2.5                 0.5\n"
            "\n"
            "  FAILED | y [dtype=float32, shape=(2,)]\n"
            "    Layer: node 2 (unnamed) [Op: Abs]\n"
            "    simple: failed | max_absdiff=0.5, max_reldiff=0.25\n"
            "    Worst elements:\n"
            "      index  onnxrt-runner-N0  openvino-runner-N0  difference\n"
            "      (1,)   2.0               3.0                 1\n"
            "\n"
            "  PASSED | a [dtype=float32, shape=(2,)]\n"
            "    Layer: node 0 'first' [Op: Relu]\n"
            "    simple: passed | max_absdiff=0.5, max_reldiff=0.25\n"
            "    No element differs.\n");
}

TEST_F(Report, OfManyIterationsTheWorstIsShownAndFailingOnesAreWorse) {
  add(0, "y", good_, Array::of<float>({2}, {1, 9}), true);
  add(1, "y", good_, Array::of<float>({2}, {1, 3}), false);
  add(2, "y", good_, Array::of<float>({2}, {1, 4}), false);
  add(3, "y", good_, good_, true);
  const std::string text = report_.text(facts_);
  EXPECT_THAT(text, HasSubstr("2 of 4 iterations failed; iteration 2, the worst:"));
  EXPECT_THAT(text, HasSubstr("(1,)   2.0               4.0"));
  EXPECT_THAT(text, Not(HasSubstr("9.0")));
}

TEST_F(Report, DifferentShapesAndTypesAreShown) {
  add(0, "y", good_, Array::of<double>({3}, {1, 2, 3}), false);
  EXPECT_THAT(
      report_.text(facts_),
      HasSubstr("FAILED | y [dtype=float32, shape=(2,)] with y [dtype=float64, shape=(3,)]"));
}

TEST_F(Report, JsonHasTheSameWithNumbersAsNumbers) {
  add(0, "y", good_, Array::of<float>({2}, {1, NAN}), false);
  EXPECT_EQ(comparison_json(report_, facts_), R"({
    "command": "polygraphy run m.onnx",
    "model": "m.onnx",
    "verdict": "FAILED",
    "files": {
        "log": "r/log.txt"
    },
    "validations": [],
    "comparisons": [
        {
            "runner0": "onnxrt-runner-N0",
            "runner1": "openvino-runner-N0",
            "first_bad_tensor": "y",
            "tensors": [
                {
                    "name": "y",
                    "name1": "y",
                    "layer": {
                        "name": "",
                        "op": "Abs",
                        "index": 2
                    },
                    "passed": false,
                    "iterations": 1,
                    "failed_iterations": 1,
                    "worst_iteration": 0,
                    "output0": {
                        "dtype": "float32",
                        "shape": [
                            2
                        ]
                    },
                    "output1": {
                        "dtype": "float32",
                        "shape": [
                            2
                        ]
                    },
                    "functions": [
                        {
                            "name": "simple",
                            "passed": false,
                            "figures": {
                                "max_absdiff": 0.5,
                                "max_reldiff": 0.25
                            }
                        }
                    ],
                    "worst_elements": [
                        {
                            "index": [
                                1
                            ],
                            "value0": "2.0",
                            "value1": "nan",
                            "difference": "NaN"
                        }
                    ]
                }
            ]
        }
    ]
}
)");
}

TEST_F(Report, SaysWhenNothingWasCompared) {
  EXPECT_THAT(report_.text(facts_), testing::EndsWith("\nNo outputs were compared.\n"));
}

}  // namespace
}  // namespace polygraphy
