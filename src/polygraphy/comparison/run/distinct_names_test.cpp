#include "polygraphy/comparison/run/distinct_names.h"

#include <gtest/gtest.h>

namespace polygraphy {
namespace {

RunResults run_of(std::vector<std::string> runners) {
  RunResults run;
  for (std::string& runner : runners) {
    run.runners.push_back({runner, {{.outputs = {}, .runtime = {}, .runner_name = "inner"}}});
  }
  return run;
}

std::string next_names(ResultStream& stream) {
  std::string names;
  for (const IterationResult& result : stream.next().value_or(std::vector<IterationResult>()))
    names += result.runner_name + "|";
  return names;
}

TEST(DistinctNamesTest, CountsFromTheSecond) {
  DistinctNames names;
  EXPECT_EQ(names.take("A"), "A");
  EXPECT_EQ(names.take("A (2)"), "A (2)");
  EXPECT_EQ(names.take("A"), "A (3)");
  names.clear();
  EXPECT_EQ(names.take("A"), "A");
}

TEST(DistinctNamesTest, HoldAcrossStreams) {
  const RunResults first = run_of({"A", "B"}), second = run_of({"A"});
  const auto names = std::make_shared<DistinctNames>();
  const auto one = distinctly_named(stored_results(first), names);
  const auto other = distinctly_named(stored_results(second), names);
  EXPECT_EQ(next_names(*one), "A|B|");
  EXPECT_EQ(next_names(*other), "A (2)|");
}

TEST(DistinctNamesTest, HoldAcrossRunsInMemory) {
  std::vector<RunResults> runs{run_of({"A", "A"}), run_of({"A"})};
  name_distinctly(runs);
  EXPECT_EQ(runs[0].runners[1].first, "A (2)");
  EXPECT_EQ(runs[1].runners[0].first, "A (3)");
  EXPECT_EQ(runs[1].runners[0].second[0].runner_name, "A (3)");
}

}  // namespace
}  // namespace polygraphy
