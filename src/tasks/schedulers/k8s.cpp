// A Job of Kubernetes, as a file for `kubectl apply`.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/log_modules.h"
#include "base/os/atomic_file.h"
#include "base/shell_words.h"
#include "formats/yaml_writer.h"
#include "tasks/run_task.h"
#include "tasks/scheduler.h"

namespace polygraphy {
namespace {

using log_modules::kTasks;
using Map = YamlValue::Map;
using List = YamlValue::List;

constexpr int64_t kMostIndices = 100'000;  // of a Job
constexpr int64_t kMostAttempts = 5;       // of an index
constexpr std::string_view kContainer = "worker", kVolume = "shared";

constexpr SchedulerSetting kSettings[] = {
    {"render", "FILE", "The file to write."},
    {"image", "IMAGE", "The container's image, with polygraphy and the engines. Required."},
    {"claim", "NAME", "The persistent volume claim of the shared folder. Required."},
    {"mount", "PATH", "Where the claim is mounted. Default: the folder of the plan."},
    {"parallelism", "N", "Pods that run side by side. Default: 10."},
    {"program", "PATH", "The executable in the image. Default: polygraphy."},
    {"name", "NAME", "The Job's name. Default: polygraphy and the plan's digest."},
};

YamlValue value(std::string text) {
  return YamlValue(YamlValue::Data(std::move(text)));
}
YamlValue value(std::string_view text) {
  return value(std::string(text));
}
YamlValue value(const char* text) {
  return value(std::string(text));
}
YamlValue value(int64_t number) {
  return YamlValue(YamlValue::Data(number));
}
YamlValue value(Map map) {
  return YamlValue(YamlValue::Data(std::move(map)));
}
YamlValue value(List list) {
  return YamlValue(YamlValue::Data(std::move(list)));
}

std::string setting(const Submission& submission, std::string_view name, std::string otherwise) {
  const std::string* given = submission.settings.find(name);
  return given ? *given : std::move(otherwise);
}

const std::string& required(const Submission& submission, std::string_view name) {
  if (const std::string* given = submission.settings.find(name)) return *given;
  throw Error(kBadSchedule, fmt::format("k8s needs the setting '{}'", name),
              "k8s:render=job.yaml,image=IMAGE,claim=NAME");
}

// A pod's tasks, by its index. The index of a pod that exits with 65 fails for good.
std::string script_of(const Submission& submission, int64_t per) {
  const int64_t first = submission.tasks.front(), last = submission.tasks.back();
  const std::string range = "$first..$last";
  std::string words;
  for (std::string& word : worker_words(submission, "$first", "$last")) {
    if (word == submission.executable) word = setting(submission, "program", "polygraphy");
    words += (words.empty() ? "" : " ") + (word == range ? "\"" + word + "\"" : shell_word(word));
  }
  return fmt::format(
      "first=$((JOB_COMPLETION_INDEX * {} + {})); last=$((first + {})); "
      "[ $last -le {} ] || last={}; exec {}",
      per, first, per - 1, last, last, words);
}

Map resources(const TaskNeeds& needs) {
  Map requests{{"cpu", value(std::to_string(needs.cpus))}}, limits;
  if (needs.memory > 0) requests.set("memory", value(std::to_string(needs.memory)));
  if (needs.gpus > 0) limits.set("nvidia.com/gpu", value(needs.gpus));
  Map both{{"requests", value(std::move(requests))}};
  if (!limits.empty()) both.set("limits", value(std::move(limits)));
  return both;
}

Map pod_spec(const Submission& submission, int64_t per) {
  const TaskNeeds& needs = submission.plan.job().needs;
  Map container{
      {"name", value(kContainer)},
      {"image", value(required(submission, "image"))},
      {"command", value(List{value("/bin/sh"), value("-c"), value(script_of(submission, per))})},
      {"resources", value(resources(needs))},
      {"volumeMounts",
       value(List{value(Map{
           {"name", value(kVolume)},
           {"mountPath", value(setting(submission, "mount", submission.plan.job().folder))}})})}};
  Map spec{
      {"restartPolicy", value("Never")},
      {"containers", value(List{value(std::move(container))})},
      {"volumes",
       value(List{value(Map{{"name", value(kVolume)},
                            {"persistentVolumeClaim",
                             value(Map{{"claimName", value(required(submission, "claim"))}})}})})}};
  if (!needs.gpu_type.empty())
    spec.set("nodeSelector", value(Map{{"nvidia.com/gpu.product", value(needs.gpu_type)}}));
  return spec;
}

Map failure_policy() {
  Map never{
      {"action", value("FailIndex")},
      {"onExitCodes",
       value(Map{{"containerName", value(kContainer)},
                 {"operator", value("In")},
                 {"values", value(List{value(static_cast<int64_t>(TaskOutcome::kNever))})}})}};
  Map disrupted{{"action", value("Ignore")},
                {"onPodConditions", value(List{value(Map{{"type", value("DisruptionTarget")}})})}};
  return {{"rules", value(List{value(std::move(never)), value(std::move(disrupted))})}};
}

Map job_of(const Submission& submission, int64_t per, int64_t indices) {
  const std::string name =
      setting(submission, "name", "polygraphy-" + submission.plan.digest().text().substr(0, 8));
  Map spec{
      {"completionMode", value("Indexed")},
      {"completions", value(indices)},
      {"parallelism", value(std::min(indices, number_of(submission.settings, "parallelism", 10)))},
      {"backoffLimitPerIndex", value(kMostAttempts)},
      {"maxFailedIndexes", value(indices)},
      {"podFailurePolicy", value(failure_policy())},
      {"template", value(Map{{"spec", value(pod_spec(submission, per))}})}};
  return {{"apiVersion", value("batch/v1")},
          {"kind", value("Job")},
          {"metadata", value(Map{{"name", value(name)}})},
          {"spec", value(std::move(spec))}};
}

void run(const Submission& submission, Logger& log) {
  const std::string& path = required(submission, "render");
  const int64_t range = submission.tasks.back() - submission.tasks.front() + 1;
  const int64_t per = (range + kMostIndices - 1) / kMostIndices;
  const std::vector<YamlValue> documents = {
      value(job_of(submission, per, (range + per - 1) / per))};
  write_file(path, yaml_text(documents));
  log.info(kTasks, fmt::format("{} is a Job of {} tasks: kubectl apply -f {}; when it has ended, "
                               "polygraphy task merge --plan {}",
                               path, submission.tasks.size(), shell_word(path),
                               shell_word(submission.plan.path())));
}

}  // namespace

extern const Scheduler scheduler_k8s;
constinit const Scheduler scheduler_k8s = {
    .name = "k8s",
    .summary = "A Job of Kubernetes, written to a file and not submitted.",
    .settings = kSettings,
    .only_writes = true,
    .run = run,
};

}  // namespace polygraphy
