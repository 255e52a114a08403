// Engines whose results vary without a variation, too.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "own_engine.h"
#include "polygraphy/diagnosis/consistency/consistency_text.h"

namespace polygraphy {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

ConsistencyResult run(const OwnJob& job) {
  Logger log;
  return check_consistency(job, *job.factory, log);
}

// Other results in each new session, and from Fuse7.
float varies(float x, const std::vector<float>&, const Circumstances& now) {
  const bool fused = now.value("level") == "all" && !has(now.values("without"), "Fuse7");
  return fused || (now.session > 0 && now.options.empty()) ? x : 2 * x;
}

TEST(RepeatedRuns, NoOptimizerIsSearchedForResultsThatVary) {
  OwnJob job = own_job(varies, all_switches());
  job.only = {"optimization", "repeat"};
  int searched = 0;
  OwnEngines::Make& make = job.factory->engines["own"].make;
  make = [&searched, own = make](const RunnerSpec& spec, const ModelSource& source) {
    for (const auto& [key, values] : spec.session.options) searched += key == "without";
    return own(spec, source);
  };
  const ConsistencyResult result = run(job);
  EXPECT_EQ(searched, 0);
  EXPECT_THAT(found_by(result), ElementsAre("repeat"));
  EXPECT_THAT(result.rows.back().what, HasSubstr("in a new session"));
  EXPECT_THAT(result.rows.back().optimizers, IsEmpty());
  EXPECT_THAT(consistency_table(result), Not(HasSubstr("agrees without")));
}

TEST(RepeatedRuns, AVariationThatCannotBeRepeatedStillDiffers) {
  for (const bool refused : {true, false}) {
    OwnJob job = own_job(
        [](float x, const auto&, const Circumstances& now) { return now.own_process ? x : 2 * x; });
    job.only = {"process", "repeat"};
    OwnEngines::Make& make = job.factory->engines["own"].make;
    make = [own = make, refused, made = 0](const RunnerSpec& spec,
                                           const ModelSource& source) mutable {
      // The engine's own session, one of "repeat", one in a separate process.
      if (made++ < 3) return own(spec, source);
      if (refused) throw RunnerFailure("the device is full");
      throw Error("the device is full");
    };
    const ConsistencyResult result = run(job);
    EXPECT_THAT(verdicts(result),
                ElementsAre("repeat: identical", "repeat: identical", "process: differs"));
    EXPECT_THAT(result.rows.back().notes,
                ElementsAre("the engine could not run without the variation: the device is full"));
  }
}

TEST(RepeatedRuns, OneNewSessionShowsWhetherResultsVary) {
  OwnJob job = own_job(
      [](float x, const auto&, const Circumstances& now) {
        const bool varied = now.own_process || now.reloaded || now.value("threads") == "3" ||
                            now.value("level") == "all";
        return varied ? x : 2 * x;
      },
      all_switches());
  int plain = 0;
  OwnEngines::Make& make = job.factory->engines["own"].make;
  make = [&plain, own = make](const RunnerSpec& spec, const ModelSource& source) {
    plain += spec.session.options.empty() && !spec.isolated && source.path == "model.own";
    return own(spec, source);
  };
  EXPECT_THAT(found_by(run(job)), ElementsAre("threads", "optimization", "reload", "process"));
  EXPECT_EQ(plain, 3) << "the engine's own, one of the check 'repeat', one for all that differ";
}

TEST(RepeatedRuns, ASkippedRepetitionLeavesANote) {
  OwnJob skipped = own_job(varies, all_switches());
  skipped.skip = {"repeat"};
  OwnJob others = own_job(varies, all_switches());
  others.only = {"optimization", "process"};
  for (const OwnJob& job : {skipped, others}) {
    const ConsistencyResult result = run(job);
    EXPECT_THAT(found_by(result), AllOf(Contains("process"), Not(Contains("repeat"))));
    EXPECT_THAT(row_of(result, "process").notes,
                Contains("the results also differ without the variation"));
    EXPECT_THAT(consistency_table(result), Not(HasSubstr("agrees without")));
  }
}

}  // namespace
}  // namespace polygraphy
