// Writes a plan of a million tasks, asks for its status, and merges the records of 100,000 samples.
// Prints seconds of each and the peak of memory in bytes behind the first two.
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <string>

#include "polygraphy/comparison/run_job/merge_run.h"
#include "tasks/distribute.h"
#include "tasks/task_status.h"

namespace {

using polygraphy::RunRecord;
using polygraphy::Task;
using polygraphy::TaskFolder;
using polygraphy::TaskPlan;

class Clock {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

void write_plan(const std::string& path, int64_t tasks) {
  const polygraphy::TaskJob job{
      .argv = {"run", "model.onnx", "--onnxrt"}, .result_option = "--save-task", .folder = "/"};
  const polygraphy::TaskUnits units{.range_option = "--samples", .count = tasks * 100};
  polygraphy::TaskPlanWriter writer(path, job);
  for (int64_t i = 0; i < tasks; ++i) writer.add(task_of(units, i * 100, 100));
  writer.commit();
}

RunRecord record_of(const Task& task) {
  RunRecord record{.measure = "3× the float32 noise"};
  auto& pair = record.pairs.emplace_back();
  pair.reference = "onnxrt-runner-N0";
  pair.target = "openvino-runner-N0";
  for (int64_t i = 0; i < task.units; ++i) {
    auto& sample = pair.samples.emplace_back();
    sample.units = {{.name = "logits",
                     .agreement = polygraphy::Agreement::kAgrees,
                     .excess = 0.1 / static_cast<double>(1 + i)}};
  }
  return record;
}

long peak_bytes() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss * 1024;
}

}  // namespace

int main(int, char** argv) {
  const std::string folder = argv[1];
  const TaskFolder tasks(folder);
  tasks.make();
  const Clock writing;
  write_plan(folder + "/large.jsonl", 1'000'000);
  std::printf("%.3f ", writing.seconds());
  const Clock asking;
  const auto status = status_of(TaskPlan::open(folder + "/large.jsonl"), tasks);
  std::printf("%.3f %ld ", asking.seconds(), peak_bytes());
  if (status.total != 1'000'000) return 1;

  write_plan(folder + "/small.jsonl", 1000);
  const TaskPlan plan = TaskPlan::open(folder + "/small.jsonl");
  for (int64_t i = 0; i < plan.size(); ++i)
    tasks.write_result(plan.id(i), {to_json(record_of(plan.task(i)))}, 1);
  const Clock merging;
  const auto verdict = merged_run(plan, tasks, false).record.verdict();
  std::printf("%.3f\n", merging.seconds());
  return verdict.passed() && verdict.samples == 100'000 ? 0 : 1;
}
