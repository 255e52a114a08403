#include "tasks/distribute.h"

#include <gmock/gmock.h>

#include "tasks/task_scripts.h"
#include "tasks/task_status.h"

namespace polygraphy {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

// Writes the numbers of its samples.
constexpr const char* kNumbers = R"(range=$4; seq ${range%..*} ${range#*..} > $file)";

class DistributeTest : public ::testing::Test {
 protected:
  std::optional<TaskPlan> run(const std::string& body, int64_t samples,
                              const std::string& schedule) {
    script_.emplace(body);
    TaskJob job = job_in("/");
    job.units = samples;
    const TaskUnits units{.range_option = "--samples", .count = samples};
    return distribute(job, units,
                      {.folder = folder_.path(),
                       .schedule = parse_schedule(schedule),
                       .executable = script_->path()},
                      log_);
  }
  std::string merged(const TaskPlan& plan) const {
    std::string all;
    for (int64_t i = 0; i < plan.size(); ++i) all += folder_.read_result(plan.id(i));
    return all;
  }

  ScratchFolder scratch_{temporary_folder() + "/.polygraphy-tasks-"};
  TaskFolder folder_{scratch_.path()};
  std::optional<TaskScript> script_;
  Logger log_;
};

TEST_F(DistributeTest, ResultsComeInOrder) {
  const auto plan = run(kNumbers, 1000, "local:3");
  std::string numbers;
  for (int i = 0; i < 1000; ++i) numbers += std::to_string(i) + "\n";
  EXPECT_EQ(merged(*plan), numbers);
  // The task of one sample, the one that is timed against it, and one for each worker.
  EXPECT_EQ(plan->size(), 5);
}

TEST_F(DistributeTest, FewUnitsAreATaskEach) {
  EXPECT_EQ(run(kNumbers, 5, "local:2")->size(), 5);
}

TEST_F(DistributeTest, GoesOnWhereItWas) {
  EXPECT_THAT(
      [&] {
        run("case $4 in 3..3) echo '[!] three'; exit 65;; esac; echo x > $file", 5, "local:2");
      },
      ThrowsMessage<Error>(AllOf(HasSubstr("1 of 5 tasks have no result"), HasSubstr("Task 3 on "),
                                 HasSubstr(": three"))));
  const auto plan = run("echo again > $file", 5, "local:1");
  EXPECT_EQ(merged(*plan), "x\nx\nx\nagain\nx\n");
}

TEST_F(DistributeTest, OtherUnitsAreAnotherPlan) {
  EXPECT_EQ(run(kNumbers, 3, "local:1")->size(), 3);
  EXPECT_EQ(run(kNumbers, 2, "local:1")->size(), 2);
}

TEST_F(DistributeTest, AccidentsAreTriedAgain) {
  const std::string once = "[ -e " + folder_.path() + "/$4 ] || { touch " + folder_.path() +
                           "/$4; kill -KILL $$; }; echo x > $file";
  EXPECT_EQ(merged(*run(once, 3, "local:2")), "x\nx\nx\n");
}

TEST(ScheduleTest, NamesItsSettings) {
  EXPECT_EQ(*parse_schedule("local:3").settings.find("workers"), "3");
  const Schedule slurm = parse_schedule("slurm:partition=gpu,time=1h");
  EXPECT_EQ(*slurm.settings.find("partition"), "gpu");
  EXPECT_EQ(*slurm.settings.find("time"), "1h");
}

TEST(ScheduleTest, RefusesOthers) {
  const auto parse = [](std::string text) {
    return [text] { static_cast<void>(parse_schedule(text)); };
  };
  EXPECT_THAT(parse("slrum"), ThrowsMessage<Error>("There is no scheduler 'slrum'"));
  EXPECT_THAT(parse("slurm:partion=gpu"), ThrowsMessage<Error>("slurm has no setting 'partion'"));
  EXPECT_THAT(parse("local:x"), ThrowsMessage<Error>("workers=x: this is not a positive number"));
  EXPECT_THAT(parse("local:0"), ThrowsMessage<Error>("workers=0: this is not a positive number"));
  EXPECT_THAT(parse("slurm:time="), ThrowsMessage<Error>("slurm: 'time' has no value"));
}

}  // namespace
}  // namespace polygraphy
