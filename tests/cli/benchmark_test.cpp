// `run --benchmark` as users see it. Figures differ from run to run; everything around them is
// fixed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>

#include "base/text.h"
#include "cli/driver.h"
#include "cli/session/environment.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "in_process.h"

namespace polygraphy::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

// Figures in tables and lines as '#', columns two blanks apart.
std::string without_figures(const std::string& text) {
  const std::string masked =
      std::regex_replace(text, std::regex(R"(([ (])[0-9][0-9.e+-]*(x|%)?(?=[ \n]))"), "$1#$2");
  const std::string known = std::regex_replace(masked, std::regex(R"( \?(?=[ \n]))"), " #");
  return std::regex_replace(known, std::regex("([^ \n]) {2,}"), "$1  ");
}

// Peaks are left out: they are missing if the system does not report them, or if memory did not
// grow.
std::string json_without_figures(const std::string& text) {
  const std::string masked =
      std::regex_replace(text, std::regex(R"(([\n:]\s*)-?[0-9][0-9.e+-]*(?=[,\n]))"), "$1#");
  return std::regex_replace(masked, std::regex("\\n *\"peak_bytes\": #,"), "");
}

class BenchmarkTest : public testing::Test {
 protected:
  BenchmarkTest() {
    graphsurgeon::Model model = graphsurgeon::parse_onnx_text(
        R"(<ir_version: 8, opset_import: ["" : 17]>
        g (float[N, 3] x) => (float[N, 3] y) { [neg] y = Neg(x) })");
    graphsurgeon::save_model(model, folder_.path() + "/m.onnx");
  }
  Outcome run(const std::vector<std::string>& options) const {
    std::vector<std::string> args = {"run", "m.onnx", "--onnxrt"};
    args.insert(args.end(), options.begin(), options.end());
    Outcome outcome = run_in_process(args, {.root = folder_.path()});
    outcome.out = without_dates(outcome.out);
    return outcome;
  }

  const TemporaryFolder folder_;
};

// Each look at the clock takes a second.
double second() {
  static double seconds = 0;
  return ++seconds;
}

class Terminal : public TextStream {
 public:
  bool terminal() const override { return true; }
};

TEST_F(BenchmarkTest, ShowsItsProgressOnATerminal) {
  TextStream out;
  Terminal err;
  const char* nothing[] = {nullptr};
  Environment env{.out = out,
                  .err = err,
                  .variables = nothing,
                  .executable = PG_BINARY_DIR "/bin/polygraphy",
                  .root = folder_.path(),
                  .clock = second};
  const int code = run_command_line(
      env, {"polygraphy", "run", "m.onnx", "--onnxrt", "--benchmark", "--benchmark-runs", "9"});
  EXPECT_EQ(code, 0) << err.text() << out.text();
  // The clock of the test moves with each look at it.
  EXPECT_THAT(err.text(), testing::ContainsRegex(
                              "run:  50%[|]█████     [|] 7/14 \\[0:[0-9][0-9]<0:[0-9][0-9]\\]"));
  EXPECT_THAT(out.text(), Not(HasSubstr("run 7")));
}

TEST_F(BenchmarkTest, ATableForEachSetOfShapes) {
  const Outcome outcome = run({"--onnxrt", "--benchmark", "--benchmark-batch", "1", "4",
                               "--benchmark-runs", "3", "--benchmark-nodes", "1"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const size_t begin = outcome.out.find("[I] onnxrt-runner-N0-<date> | Loaded"),
               end = outcome.out.find("[I] PASSED");
  ASSERT_NE(begin, std::string::npos) << outcome.out;
  const auto table = [](const std::string& shape) {
    return "[I] Benchmark | x:[" + shape + R"(] | # run(s)
        Runner [ms]  min  mean  p50  p90  p99  max  runs/s  samples/s  peak MiB  ratio
        onnxrt-runner-N0-<date>  #  #  #  #  #  #  #  #  #  #x
        onnxrt-runner-N1-<date>  #  #  #  #  #  #  #  #  #  #x
[I]  onnxrt-runner-N0-<date> | Slowest of # node(s), # us in total
            Node  op  us  share
            neg  Neg  #  #%
[I]  onnxrt-runner-N1-<date> | Slowest of # node(s), # us in total
            Node  op  us  share
            neg  Neg  #  #%
)";
  };
  EXPECT_EQ(without_figures(outcome.out.substr(begin, end - begin)),
            "[I] onnxrt-runner-N0-<date> | Loaded in # ms\n"
            "[I] onnxrt-runner-N1-<date> | Loaded in # ms\n" +
                table("1,3") + table("4,3"));
  EXPECT_THAT(outcome.out, HasSubstr("x:[4,3] | 3 run(s)"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("Accuracy"))) << "nothing else was asked for";
}

TEST_F(BenchmarkTest, AFailureNamesTheOptionThatHelps) {
  graphsurgeon::save_model(graphsurgeon::parse_onnx_text(
                               R"(<ir_version: 8, opset_import: ["" : 17]>
        g (float[2, 3] x) => (float[2, 3] y) { y = Neg(x) })"),
                           folder_.path() + "/m.onnx");
  const Outcome outcome = run({"--benchmark", "--benchmark-batch", "8"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out + outcome.err, HasSubstr("Give whole shapes with --benchmark-shapes"));
}

TEST_F(BenchmarkTest, WithoutAFigureThereIsNoPlot) {
  graphsurgeon::save_model(graphsurgeon::parse_onnx_text(
                               R"(<ir_version: 8, opset_import: ["" : 17]>
        g (float[2, 3] x) => (float[2, 3] y) { y = Neg(x) })"),
                           folder_.path() + "/m.onnx");
  const auto saved = [&](const std::string& batch) {
    return run({"--benchmark", "--benchmark-runs", "2", "--benchmark-batch", batch,
                "--save-benchmark", batch + ".json", "--save-benchmark-plot", batch + ".svg"});
  };
  const Outcome other = saved("8");
  EXPECT_EQ(other.code, 1);
  EXPECT_THAT(other.out + other.err, HasSubstr("No plot is saved: nothing was measured"));
  EXPECT_THAT(folder_.read("8.json"), HasSubstr("\"failure\": \"Cannot set a batch size of 8"));
  EXPECT_FALSE(std::filesystem::exists(folder_.path() + "/8.svg"));
  const Outcome own = saved("2");
  EXPECT_EQ(own.code, 0) << own.err;
  EXPECT_THAT(folder_.read("2.svg"), HasSubstr("<svg "));
}

TEST_F(BenchmarkTest, JsonAndAPicture) {
  const Outcome outcome =
      run({"--benchmark", "--benchmark-batch", "4", "--benchmark-runs", "2", "--benchmark-nodes",
           "1", "--save-benchmark", "b.json", "--save-benchmark-plot", "b.svg"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(json_without_figures(without_dates(folder_.read("b.json"))), R"({
    "benchmark_version": #,
    "runners": [
        {
            "name": "onnxrt-runner-N0-<date>",
            "load_seconds": #
        }
    ],
    "cases": [
        {
            "inputs": "x:[4,3]",
            "batch": #,
            "results": [
                {
                    "runner": "onnxrt-runner-N0-<date>",
                    "latency_seconds": {
                        "min": #,
                        "mean": #,
                        "p50": #,
                        "p90": #,
                        "p99": #,
                        "max": #
                    },
                    "runs_per_second": #,
                    "samples_per_second": #,
                    "runs_seconds": [
                        #,
                        #
                    ],
                    "nodes": [
                        {
                            "node": "neg",
                            "op": "Neg",
                            "kernel": "CPUExecutionProvider",
                            "microseconds": #,
                            "order": #
                        }
                    ]
                }
            ]
        }
    ]
}
)");
  EXPECT_THAT(folder_.read("b.json"), HasSubstr("\"batch\": 4,"));
  EXPECT_THAT(folder_.read("b.svg"), HasSubstr("<svg "));
}

TEST_F(BenchmarkTest, WhatDoesNotGoTogetherIsSaid) {
  EXPECT_THAT(run({"--benchmark-runs", "3"}).err,
              HasSubstr("--benchmark-runs has no effect without --benchmark"));
}

TEST_F(BenchmarkTest, ComparesTooWhereThatIsAskedForByName) {
  const Outcome outcome =
      run({"--onnxrt", "--benchmark", "--benchmark-runs", "1", "--compare", "simple"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("Accuracy Summary"));
  EXPECT_THAT(outcome.out, HasSubstr("Benchmark | x:[1,3] | 1 run(s)"));
}

}  // namespace
}  // namespace polygraphy::cli
