#include "tasks/run_task.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/os/child_process.h"
#include "base/os/files/open_file.h"
#include "tasks/shared_file.h"
#include "tasks/task_scripts.h"
#include "tasks/task_status.h"

namespace polygraphy {
namespace {

using ::testing::HasSubstr;

class RunTaskTest : public ::testing::Test {
 protected:
  TaskOutcome run(const std::string& body, TaskJob job = {}) {
    script_.emplace(body);
    if (job.argv.empty()) job = job_in(script_->folder());
    plan_.emplace(plan_of(job, {{.argv = {"--samples", "3..5"}}}, folder_.path() + "/plan.jsonl"));
    return run_task(*plan_, 0, folder_, {.executable = script_->path(), .host = "here"});
  }
  std::string id() const { return plan_->id(0); }
  std::string result() const { return folder_.read_result(id()).at(0); }
  TaskFailure failure() const { return folder_.read_failure(id()).value(); }

  ScratchFolder scratch_{temporary_folder() + "/.polygraphy-tasks-"};
  TaskFolder folder_{scratch_.path()};
  std::optional<TaskScript> script_;
  std::optional<TaskPlan> plan_;
};

TEST_F(RunTaskTest, KeepsWhatTheTaskWrote) {
  EXPECT_EQ(run("echo \"$@\" > $file"), TaskOutcome::kDone);
  const std::string contents = result();
  EXPECT_THAT(contents, HasSubstr("--task-process run --samples 3..5 --save-task /"));
  EXPECT_TRUE(folder_.seconds(id()));
  EXPECT_TRUE(folder_.begun().empty());
}

TEST_F(RunTaskTest, RunsOnce) {
  EXPECT_EQ(run("echo once >> log; echo x > $file"), TaskOutcome::kDone);
  EXPECT_EQ(run("exit 1"), TaskOutcome::kDone);
}

TEST_F(RunTaskTest, TellsFaultsFromAccidents) {
  EXPECT_EQ(run("echo '[!] wrong option'; exit 65"), TaskOutcome::kNever);
  EXPECT_EQ(failure().reason, "wrong option");
  EXPECT_TRUE(failure().final);
  EXPECT_EQ(run("echo '[E] [!] the disk is full' >&2; exit 75"), TaskOutcome::kElsewhere);
  EXPECT_EQ(failure().reason, "the disk is full");
  EXPECT_EQ(failure().attempts, 2);
  EXPECT_EQ(run("kill -SEGV $$"), TaskOutcome::kNever);
  EXPECT_THAT(failure().reason, HasSubstr("SIGSEGV"));
  EXPECT_EQ(run("kill -KILL $$"), TaskOutcome::kElsewhere);
  EXPECT_EQ(run("exit 0"), TaskOutcome::kNever);
  EXPECT_THAT(failure().reason, HasSubstr("without a result"));
}

TEST_F(RunTaskTest, RemovesTheFilesOfAKilledProcess) {
  EXPECT_EQ(
      run("for end in '' .accuracy .measured .finished; do echo > $file$end; done; kill -9 $$"),
      TaskOutcome::kElsewhere);
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path() + "/running"));
}

TEST_F(RunTaskTest, ForgetsFailuresOfTheSameTask) {
  EXPECT_EQ(run("exit 75"), TaskOutcome::kElsewhere);
  EXPECT_EQ(run("echo x > $file"), TaskOutcome::kDone);
  EXPECT_FALSE(folder_.read_failure(id()));
  EXPECT_TRUE(status_of(*plan_, folder_).complete());
}

TEST_F(RunTaskTest, NeedsTheFilesOfThePlan) {
  const TaskScript script("echo x > $file");
  TaskJob job = job_in(script.folder());
  write_file(script.folder() + "/m.onnx", "model");
  InputDigests digests;
  job.inputs = {digests.input("m.onnx", job.folder)};
  write_file(script.folder() + "/m.onnx", "nodel");
  EXPECT_EQ(run("echo x > $file", job), TaskOutcome::kElsewhere);
  EXPECT_THAT(failure().reason, HasSubstr("/m.onnx has other contents on here than in the plan"));
  ::unlink((script.folder() + "/m.onnx").c_str());
  EXPECT_EQ(run("echo x > $file", job), TaskOutcome::kElsewhere);
  EXPECT_THAT(failure().reason, HasSubstr("/m.onnx cannot be read on here: No such file"));
  job.folder = "/no/such/folder";
  EXPECT_EQ(run("echo x > $file", job), TaskOutcome::kElsewhere);
  EXPECT_EQ(failure().reason, "The folder /no/such/folder of the plan is not on here.");
}

TEST_F(RunTaskTest, ResultsSayWhoseTheyAre) {
  ASSERT_EQ(run("echo x > $file"), TaskOutcome::kDone);
  const std::string other(32, 'a');
  ::rename(folder_.result_path(id()).c_str(), folder_.result_path(other).c_str());
  EXPECT_THROW(static_cast<void>(folder_.read_result(other)), Error);
  folder_.write_result(id(), {"good"}, 1);
  std::ofstream(folder_.result_path(id()), std::ios::app) << "more";
  EXPECT_THROW(static_cast<void>(folder_.read_result(id())), Error);
  write_file(folder_.result_path(id()), "");
  EXPECT_THROW(static_cast<void>(folder_.read_result(id())), Error);
}

TEST_F(RunTaskTest, KeepsMeasuredFiguresBesideTheResult) {
  ASSERT_EQ(run("echo x > $file; echo 7 MiB > $file.measured"), TaskOutcome::kDone);
  EXPECT_EQ(result(), "x\n");
  EXPECT_EQ(folder_.measured(id()), "7 MiB\n");
  EXPECT_TRUE(folder_.seconds(id()));
}

TEST_F(RunTaskTest, ADamagedResultIsSetAside) {
  ASSERT_EQ(run("echo x > $file"), TaskOutcome::kDone);
  write_file(folder_.result_path(id()), "");
  EXPECT_EQ(run("echo y > $file"), TaskOutcome::kDone);
  EXPECT_EQ(result(), "y\n");
  EXPECT_EQ(::access((folder_.path() + "/damaged/" + id() + ".json").c_str(), F_OK), 0);
}

TEST_F(RunTaskTest, ForeignNotesAreReplaced) {
  ASSERT_EQ(run("echo x > $file"), TaskOutcome::kDone);
  for (const std::string& path : {folder_.time_path(id()), folder_.result_path(id())}) {
    ::unlink(path.c_str());
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  }
  EXPECT_EQ(run("echo y > $file"), TaskOutcome::kDone);
  EXPECT_TRUE(folder_.seconds(id()));
}

// Lustre without flock, NFS without its lock daemon, FUSE.
TEST_F(RunTaskTest, AFileSystemWithoutLocksRunsTasks) {
  for (const int error : {ENOSYS, ENOLCK, EOPNOTSUPP}) {
    pretend_lock_error(error);
    EXPECT_EQ(run(fmt::format("echo {} > $file", error)), TaskOutcome::kDone);
    ::unlink(folder_.result_path(id()).c_str());
  }
  pretend_lock_error(0);
}

TEST(LockAttemptsTest, SaysThatItWaitsAndEnds) {
  const ScratchFolder folder(temporary_folder() + "/.polygraphy-lock-");
  FileDescriptor one = open_regular(folder / "lock", OpenFor::kWriting);
  const FileDescriptor other = open_regular(folder / "lock", OpenFor::kWriting);
  std::string text;
  Logger log([&](Severity, std::string_view line) { text += line; });
  LockAttempts first("lock", {}, {}, &log), second("lock", {.silent = 0, .most = 0.05}, {}, &log);
  EXPECT_TRUE(first.take(one.get()));
  EXPECT_FALSE(second.take(other.get()));
  EXPECT_THAT(text, HasSubstr("Waiting for another process, which has locked lock"));
  EXPECT_THAT([&] { second.take(other.get()); },
              ::testing::ThrowsMessage<IoError>(HasSubstr("has been locked by another process")));
  one.close();
  EXPECT_TRUE(second.take(other.get()));
}

TEST_F(RunTaskTest, AWorkerThatIsEndedLeavesTheReason) {
  script_.emplace("echo begun; sleep 60");
  plan_.emplace(plan_of(job_in(script_->folder()), {{}}, folder_.path() + "/plan.jsonl"));
  std::atomic<bool> stop = false;
  std::thread worker([&] {
    const TaskTools tools{
        .executable = script_->path(), .cancel = stop, .stop_reason = "a time limit"};
    EXPECT_THROW(run_task(*plan_, 0, folder_, tools), Interrupted);
  });
  while (!folder_.runs(id())) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  stop = true;
  worker.join();
  EXPECT_EQ(failure().reason, "a time limit");
  EXPECT_FALSE(failure().final);
}

// It writes the numbers of its samples.
constexpr const char* kSamples = R"(samples=$4
first=${samples%..*} last=${samples#*..}
stop() { echo $((i - 1)) > $file.finished; seq $first $((first + i - 2)) > $file; exit 143; }
trap stop TERM
i=1
while [ $((first + i - 1)) -le $last ]; do
  [ $((first + i - 1)) -ne $STOP_AT ] || { touch stopped; sleep 60 & wait; }
  i=$((i + 1))
done
seq $first $last > $file)";

TEST_F(RunTaskTest, AnEndedTaskGoesOnBehindItsFinishedUnits) {
  script_.emplace("STOP_AT=7\n" + std::string(kSamples));
  plan_.emplace(plan_of(job_in(scratch_.path()), {{.argv = {"--samples", "3..9"}, .units = 7}},
                        folder_.path() + "/plan.jsonl"));
  std::atomic<bool> stop = false;
  std::thread worker([&] {
    const TaskTools tools{
        .executable = script_->path(), .cancel = stop, .host = "here", .stop_reason = "Ended."};
    EXPECT_THROW(run_task(*plan_, 0, folder_, tools), Interrupted);
  });
  while (::access((scratch_ / "stopped").c_str(), F_OK) != 0)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  stop = true;
  worker.join();
  EXPECT_EQ(failure().reason, "Ended. 4 of its 7 samples are kept.");
  EXPECT_FALSE(folder_.has_result(id()));
  script_.emplace("echo $4 >> runs; STOP_AT=0\n" + std::string(kSamples));
  const TaskTools tools{.executable = script_->path(), .host = "there"};
  EXPECT_EQ(run_task(*plan_, 0, folder_, tools), TaskOutcome::kDone);
  EXPECT_EQ(folder_.read_result(id()), (std::vector<std::string>{"3\n4\n5\n6\n", "7\n8\n9\n"}));
  EXPECT_EQ(folder_.read_part(id()).units, 0);
}

// As Slurm does at a time limit: the signal goes to all processes of the job.
TEST_F(RunTaskTest, AProcessThatASignalEndsIsTriedAgain) {
  EXPECT_EQ(run("exit 143"), TaskOutcome::kElsewhere);
  EXPECT_THAT(failure().reason, HasSubstr("was killed by SIGTERM"));
}

TEST_F(RunTaskTest, KeepsTheReasonsOfAllAttempts) {
  EXPECT_EQ(run("echo '[!] the disk is full'; exit 75"), TaskOutcome::kElsewhere);
  EXPECT_EQ(run("echo '[!] no memory'; exit 75"), TaskOutcome::kElsewhere);
  EXPECT_EQ(run("echo x > $file"), TaskOutcome::kDone);
  const TaskStatus status = status_of(*plan_, folder_);
  ASSERT_EQ(status.tried.size(), 1);
  const auto& [index, attempts] = status.tried.front();
  ASSERT_EQ(attempts.size(), 2);
  EXPECT_EQ(attempts[0].reason + ", " + attempts[1].reason, "the disk is full, no memory");
  write_file(folder_.tried_path(id()), "[{");
  EXPECT_TRUE(folder_.attempts(id()).empty());
}

TEST_F(RunTaskTest, KeepsOneLogOfEachWarning) {
  for (const char* warning : {"[I] fine", "[W] ones", "[W] ones", "[W] twos"}) {
    EXPECT_EQ(run(fmt::format("echo '{}'; echo '[I]' $$; echo x > $file", warning)),
              TaskOutcome::kDone);
    EXPECT_TRUE(folder_.begun().empty());
    ::unlink(folder_.result_path(id()).c_str());
  }
  EXPECT_EQ(folder_.warning_logs(), 2);
}

TEST_F(RunTaskTest, ShowsWhatRuns) {
  script_.emplace("echo begun; sleep 60");
  plan_.emplace(
      plan_of(job_in(script_->folder()), {{}, {.argv = {"x"}}}, folder_.path() + "/plan.jsonl"));
  std::atomic<bool> stop = false;
  std::thread worker([&] {
    EXPECT_THROW(run_task(*plan_, 0, folder_, {.executable = script_->path(), .cancel = stop}),
                 Interrupted);
  });
  while (!folder_.runs(id())) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(to_text(status_of(*plan_, folder_)), "0 of 2 tasks done, 1 running, 1 waiting");
  stop = true;
  worker.join();
  EXPECT_EQ(to_text(status_of(*plan_, folder_)), "0 of 2 tasks done, 2 waiting");
}

}  // namespace
}  // namespace polygraphy
