#include "polygraphy/comparison/run_job/merge_run.h"

#include <gmock/gmock.h>

#include <fstream>

#include "tasks/cut_tasks.h"
#include "tasks/task_scripts.h"

namespace polygraphy {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

// Tasks of one sample: more than a thread merges at a time.
constexpr int64_t kTasks = 150;

class MergeRunTest : public ::testing::Test {
 protected:
  MergeRunTest() {
    for (int64_t i = 0; i < kTasks; ++i)
      tasks_.push_back(task_of({.range_option = "--samples"}, i, 1));
    plan_ = plan_of(job_in("/"), tasks_, scratch_ / "plan.jsonl");
    folder_.make();
    for (int64_t i = 0; i < kTasks; ++i) write(i, "simple");
  }
  // The only unit of the sample is named after its number.
  void write(int64_t index, const std::string& measure) const {
    RunRecord record{.measure = measure};
    record.pairs.push_back({.reference = "a", .target = "b"});
    record.pairs[0].samples.push_back({.units = {{.name = std::to_string(index)}}});
    folder_.write_result(plan_->id(index), {to_json(record)}, 1);
  }

  ScratchFolder scratch_{temporary_folder() + "/.polygraphy-tasks-"};
  TaskFolder folder_{scratch_.path()};
  std::vector<Task> tasks_;
  std::optional<TaskPlan> plan_;
};

TEST_F(MergeRunTest, SamplesComeInOrder) {
  const RunRecord record = merged_run(*plan_, folder_, false).record;
  ASSERT_EQ(record.pairs.at(0).samples.size(), static_cast<size_t>(kTasks));
  for (int64_t i = 0; i < kTasks; ++i)
    EXPECT_EQ(record.pairs[0].samples[static_cast<size_t>(i)].units.at(0).name, std::to_string(i));
}

TEST_F(MergeRunTest, TheFirstErrorCounts) {
  std::ofstream(folder_.result_path(plan_->id(kTasks - 1)), std::ios::app) << "more";
  std::ofstream(folder_.result_path(plan_->id(3)), std::ios::app) << "more";
  EXPECT_THAT([&] { static_cast<void>(merged_run(*plan_, folder_, false)); },
              ThrowsMessage<Error>(HasSubstr(plan_->id(3))));
}

TEST_F(MergeRunTest, PartsOfOtherRunsAreRefused) {
  write(kTasks - 1, "another");
  EXPECT_THAT([&] { static_cast<void>(merged_run(*plan_, folder_, false)); },
              ThrowsMessage<Error>(HasSubstr("Measure: 'simple' in one part of the run")));
}

}  // namespace
}  // namespace polygraphy
