#include "tasks/cut_tasks.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace polygraphy {
namespace {

using ::testing::Each;
using ::testing::Le;

std::vector<int64_t> sizes(const std::vector<Task>& tasks) {
  std::vector<int64_t> all;
  for (const Task& task : tasks) all.push_back(task.units);
  return all;
}

double seconds(const Task& task, const Pace& pace) {
  return pace.start + pace.unit * static_cast<double>(task.units);
}

// Each task goes to the worker that is free first, as queues do it.
double makespan(const std::vector<Task>& tasks, const Pace& pace, int64_t workers) {
  std::vector<double> busy(static_cast<size_t>(workers));
  for (const Task& task : tasks) *std::ranges::min_element(busy) += seconds(task, pace);
  return *std::ranges::max_element(busy);
}

// How much faster these workers are than one that does all units one after the other. They wait for
// the first tasks before the others are cut.
double speedup(int64_t units, const Pace& pace, int64_t workers) {
  const TaskUnits all{.range_option = "--samples", .count = units};
  const auto first = first_tasks(all);
  int64_t begun = 0;
  for (const Task& task : first) begun += task.units;
  const auto rest = tasks_from(all, begun, pace, {.slots = workers});
  return static_cast<double>(units) * pace.unit /
         (makespan(first, pace, workers) + makespan(rest, pace, workers));
}

TEST(CutTasksTest, TwoWorkersAreNearlyTwiceAsFastFromTwoMinutesOn) {
  for (double work = 120; work < 3600; work *= 1.07) {
    for (const int64_t units : {100, 267, 300, 1000, 10000}) {
      const double unit = work / static_cast<double>(units);
      EXPECT_GE(speedup(units, {0.3, unit}, 2), 1.9) << units << " units, " << work << " s";
    }
  }
}

TEST(CutTasksTest, WavesAreFull) {
  const TaskUnits all{.range_option = "--samples", .count = 100'000};
  for (const int64_t slots : {3, 64}) {
    for (double unit = 1e-3; unit < 1; unit *= 1.7) {
      const auto tasks = tasks_from(all, 0, {0.1, unit}, {.slots = slots});
      EXPECT_EQ(static_cast<int64_t>(tasks.size()) % slots, 0);
      const auto [least, most] = std::ranges::minmax(sizes(tasks));
      EXPECT_LE(most - least, 1);
      EXPECT_LE(seconds(tasks.front(), {0.1, unit}), 61);
    }
  }
}

TEST(CutTasksTest, TasksTakeHalfOfTheTimeOfTheQueue) {
  const TaskUnits all{.range_option = "--samples", .count = 1000};
  const Pace pace{1, 0.5};
  for (const Task& task : tasks_from(all, 0, pace, {.slots = 2, .seconds = 60}))
    EXPECT_LE(seconds(task, pace), 30);
}

TEST(CutTasksTest, ManySlotsDoNotMakeTasksThatOnlyStart) {
  const TaskUnits all{.range_option = "--samples", .count = 400};
  EXPECT_EQ(tasks_from(all, 0, {1, 0.1}, {.slots = 100'000}).size(), 40U);
  EXPECT_EQ(tasks_from(all, 0, {1, 0.1}, {}).size(), 1U);
}

TEST(CutTasksTest, LargeFilesAreFewInATask) {
  TaskUnits models;
  for (int i = 0; i < 20; ++i)
    models.listed.push_back({std::to_string(i), {}, i < 10 ? 1000U : 100'000U});
  const auto tasks = tasks_from(models, 0, {0.1, 1}, {.slots = 2});
  EXPECT_THAT(sizes(tasks), ::testing::ElementsAre(14, 6));
}

TEST(CutTasksTest, ATaskHasFewFiles) {
  TaskUnits models;
  for (int i = 0; i < 1000; ++i) models.listed.push_back({std::to_string(i), {}, 1});
  EXPECT_THAT(sizes(tasks_from(models, 0, {0, 1e-6}, {})), Each(Le(16)));
}

TEST(TaskBehindTest, BeginsWhereTheFinishedUnitsEnd) {
  const Task samples = task_behind({.argv = {"--samples", "3..9"}, .units = 7}, 2);
  EXPECT_THAT(samples.argv, ::testing::ElementsAre("--samples", "5..9"));
  EXPECT_EQ(samples.units, 5);
  const Task models = task_behind(
      {.argv = {"a", "b", "c"}, .units = 3, .inputs = {{"a", {}}, {"b", {}}, {"c", {}}}}, 2);
  EXPECT_THAT(models.argv, ::testing::ElementsAre("c"));
  EXPECT_EQ(models.inputs.size(), 1);
}

}  // namespace
}  // namespace polygraphy
