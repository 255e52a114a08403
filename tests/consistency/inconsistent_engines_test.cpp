// Each check finds the engine that it is there for, and only that check does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/os/testdata/temporary_folder.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "own_engine.h"
#include "polygraphy/diagnosis/consistency/consistency_text.h"

namespace polygraphy {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr auto kDiffers = ConsistencyVerdict::kDiffers;
constexpr auto kFailed = ConsistencyVerdict::kFailed;
constexpr auto kNotApplicable = ConsistencyVerdict::kNotApplicable;

class Consistency : public testing::Test {
 protected:
  ConsistencyResult check(const OwnJob& job) { return check_consistency(job, *job.factory, log_); }
  ConsistencyResult check(ComputeRow compute) {
    return check(own_job(std::move(compute), all_switches()));
  }
  std::string error_of(const OwnJob& job) {
    try {
      check(job);
    } catch (const Error& error) {
      return error.what();
    }
    return "nothing was thrown";
  }

  Logger log_;
};

float twice(float x, const std::vector<float>&, const Circumstances&) {
  return 2 * x;
}

TEST_F(Consistency, AnEngineThatAgreesWithItself) {
  const ConsistencyResult result = check(twice);
  EXPECT_TRUE(result.verdict().passed());
  EXPECT_THAT(verdicts(result),
              ElementsAre("repeat: identical", "repeat: identical", "rows: identical",
                          "batch: identical", "permuted: identical", "threads: identical",
                          "optimization: identical", "optimization: identical", "reload: identical",
                          "process: identical", "cache: not applicable"));
}

TEST_F(Consistency, AnEngineThatForgetsNothing) {
  const ConsistencyResult result = check([](float x, const auto&, const Circumstances& now) {
    return 2 * x + static_cast<float>(now.run);
  });
  EXPECT_THAT(found_by(result), Contains("repeat"));
  EXPECT_EQ(result.rows[0].verdict, kDiffers);
  EXPECT_EQ(result.rows[1].verdict, ConsistencyVerdict::kIdentical) << "a new session begins anew";
  const OutputDifference& worst = result.rows[0].worst.value();
  EXPECT_EQ(worst.output, "y");
  EXPECT_THAT(worst.index, ElementsAre(0, 0));
  EXPECT_EQ(worst.expected, "2.0");
  EXPECT_EQ(worst.observed, "4.0");
}

TEST_F(Consistency, SessionsThatDiffer) {
  const ConsistencyResult result = check([](float x, const auto&, const Circumstances& now) {
    return 2 * x + static_cast<float>(now.session);
  });
  EXPECT_EQ(result.rows[0].verdict, ConsistencyVerdict::kIdentical);
  EXPECT_EQ(result.rows[1].verdict, kDiffers);
}

TEST_F(Consistency, NoVariationIsBlamedForResultsThatVary) {
  const ConsistencyResult result = check(
      [](float x, const auto&, const Circumstances& now) { return now.run % 5 == 4 ? x : 2 * x; });
  ASSERT_FALSE(result.verdict().passed());
  EXPECT_THAT(found_by(result), Each("repeat"));
  const ConsistencyResult sessions = check([](float x, const auto&, const Circumstances& now) {
    return now.session % 2 == 1 ? x : 2 * x;
  });
  EXPECT_THAT(found_by(sessions), Each("repeat"));
}

TEST_F(Consistency, WithinTolerance) {
  const ConsistencyResult result = check([](float x, const auto&, const Circumstances& now) {
    return now.value("threads") == "3" ? 2 * x * 1.000001f : 2 * x;
  });
  EXPECT_TRUE(result.verdict().passed());
  const ConsistencyRow& row = row_of(result, "threads");
  EXPECT_EQ(row.verdict, ConsistencyVerdict::kWithinTolerance);
  EXPECT_NEAR(row.worst.value().largest_relative, 1e-6, 2e-7);
}

TEST_F(Consistency, RowsThatKnowTheirPlace) {
  const ConsistencyResult result = check(
      [](float x, const auto&, const Circumstances& now) { return now.row == 2 ? x : 2 * x; });
  EXPECT_THAT(found_by(result), ElementsAre("rows", "batch", "permuted"));
  EXPECT_THAT(row_of(result, "rows").worst.value().index, ElementsAre(2, 0));
}

TEST_F(Consistency, BatchesOfOne) {
  const ConsistencyResult result = check(
      [](float x, const auto&, const Circumstances& now) { return now.rows == 1 ? x : 2 * x; });
  EXPECT_THAT(found_by(result), ElementsAre("batch"));
  EXPECT_THAT(row_of(result, "batch").notes, Contains(HasSubstr("rows depend on each other")));
}

TEST_F(Consistency, TheFirstRowCounts) {
  const ConsistencyResult result = check([](float x, const std::vector<float>& all,
                                            const Circumstances&) { return 2 * x + all.front(); });
  EXPECT_THAT(found_by(result), ElementsAre("batch", "permuted"));
}

TEST_F(Consistency, OneThread) {
  const ConsistencyResult result = check([](float x, const auto&, const Circumstances& now) {
    return now.value("threads") == "1" ? x : 2 * x;
  });
  EXPECT_THAT(found_by(result), ElementsAre("threads"));
}

TEST_F(Consistency, TheGuiltyOptimizerIsNamed) {
  const ConsistencyResult result = check([](float x, const auto&, const Circumstances& now) {
    return now.value("level") == "all" && !has(now.values("without"), "Fuse7") ? x : 2 * x;
  });
  EXPECT_THAT(found_by(result), ElementsAre("optimization"));
  ASSERT_EQ(result.rows[7].what, "all against off");
  EXPECT_THAT(result.rows[7].optimizers, ElementsAre("Fuse7"));
  EXPECT_THAT(consistency_table(result), HasSubstr("agrees without Fuse7"));
}

TEST_F(Consistency, TwoGuiltyOptimizers) {
  const ConsistencyResult result = check([](float x, const auto&, const Circumstances& now) {
    const bool on = now.value("level") == "basic" || now.value("level") == "all";
    const auto out = now.values("without");
    return on && !(has(out, "Fuse2") && has(out, "Fuse9")) ? x : 2 * x;
  });
  EXPECT_THAT(row_of(result, "optimization").optimizers, ElementsAre("Fuse2", "Fuse9"));
  EXPECT_THAT(result.rows[7].optimizers, ElementsAre("Fuse2", "Fuse9"));
}

TEST_F(Consistency, WhatIsLeftOutAnywayStaysOut) {
  OwnJob job = own_job(
      [](float x, const auto&, const Circumstances& now) {
        const auto out = now.values("without");
        const bool wrong = now.value("level") == "all" && !(has(out, "Fuse1") && has(out, "Fuse2"));
        return wrong ? x : 2 * x;
      },
      all_switches());
  job.engines[0].session.options = {{"without", {"Fuse1"}}};
  EXPECT_THAT(check(job).rows[7].optimizers, ElementsAre("Fuse2"));
}

TEST_F(Consistency, NoOptimizerOfThoseWithNames) {
  const ConsistencyResult result = check([](float x, const auto&, const Circumstances& now) {
    return now.value("level") == "all" ? x : 2 * x;
  });
  EXPECT_THAT(result.rows[7].optimizers, IsEmpty());
  EXPECT_THAT(result.rows[7].notes, Contains(HasSubstr("with all optional optimizers disabled")));
}

TEST_F(Consistency, SavedAndLoaded) {
  const ConsistencyResult result = check(
      [](float x, const auto&, const Circumstances& now) { return now.reloaded ? x : 2 * x; });
  EXPECT_THAT(found_by(result), ElementsAre("reload"));
}

TEST_F(Consistency, WhatWasSavedTakesOtherInputs) {
  OwnJob job = own_job(twice, all_switches());
  job.only = {"reload"};
  OwnEngines::Make& make = job.factory->engines["own"].make;
  make = [&, own = make](const RunnerSpec& spec, const ModelSource& source) {
    return source.path == job.model.path ? own(spec, source) : engine_of_two_inputs();
  };
  const ConsistencyResult result = check(job);
  EXPECT_EQ(result.rows[0].verdict, kFailed);
  EXPECT_THAT(result.rows[0].notes,
              ElementsAre("it requires 1 input(s) that the model does not have, such as 'w'"));
}

TEST_F(Consistency, FromTheCache) {
  EngineSwitches switches;
  switches.cache = "cache";
  int cached = 0;
  const ConsistencyResult result = check(own_job(
      [&cached](float x, const auto&, const Circumstances& now) {
        const bool second = !now.value("cache").empty() && cached++ > 0;
        return second ? x : 2 * x;
      },
      switches));
  EXPECT_THAT(found_by(result), ElementsAre("reload"));
}

TEST_F(Consistency, InAProcessOfItsOwn) {
  const ConsistencyResult result = check(
      [](float x, const auto&, const Circumstances& now) { return now.own_process ? x : 2 * x; });
  EXPECT_THAT(found_by(result), ElementsAre("process"));
}

TEST_F(Consistency, OneVariationFails) {
  const ConsistencyResult result =
      check([](float x, const auto&, const Circumstances& now) -> float {
        if (now.value("level") == "basic") throw RunnerFailure("no kernel\nfor this");
        return 2 * x;
      });
  EXPECT_FALSE(result.verdict().passed());
  EXPECT_EQ(row_of(result, "optimization").verdict, kFailed);
  EXPECT_THAT(row_of(result, "optimization").notes, ElementsAre("no kernel for this"));
  EXPECT_EQ(result.rows[7].verdict, ConsistencyVerdict::kIdentical) << "the others are made";
}

TEST_F(Consistency, AFailureOfTheOwnSessionIsNoOthers) {
  const ConsistencyResult result =
      check([](float x, const auto&, const Circumstances& now) -> float {
        if (now.rows > 1) throw RunnerFailure("one row at a time");
        return 2 * x;
      });
  EXPECT_THAT(found_by(result), ElementsAre("rows", "batch", "permuted"));
}

TEST_F(Consistency, AnEngineThatIsLost) {
  // Its session fails, and no other one can be made.
  OwnJob job = own_job([](float x, const auto&, const Circumstances& now) -> float {
    if (now.run > 0) throw RunnerFailure("the device is gone");
    return 2 * x;
  });
  OwnEngines::Make& make = job.factory->engines["own"].make;
  make = [own = make, made = 0](const RunnerSpec& spec, const ModelSource& source) mutable {
    if (made++ > 0) throw RunnerFailure("there is no device");
    return own(spec, source);
  };
  const ConsistencyResult result = check(job);
  EXPECT_EQ(row_of(result, "repeat").verdict, kFailed);
  EXPECT_THAT(row_of(result, "rows").notes, ElementsAre("there is no device"));
  EXPECT_EQ(row_of(result, "process").verdict, kFailed) << "the others are made";
}

TEST_F(Consistency, AFolderThatIsGone) {
  const TemporaryFolder scratch;
  EngineSwitches switches;
  switches.cache = "cache";
  OwnJob job = own_job(
      [&](float x, const auto&, const Circumstances&) {
        std::filesystem::remove_all(scratch.path());
        return 2 * x;
      },
      switches);
  job.scratch = scratch.path();
  job.only = {"reload"};
  EXPECT_THAT(error_of(job), HasSubstr("cannot create the folder"));
}

TEST_F(Consistency, AnEngineThatCannotRun) {
  const ConsistencyResult result =
      check([](float, const auto&, const Circumstances&) -> float { throw RunnerFailure("no"); });
  EXPECT_THAT(verdicts(result), ElementsAre("run: failed"));
  EXPECT_FALSE(result.verdict().passed());
}

TEST_F(Consistency, AnEngineWithoutSwitches) {
  const ConsistencyResult result = check(own_job(twice));
  for (const char* name : {"threads", "optimization", "reload"}) {
    EXPECT_EQ(row_of(result, name).verdict, kNotApplicable) << name;
    EXPECT_THAT(row_of(result, name).notes, ElementsAre(HasSubstr("no option"))) << name;
  }
}

TEST_F(Consistency, FixedBatches) {
  OwnJob job = own_job(
      [](float x, const std::vector<float>& all, const Circumstances&) { return x + all.front(); },
      {}, 3);
  // The three may be anything.
  for (const char* name : {"rows", "batch", "permuted"})
    EXPECT_THAT(row_of(check(job), name).notes, ElementsAre(HasSubstr("as batch inputs"))) << name;
  job.batch_inputs = {"x"};
  const ConsistencyResult result = check(job);
  EXPECT_EQ(row_of(result, "batch").verdict, kNotApplicable);
  EXPECT_EQ(row_of(result, "rows").verdict, ConsistencyVerdict::kIdentical);
  EXPECT_EQ(row_of(result, "permuted").verdict, kDiffers);
}

TEST_F(Consistency, NoBatch) {
  const ConsistencyResult result = check(own_job(twice, {}, 1));
  for (const char* name : {"rows", "batch", "permuted"})
    EXPECT_THAT(row_of(result, name).notes, ElementsAre(HasSubstr("the model has no batch")));
}

// The engine computes what the graph says: the hint is the graph's.
TEST_F(Consistency, RowsThatDependOnEachOtherByTheModel) {
  const graphsurgeon::Model model = graphsurgeon::parse_onnx_text(
      "g (float[N,1] x) => (float[N,1] y) { m = ReduceMax <keepdims = 1> (x) y = Add(x, m) }");
  OwnJob job = own_job([](float x, const std::vector<float>& all, const Circumstances&) {
    return x + *std::max_element(all.begin(), all.end());
  });
  job.model = {.path = "model.own", .model = &model};
  const ConsistencyResult result = check(job);
  EXPECT_THAT(found_by(result), ElementsAre("batch"));
  EXPECT_THAT(row_of(result, "batch").notes,
              Contains("rows depend on each other in the model: 'm' (ReduceMax over all axes)"));
}

TEST_F(Consistency, RowsOfConstants) {
  const graphsurgeon::Model model = graphsurgeon::parse_onnx_text(
      "g (float[3,1] x) => (float[3,1] y) <float[3,1] w = {1, 2, 3}> { y = Mul(x, w) }");
  OwnJob job = own_job([](float x, const auto&,
                          const Circumstances& now) { return x * static_cast<float>(now.row + 1); },
                       {}, 3);
  job.model = {.path = "model.own", .model = &model};
  job.batch_inputs = {"x"};
  const ConsistencyResult result = check(job);
  EXPECT_THAT(found_by(result), ElementsAre("rows", "permuted"));
  EXPECT_THAT(row_of(result, "rows").notes,
              Contains("constants of the model have 3 rows, too, such as 'w'"));
}

TEST_F(Consistency, RandomOperatorsAreSaid) {
  const graphsurgeon::Model model = graphsurgeon::parse_onnx_text(
      "g (float[N,1] x) => (float[N,1] y) { r = RandomNormalLike(x) y = Add(x, r) }");
  OwnJob job = own_job([](float x, const auto&, const Circumstances& now) {
    return x + static_cast<float>(now.run);
  });
  job.model = {.path = "model.own", .model = &model};
  job.only = {"repeat"};
  const ConsistencyResult result = check(job);
  EXPECT_THAT(result.notes, ElementsAre(HasSubstr("1 random operator")));
  EXPECT_THAT(result.rows[0].notes, Contains(HasSubstr("'r' (RandomNormalLike)")));
}

TEST_F(Consistency, ChecksByName) {
  OwnJob job = own_job(twice, all_switches());
  job.only = {"threads", "repeat"};
  job.skip = {"repeat"};
  EXPECT_THAT(verdicts(check(job)), ElementsAre("threads: identical"));
  job.only = {"repeat"};
  EXPECT_THAT(error_of(job), HasSubstr("All consistency checks are skipped"));
  job.only = {"thread"};
  EXPECT_THAT(error_of(job), HasSubstr("consistency check 'thread'"));
}

TEST_F(Consistency, WrongJobs) {
  EXPECT_THAT(error_of({}), HasSubstr("No engine"));
  OwnJob job = own_job(twice);
  job.batch_inputs = {"z"};
  EXPECT_THAT(error_of(job), HasSubstr("no input 'z'"));
  job = own_job(twice);
  job.batch_size = 1;
  EXPECT_THAT(error_of(job), HasSubstr("no rows to compare"));
  job.batch_size = 99'999'999'999;
  EXPECT_THAT(error_of(job), HasSubstr("A batch of 99999999999 rows is too large"));
}

TEST_F(Consistency, EveryEngineHasItsRows) {
  OwnJob job = own_job(twice);
  add_engine(job, "other", [](float x, const auto&, const Circumstances& now) {
    return x + static_cast<float>(now.run);
  });
  job.only = {"repeat"};
  const ConsistencyResult result = check(job);
  ASSERT_EQ(result.rows.size(), 4u);
  EXPECT_EQ(result.rows[2].engine, "other");
  EXPECT_EQ(result.rows[2].verdict, kDiffers);
}

}  // namespace
}  // namespace polygraphy
