#include "polygraphy/diagnosis/reduce/reduce.h"

#include <gmock/gmock.h>

#include "base/error.h"
#include "base/os/testdata/temporary_folder.h"
#include "graphsurgeon/io/load.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "polygraphy/diagnosis/reduce/reduce_job.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;
using testing::ElementsAre;
using testing::HasSubstr;

// Fails where the model has this operator.
class HasOperator : public Check {
 public:
  explicit HasOperator(std::string op) : op_(std::move(op)) {}
  CheckResult run(const std::string& artifact) override {
    const Model model = graphsurgeon::load_model(artifact);
    for (const auto& node : model.graph->nodes()) {
      if (node->op() == op_) return {.passed = false, .signature = "it is there"};
    }
    return {.passed = true};
  }

 private:
  std::string op_;
};

class ReduceTest : public testing::Test {
 protected:
  ReduceTest() {
    options_.check = [](const CandidateInputs&) -> MakeCheck {
      return [](Logger&, CancelToken) { return std::make_unique<HasOperator>("Softsign"); };
    };
    options_.loop.artifact = folder_.path() + "/candidate.onnx";
    options_.feeds = [](Logger& log) { return generated_feeds({}, log); };
  }

  ReduceResult reduced() { return reduce(model_, options_, log_); }
  static std::vector<std::string> ops(const Model& model) {
    std::vector<std::string> result;
    for (const auto& node : model.graph->nodes()) result.emplace_back(node->op());
    return result;
  }

  const TemporaryFolder folder_;
  const Model model_ = graphsurgeon::parse_onnx_text(R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[2] x) => (float[2] y) <float[2] a, float[2] b, float[2] c> {
      a = Relu(x) b = Softsign(a) c = Neg(b) y = Exp(c)
    })");
  ReduceOptions options_;
  Logger log_;
};

TEST_F(ReduceTest, EachModeFindsTheNodeAtFault) {
  options_.write = [](const Model& candidate, const std::string& path, Logger&) {
    graphsurgeon::save_model(candidate, path);
  };
  for (const ReduceMode mode : {ReduceMode::kBisect, ReduceMode::kLinear, ReduceMode::kAuto}) {
    options_.mode = mode;
    const ReduceResult result = reduced();
    ASSERT_TRUE(result.bad);
    EXPECT_THAT(ops(*result.bad), ElementsAre("Softsign"));
    EXPECT_EQ(result.failure, "it is there");
    EXPECT_GT(result.checks, 0);
    EXPECT_FALSE(result.interrupted);
  }
}

TEST_F(ReduceTest, FoldingIsOfferedOnlyWhereItFolds) {
  const auto warnings = [&](const char* shape) {
    const std::string path = folder_.path() + "/m.onnx";
    graphsurgeon::save_model(
        graphsurgeon::parse_onnx_text(
            std::string(R"(<ir_version: 8, opset_import: ["": 17]> g (float)") + shape +
            R"( x, float[2, 3] w) => (a, b) {
          a = Shape(x) b = Relu(w) })"),
        path);
    std::string said;
    Logger log([&](Severity, std::string_view text) { said += text; });
    ReduceJob job;
    job.model.path = path;
    static_cast<void>(load_for_reduction(job, log));
    return said;
  };
  EXPECT_THAT(warnings("[2, 3]"), HasSubstr("--fold-constants"));
  EXPECT_THAT(warnings("[N, 3]"), testing::Not(HasSubstr("--fold-constants")));
}

TEST_F(ReduceTest, SharedCandidatesLieWhereTemporaryFilesGo) {
  class SeesPath : public HasOperator {
   public:
    explicit SeesPath(std::string& path) : HasOperator("Softsign"), path_(path) {}
    CheckResult run(const std::string& artifact) override {
      path_ = artifact;
      return HasOperator::run(artifact);
    }

   private:
    std::string& path_;
  };
  std::string path;
  options_.check = [&](const CandidateInputs&) -> MakeCheck {
    return [&](Logger&, CancelToken) { return std::make_unique<SeesPath>(path); };
  };
  const char* before = ::getenv("TMPDIR");
  const std::string kept = before ? before : "";
  ::setenv("TMPDIR", folder_.path().c_str(), 1);
  reduced();
  before ? ::setenv("TMPDIR", kept.c_str(), 1) : ::unsetenv("TMPDIR");
  EXPECT_THAT(path, testing::StartsWith(folder_.path()));
}

TEST_F(ReduceTest, AModelThatPassesIsNotReduced) {
  options_.check = [](const CandidateInputs&) -> MakeCheck {
    return [](Logger&, CancelToken) { return std::make_unique<HasOperator>("Cos"); };
  };
  EXPECT_FALSE(reduced().bad);
}

TEST_F(ReduceTest, AJournalKnowsTheVerdictsOfAnEarlierCall) {
  options_.mode = ReduceMode::kAuto;
  options_.journal = {.path = folder_.path() + "/journal.jsonl"};
  const ReduceResult first = reduced();
  EXPECT_GT(first.checks, 0);
  options_.journal->resume = true;
  const ReduceResult again = reduced();
  EXPECT_EQ(again.checks, 0);
  EXPECT_THAT(ops(*again.bad), ElementsAre("Softsign"));

  options_.journal->check = fingerprint("another check");
  try {
    reduced();
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("belongs to another reduction"));
  }
}

}  // namespace
}  // namespace polygraphy
