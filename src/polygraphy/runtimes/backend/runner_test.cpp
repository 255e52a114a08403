#include "polygraphy/runtimes/backend/runner.h"

#include <gmock/gmock.h>

#include "base/error.h"
#include "base/progress.h"
#include "base/testdata/recording_log.h"

namespace polygraphy {
namespace {

using testing::ElementsAre;

// y = x, for inputs x (1, N) float32 and a sequence k of int64 tensors of unknown shape.
class EchoRunner final : public Runner {
 public:
  explicit EchoRunner(Logger* log) : Runner("echo-runner-N0", log) {}
  int activations = 0;
  int metadata_calls = 0;
  bool fail = false;

 private:
  void activate_impl() override {
    if (fail) throw Error("no luck");
    ++activations;
  }
  void deactivate_impl() noexcept override { --activations; }
  Metadata input_metadata_impl() override {
    ++metadata_calls;
    return {{"x", {DataType::kFloat32, DimList{1, "N"}, {}}},
            {"k", {DataType::kInt64, std::nullopt, {}, {}, ValueKind::kSequence}}};
  }
  Inference infer_impl(const ValueMap& feeds) override { return {{{"y", *feeds.find("x")}}, 0.25}; }
};

class RunnerTest : public testing::Test {
 protected:
  std::string error(const ValueMap& feeds) {
    try {
      runner_.infer(feeds);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }

  RecordingLog log_;
  EchoRunner runner_{&log_.log()};
  const Array x_ = Array::of<float>({1, 2}, {1, 2});
  const Array k_ = Array::of<int64_t>({}, {3});
};

TEST_F(RunnerTest, OnlyOptionalsMayBeAbsent) {
  const ActiveRunner active(runner_);
  EXPECT_THAT(error({{"x", x_}, {"k", Value()}}),
              testing::HasSubstr("Input tensor: k | Received unexpected kind: absent.\nNote: "
                                 "Expected kind: sequence"));
  EXPECT_THAT(error({{"x", Value()}, {"k", k_}}), testing::HasSubstr("Expected kind: tensor"));
}

TEST_F(RunnerTest, RunsBetweenActivationAndDeactivation) {
  {
    ActiveRunner active(runner_);
    EXPECT_EQ(active->input_metadata().size(), 2u);
    EXPECT_TRUE(bitwise_equal(active.infer({{"x", x_}, {"k", k_}}).find("y")->tensor(), x_));
    EXPECT_EQ(runner_.last_inference_seconds(), 0.25);
    EXPECT_EQ(runner_.metadata_calls, 1);
  }
  EXPECT_FALSE(runner_.active());
  EXPECT_EQ(runner_.activations, 0);
}

TEST_F(RunnerTest, ReportsItsNameWhileItWorks) {
  std::vector<std::string> phases;
  const ProgressWatch watch([&](std::span<const Progress> under_way) {
    if (!under_way.empty()) phases.push_back(under_way.back().phase);
  });
  ActiveRunner active(runner_);
  active.infer({{"x", x_}, {"k", k_}});
  EXPECT_THAT(phases, ElementsAre("echo-runner-N0 | loading", "echo-runner-N0 | running"));
}

TEST_F(RunnerTest, NeedsActivation) {
  EXPECT_EQ(error({}),
            "echo-runner-N0                      | Must be activated prior to calling infer()");
  EXPECT_THROW(runner_.input_metadata(), Error);
}

TEST_F(RunnerTest, DoingItTwiceWarnsAndDoesNothing) {
  runner_.deactivate();
  runner_.activate();
  runner_.activate();
  EXPECT_EQ(runner_.activations, 1);
  EXPECT_THAT(
      log_.messages(),
      ElementsAre(
          testing::StartsWith("[W] echo-runner-N0                      | Not active; will not"),
          testing::StartsWith(
              "[W] echo-runner-N0                      | Already active; will not")));
}

TEST_F(RunnerTest, IsInactiveAfterAFailedActivation) {
  runner_.fail = true;
  EXPECT_THROW(runner_.activate(), Error);
  EXPECT_FALSE(runner_.active());
  runner_.fail = false;
  runner_.activate();
  EXPECT_TRUE(runner_.active());
}

TEST_F(RunnerTest, ChecksNames) {
  runner_.activate();
  EXPECT_EQ(error({{"x", x_}}),
            "The following inputs were not found in input data: {'k'}.\n"
            "Note: inputs requested were: {'x', 'k'}, but all inputs are: {'x'}");
  EXPECT_EQ(error({{"x", x_}, {"k", k_}, {"z", x_}}),
            "Extra inputs in input data: {'z'}.\n"
            "Note: inputs requested were: {'x', 'k'}, but all inputs are: {'x', 'k', 'z'}");
}

TEST_F(RunnerTest, ChecksTheItemsOfSequences) {
  ActiveRunner active(runner_);
  EXPECT_EQ(error({{"x", x_}, {"k", Value::Sequence{k_, k_}}}), "no error");
  EXPECT_EQ(error({{"x", x_}, {"k", Value::Sequence{}}}), "no error");
  EXPECT_THAT(error({{"x", x_}, {"k", Value::Sequence{k_, x_}}}),
              testing::HasSubstr("k[1] | Received unexpected dtype"));
  EXPECT_THAT(error({{"x[0]", x_}, {"k", k_}}),
              testing::HasSubstr("not found in input data: {'x'}"));
}

TEST_F(RunnerTest, ASequenceForATensorIsAFailureOfTheRunner) {
  ActiveRunner active(runner_);
  EXPECT_THROW(runner_.infer({{"x", Value::Sequence{x_}}, {"k", k_}}), RunnerFailure);
  EXPECT_THAT(
      error({{"x", Value::Sequence{x_}}, {"k", k_}}),
      testing::EndsWith(
          " | Input tensor: x | Received unexpected kind: sequence.\nNote: Expected kind: tensor"));
}

TEST_F(RunnerTest, ChecksTypes) {
  runner_.activate();
  EXPECT_EQ(error({{"x", Array::of<double>({1, 1}, {1})}, {"k", k_}}),
            "Input tensor: x | Received unexpected dtype: float64.\nNote: Expected type: float32");
}

TEST_F(RunnerTest, ChecksShapes) {
  runner_.activate();
  EXPECT_EQ(error({{"x", Array::of<float>({2, 1}, {1, 2})}, {"k", k_}}),
            "Input tensor: x | Received incompatible shape: (2, 1).\n"
            "Note: Expected a shape compatible with: (1, 'N')");
  EXPECT_NE(error({{"x", Array::of<float>({1}, {1})}, {"k", k_}}), "no error");
  // A tensor of unknown shape takes every shape.
  EXPECT_EQ(error({{"x", x_}, {"k", Array::of<int64_t>({2, 2}, {1, 2, 3, 4})}}), "no error");
}

}  // namespace
}  // namespace polygraphy
