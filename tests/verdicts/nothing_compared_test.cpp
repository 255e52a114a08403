// A comparison of nothing never passes, however it comes about. One runner alone compares nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "../cli/in_process.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/onnx/onnx_text.h"

namespace polygraphy::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

class NothingCompared : public testing::Test {
 protected:
  NothingCompared() {
    write_model("hollow.onnx", "g (float[0,3] x) => (float[0,3] y) { y = Relu(x) }");
    write_model("full.onnx",
                "g (float[64] x) => (float[64] y) { a = Relu(x) b = Neg(a) y = Exp(b) }");
  }
  void write_model(const std::string& name, const std::string& graph) const {
    folder_.write(name, graphsurgeon::encode_model(graphsurgeon::parse_onnx_text(
                            "<ir_version: 8, opset_import: [\"\": 17]>\n" + graph)));
  }
  void write_results(const std::string& name, const std::string& iterations) const {
    folder_.write(name, R"({"lst": [[")" + name + R"(", [)" + iterations +
                            R"(]]], "polygraphy_class": "RunResults"})");
  }
  // Returns the log.
  std::string run(std::vector<std::string> args, const std::vector<std::string>& more,
                  int code) const {
    args.insert(args.end(), more.begin(), more.end());
    const Outcome outcome = run_in_process(args, {.root = folder_.path(), .columns = 200});
    std::string words;
    for (const std::string& word : args) words += word + " ";
    EXPECT_EQ(outcome.code, code) << words << "\n" << outcome.out << outcome.err;
    return outcome.out + outcome.err;
  }

  const TemporaryFolder folder_;
};

const std::vector<std::string> kTwo = {"run", "hollow.onnx", "--onnxrt", "--onnxrt"};

TEST_F(NothingCompared, OfOutputsWithoutElements) {
  const std::vector<std::vector<std::string>> all = {
      {},
      {"--validate"},
      {"--sequential-runners"},
      {"--compare", "l2", "indices"},
      {"--compare", "l2", "--check-average"},
      {"--mem-limit", "1G"},
      {"--on", "local:2"},
      {"--on", "local:2", "--compare", "l2", "--check-average"},
      {"--noise-floor"},
  };
  for (const std::vector<std::string>& options : all) {
    const std::string log = run(kTwo, options, 1);
    EXPECT_THAT(log, HasSubstr("Nothing was compared: 1 output of ")) << options.size();
    EXPECT_THAT(log, HasSubstr("FAILED | Runtime"));
  }
  run(kTwo, {"--validate", "--output-dir", "r"}, 1);
  EXPECT_THAT(folder_.read("r/report.txt"), HasSubstr("Verdict: NOT COMPARED"));
}

TEST_F(NothingCompared, ByLocate) {
  for (const std::vector<std::string>& options :
       std::vector<std::vector<std::string>>{{}, {"--atol", "1e-3"}, {"--on", "local:1"}}) {
    const std::string log =
        run({"debug", "locate", "hollow.onnx", "--onnxrt", "--onnxrt"}, options, 3);
    EXPECT_THAT(log, HasSubstr("Nothing was compared: 1 output of "));
    EXPECT_THAT(log, HasSubstr("FAILED | Runtime"));
  }
}

TEST_F(NothingCompared, OfOneOutputIsSaidWhereOthersAgree) {
  write_model("half.onnx",
              "g (float[3] x, float[0,3] h) => (float[3] y, float[0,3] e) "
              "{ y = Relu(x) e = Relu(h) }");
  const std::vector<std::string> two = {"run", "half.onnx", "--onnxrt", "--onnxrt"};
  for (const std::vector<std::string>& options : std::vector<std::vector<std::string>>{
           {"--save-accuracy-results", "a.json"}, {"--noise-floor"}, {"--on", "local:2"}}) {
    EXPECT_THAT(run(two, options, 0), HasSubstr("; 'e' has no elements")) << options.front();
  }
  EXPECT_THAT(run({"check", "accuracy", "a.json"}, {}, 0), HasSubstr("; 'e' has no elements"));
  EXPECT_THAT(run({"zoo", "half.onnx", "--onnxrt", "--onnxrt"}, {"-o", "zoo.json"}, 0),
              HasSubstr("half.onnx | onnxrt | passed | 1 output agrees; 'e' has no elements"));
  EXPECT_THAT(folder_.read("zoo.json"), HasSubstr("\"1 output agrees; 'e' has no elements\""));
}

TEST_F(NothingCompared, OfResultsWithoutIterationsOrOutputs) {
  const std::string iteration =
      R"({"outputs": {}, "runtime": 0.1, "runner_name": "r", "polygraphy_class": "IterationResult"})";
  write_results("none.json", "");
  write_results("hollow.json", iteration);
  for (const char* name : {"none.json", "hollow.json"}) {
    EXPECT_THAT(run({"run", "--load-outputs", name, name}, {}, 1),
                HasSubstr("[W] Nothing was compared"));
  }
  EXPECT_THAT(run({"run", "full.onnx", "--onnxrt", "--load-outputs", "hollow.json"}, {}, 1),
              HasSubstr("no common outputs found"));
}

TEST_F(NothingCompared, OfSavedComparisons) {
  for (const std::vector<std::string>& functions : std::vector<std::vector<std::string>>{
           {"simple"}, {"indices"}, {"l2", "simple", "--check-average"}}) {
    std::vector<std::string> options = {"--save-accuracy-results", "a.json", "--compare"};
    options.insert(options.end(), functions.begin(), functions.end());
    run(kTwo, options, 1);
    EXPECT_THAT(run({"check", "accuracy", "a.json"}, {"--save-accuracy-results", "b.json"}, 1),
                HasSubstr("FAILED | Nothing was compared: 1 output of "));
    EXPECT_EQ(folder_.read("b.json"), folder_.read("a.json"));
  }
  EXPECT_THAT(run({"check", "accuracy", "a.json", "--l2-threshold", "1"}, {}, 1),
              HasSubstr("FAILED | Nothing was compared"));
}

TEST_F(NothingCompared, ByAZoo) {
  const std::vector<std::string> zoo = {"zoo", "hollow.onnx", "--onnxrt"};
  EXPECT_THAT(run(zoo, {"--onnxrt", "-o", "zoo.json"}, 3), HasSubstr("[W] Nothing was compared"));
  run(zoo, {"--onnxrt", "--baseline", "zoo.json"}, 3);
  run(zoo, {}, 0);
}

TEST_F(NothingCompared, ByOneRunnerIsNoFailure) {
  const std::vector<std::string> one = {"run", "full.onnx", "--onnxrt"};
  for (const std::vector<std::string>& options :
       std::vector<std::vector<std::string>>{{},
                                             {"--validate", "--output-dir", "r"},
                                             {"--sequential-runners"},
                                             {"--on", "local:2"},
                                             {"--save-outputs", "one.json"}}) {
    EXPECT_THAT(run(one, options, 0), Not(HasSubstr("FAILED")));
  }
  EXPECT_THAT(folder_.read("r/report.txt"), HasSubstr("Verdict: PASSED"));
  run({"run", "--load-outputs", "one.json"}, {}, 0);
  run({"run"}, {}, 0);
}

}  // namespace
}  // namespace polygraphy::cli
