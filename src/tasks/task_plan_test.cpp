#include "tasks/task_plan.h"

#include <gmock/gmock.h>

#include "base/os/atomic_file.h"
#include "base/os/scratch_folder.h"

namespace polygraphy {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TaskJob job_of_run() {
  return {.argv = {"run", "m.onnx", "--onnxrt"},
          .result_option = "--save-task",
          .folder = "/work",
          .inputs = {{"m.onnx", fingerprint("model"), 5}},
          .versions = {{"onnxrt", "1.31.0"}},
          .needs = {.cpus = 2, .memory = 1 << 30, .gpus = 1, .gpu_type = "h100"},
          .units = 200,
          .command = {"polygraphy", "run", "m.onnx", "--onnxrt", "--on", "local"}};
}

std::string text_of(const TaskJob& job, const std::vector<Task>& tasks) {
  const ScratchFolder folder(temporary_folder() + "/.polygraphy-plan-");
  TaskPlanWriter writer(folder / "plan", job);
  for (const Task& task : tasks) writer.add(task);
  writer.commit();
  const TaskPlan plan = TaskPlan::open(folder / "plan");
  std::string text;
  FILE* file = ::fopen((folder / "plan").c_str(), "r");
  for (int c = ::fgetc(file); c != EOF; c = ::fgetc(file)) text += static_cast<char>(c);
  ::fclose(file);
  return text;
}

TEST(TaskPlanTest, KeepsJobAndTasks) {
  const TaskPlan plan = TaskPlan::parse(
      text_of(job_of_run(), {{.argv = {"--samples", "0..99"}, .units = 100},
                             {.argv = {"b.onnx"}, .inputs = {{"b.onnx", fingerprint("b"), 1}}}}),
      "plan");
  EXPECT_EQ(plan.digest(), digest_of(job_of_run()));
  EXPECT_THAT(plan.job().argv, ElementsAre("run", "m.onnx", "--onnxrt"));
  EXPECT_EQ(plan.job().needs.gpu_type, "h100");
  EXPECT_EQ(plan.job().command.back(), "local");
  ASSERT_EQ(plan.size(), 2);
  EXPECT_THAT(plan.task(0).argv, ElementsAre("--samples", "0..99"));
  EXPECT_EQ(plan.task(0).units, 100);
  EXPECT_EQ(plan.task(1).inputs.front().digest, fingerprint("b"));
  EXPECT_EQ(plan.id(1), digest_of(plan.digest(), plan.task(1)).text());
}

TEST(TaskPlanTest, DigestsAreOfResults) {
  TaskJob elsewhere = job_of_run();
  elsewhere.folder = "/home";
  elsewhere.inputs.front().path = "copy.onnx";
  elsewhere.needs = {};
  elsewhere.command = {};
  EXPECT_EQ(digest_of(elsewhere), digest_of(job_of_run()));
  TaskJob other_model = job_of_run();
  other_model.inputs.front().digest = fingerprint("another model");
  EXPECT_NE(digest_of(other_model), digest_of(job_of_run()));
  TaskJob other_engine = job_of_run();
  other_engine.versions.set("onnxrt", "1.32.0");
  EXPECT_NE(digest_of(other_engine), digest_of(job_of_run()));
}

TEST(TaskPlanTest, NoticesEdits) {
  std::string text = text_of(job_of_run(), {{.argv = {"--samples", "0..99"}}});
  text.replace(text.find("0..99"), 5, "0..98");
  const TaskPlan plan = TaskPlan::parse(text, "plan");
  EXPECT_THAT([&] { static_cast<void>(plan.task(0)); },
              ThrowsMessage<FormatError>(HasSubstr("the plan was edited")));
}

TEST(TaskPlanTest, RefusesOtherFiles) {
  const auto parse = [](std::string text) {
    return [text] { static_cast<void>(TaskPlan::parse(text, "plan")); };
  };
  std::string text = text_of(job_of_run(), {{.argv = {"--samples", "0..99"}}});
  EXPECT_THAT(parse(text.substr(0, text.size() - 10)),
              ThrowsMessage<FormatError>(HasSubstr("the line of task 0 is truncated")));
  EXPECT_THAT(parse("{\"x\": 1}\n"), ThrowsMessage<FormatError>(HasSubstr("this is not a plan")));
  EXPECT_THROW(parse("")(), FormatError);
  text.replace(text.find(":1,"), 3, ":7,");
  EXPECT_THAT(parse(text), ThrowsMessage<Error>(HasSubstr("a plan of version 7")));
}

TEST(TaskPlanTest, HasNoOtherTasks) {
  const TaskPlan plan = TaskPlan::parse(text_of(job_of_run(), {{}, {}}), "plan");
  EXPECT_THAT([&] { static_cast<void>(plan.task(2)); },
              ThrowsMessage<Error>(HasSubstr("plan has no task 2: its tasks are 0 to 1")));
}

}  // namespace
}  // namespace polygraphy
