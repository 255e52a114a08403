#include "tasks/distribute.h"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <map>

#include "base/os/atomic_file.h"
#include "base/os/file_text.h"
#include "base/text.h"
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
  TaskPlan run(const std::string& body, int64_t samples, const std::string& schedule) {
    script_.emplace(body);
    TaskJob job = job_in("/");
    job.units = samples;
    const TaskUnits units{.range_option = "--samples", .count = samples};
    std::optional<TaskPlan> done;
    const auto merge = [&](const TaskPlan& plan) {
      merged_.clear();
      for (int64_t i = 0; i < plan.size(); ++i) merged_ += folder_.read_result(plan.id(i)).at(0);
      done = plan;
    };
    EXPECT_TRUE(distribute(job, units,
                           {.folder = folder_.path(),
                            .schedule = parse_schedule(schedule),
                            .executable = script_->path(),
                            .merges = merges_},
                           merge, log_));
    return std::move(*done);
  }
  std::string merged(const std::string& body, int64_t samples, const std::string& schedule) {
    static_cast<void>(run(body, samples, schedule));
    return merged_;
  }

  ScratchFolder scratch_{temporary_folder() + "/.polygraphy-tasks-"};
  TaskFolder folder_{scratch_.path()};
  std::optional<TaskScript> script_;
  bool merges_ = false;
  std::string merged_, text_;
  Logger log_{[this](Severity, std::string_view text) { text_ += std::string(text) + "\n"; }};
};

TEST_F(DistributeTest, ResultsComeInOrder) {
  const TaskPlan plan = run(kNumbers, 1000, "local:3");
  std::string numbers;
  for (int i = 0; i < 1000; ++i) numbers += std::to_string(i) + "\n";
  EXPECT_EQ(merged_, numbers);
  // The task of one sample, the one that is timed against it, and one for each worker.
  EXPECT_EQ(plan.size(), 5);
}

// Times are not durable, unlike results.
TEST_F(DistributeTest, GoesOnWithoutTheTimesOfTheFirstTasks) {
  const std::string path = run(kNumbers, 1000, "local:3").path();
  const std::string whole = merged_, text = read_text(path);
  const auto lines = split_lines(text);
  std::string begun;  // the job, and two tasks
  for (size_t i = 0; i < 3; ++i) begun += std::string(lines[i]) + "\n";
  write_file(path, begun);
  std::filesystem::remove_all(folder_.path() + "/times");
  EXPECT_EQ(merged(kNumbers, 1000, "local:3"), whole);
}

TEST_F(DistributeTest, FewUnitsAreATaskEach) {
  EXPECT_EQ(run(kNumbers, 5, "local:2").size(), 5);
}

TEST_F(DistributeTest, GoesOnWhereItWas) {
  EXPECT_THAT(
      [&] {
        run("case $4 in 3..3) echo '[!] three'; exit 65;; esac; echo x > $file", 5, "local:2");
      },
      ThrowsMessage<Error>(AllOf(HasSubstr("1 of 5 tasks have no result"), HasSubstr("Task 3 on "),
                                 HasSubstr(": three"))));
  EXPECT_EQ(merged("echo again > $file", 5, "local:1"), "x\nx\nx\nagain\nx\n");
}

// Of the plan with 5 units, one each, where lines of tasks are edited.
class EditedPlanTest : public DistributeTest {
 protected:
  void expect_refused(const std::function<void(std::vector<std::string>&)>& edit) {
    const std::string path = run(kNumbers, 5, "local:1").path();
    const std::string text = read_text(path);
    std::vector<std::string> lines;
    for (const std::string_view line : split_lines(text)) lines.emplace_back(line);
    edit(lines);
    write_file(path, join(lines, "\n") + "\n");
    EXPECT_THAT([&] { run(kNumbers, 5, "local:1"); },
                ThrowsMessage<FormatError>(HasSubstr("the plan was edited")));
    ::unlink(path.c_str());
    EXPECT_EQ(merged(kNumbers, 5, "local:1"), "0\n1\n2\n3\n4\n");
  }
};

TEST_F(EditedPlanTest, TasksAreEachThereOnce) {
  expect_refused([](auto& lines) { lines.push_back(lines.back()); });
  expect_refused([](auto& lines) { lines[3] = lines[2]; });
  expect_refused([](auto& lines) { std::swap(lines[1], lines[2]); });
}

TEST_F(EditedPlanTest, UnitsAreThoseOfTheArguments) {
  for (const char* units : {"\"units\":0", "\"units\":2"}) {
    expect_refused([&](auto& lines) { lines[2] = replace_all(lines[2], "\"units\":1", units); });
  }
  expect_refused(
      [](auto& lines) { lines[0] = replace_all(lines[0], "\"units\":5", "\"units\":6"); });
}

TEST_F(EditedPlanTest, DigitsOfTasksAreTheirOwn) {
  expect_refused([](auto& lines) { lines[5] = replace_all(lines[5], "4..4", "4..5"); });
}

TEST_F(DistributeTest, AMergeNeedsTheWholePlan) {
  const std::string path = run(kNumbers, 1000, "local:3").path();
  const std::string text = read_text(path);
  write_file(path, text.substr(0, text.rfind('{')));
  merges_ = true;
  EXPECT_THAT([&] { run(kNumbers, 1000, "local:3"); },
              ThrowsMessage<Error>(HasSubstr("most tasks are not in the plan yet")));
}

// Each goes to damaged/, with a warning, and the task runs.
TEST_F(DistributeTest, DamagedResultsAreMadeAgain) {
  const TaskPlan plan = run(kNumbers, 5, "local:1");
  const std::string path = folder_.result_path(plan.id(2)), good = read_text(path);
  const std::map<std::string, std::function<void()>> damages = {
      {"cut", [&] { write_file(path, good.substr(0, good.size() - 1)); }},
      {"empty", [&] { write_file(path, ""); }},
      {"changed", [&] { write_file(path, good.substr(0, good.size() - 2) + "7\n"); }},
      {"foreign", [&] { write_file(path, read_text(folder_.result_path(plan.id(1)))); }},
      {"a folder", [&] { ::mkdir(path.c_str(), 0700); }},
      {"a dangling link", [&] { EXPECT_EQ(::symlink("/no/such/file", path.c_str()), 0); }},
      {"an endless file", [&] { EXPECT_EQ(::symlink("/dev/zero", path.c_str()), 0); }},
      {"a FIFO", [&] { EXPECT_EQ(::mkfifo(path.c_str(), 0600), 0); }},
      {"20 GB of nothing", [&] {
         write_file(path, "");
         EXPECT_EQ(::truncate(path.c_str(), off_t{20} << 30), 0);
       }}};
  for (const auto& [what, damage] : damages) {
    SCOPED_TRACE(what);
    ::unlink(path.c_str());
    damage();
    EXPECT_EQ(to_text(status_of(plan, folder_)).substr(0, 28), "4 of 5 tasks done, 1 damaged");
    text_.clear();
    EXPECT_EQ(merged(kNumbers, 5, "local:1"), "0\n1\n2\n3\n4\n");
    EXPECT_THAT(text_, HasSubstr("The result of task 2 was damaged"));
    EXPECT_TRUE(status_of(plan, folder_).complete());
  }
}

TEST_F(DistributeTest, ResultsAreNotWrittenThroughLinks) {
  const ScratchFolder elsewhere{temporary_folder() + "/.polygraphy-tasks-"};
  ASSERT_EQ(::symlink(elsewhere.path().c_str(), (scratch_ / "results").c_str()), 0);
  EXPECT_THAT([&] { run(kNumbers, 5, "local:1"); },
              ThrowsMessage<IoError>(HasSubstr("results: this is a link")));
}

TEST_F(DistributeTest, OtherUnitsAreAnotherPlan) {
  EXPECT_EQ(run(kNumbers, 3, "local:1").size(), 3);
  EXPECT_EQ(run(kNumbers, 2, "local:1").size(), 2);
}

TEST_F(DistributeTest, AccidentsAreTriedAgain) {
  const std::string once = "[ -e " + folder_.path() + "/$4 ] || { touch " + folder_.path() +
                           "/$4; kill -KILL $$; }; echo x > $file";
  EXPECT_EQ(merged(once, 3, "local:2"), "x\nx\nx\n");
}

TEST(ScheduleTest, NamesItsSettings) {
  EXPECT_EQ(*parse_schedule("local:3").settings.find("workers"), "3");
  const Schedule slurm = parse_schedule("slurm:partition=gpu,time=1h");
  EXPECT_EQ(*slurm.settings.find("partition"), "gpu");
  EXPECT_EQ(*slurm.settings.find("time"), "1h");
}

TEST(ScheduleTest, ListsHaveSeveralValues) {
  const Schedule k8s = parse_schedule("k8s:label=team=ml,render=j.yaml,label=app=x");
  EXPECT_THAT(values_of(k8s.settings, "label"), ::testing::ElementsAre("team=ml", "app=x"));
  EXPECT_TRUE(values_of(k8s.settings, "env").empty());
}

TEST(ScheduleTest, TasksOfElementsAreRangesOfThoseWithoutResult) {
  const std::vector<int64_t> tasks = {2, 5, 6, 7, 9, 10};
  EXPECT_THAT(task_lists(tasks, 1), ::testing::ElementsAre("2,5..7,9..10"));
  EXPECT_THAT(task_lists(tasks, 3), ::testing::ElementsAre("2,5", "6..7", "9..10"));
  EXPECT_EQ(task_lists(tasks, 6).size(), 6U);
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
