// A Job of Kubernetes, as a file for `kubectl apply`.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
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

constexpr auto kList = SchedulerSetting::Kind::kList;
constexpr SchedulerSetting kSettings[] = {
    {"render", "FILE", "The file to write."},
    {"image", "IMAGE", "The container's image, with polygraphy and the engines. Required."},
    {"claim", "NAME", "The persistent volume claim of the shared folder. Required."},
    {"mount", "PATH", "Where the claim is mounted. Default: the folder of the plan."},
    {"parallelism", "N", "Pods that run side by side. Default: 10.",
     SchedulerSetting::Kind::kNumber},
    {"program", "PATH", "The executable in the image. Default: polygraphy."},
    {"name", "NAME", "The Job's name. Default: polygraphy and the plan's digest."},
    {"namespace", "NAME", "The namespace."},
    {"ttl", "SECONDS", "How long the Job stays when it has ended. Default: the cluster's.",
     SchedulerSetting::Kind::kNumber},
    {"secret", "NAME", "A secret for pulling the image, given several times for several.", kList},
    {"toleration", "KEY[=VALUE][:EFFECT]", "A taint of nodes that pods tolerate.", kList},
    {"node", "LABEL=VALUE", "A label that the node must have.", kList},
    {"limit", "RESOURCE=QUANTITY", "A limit besides the memory's: cpu=4.", kList},
    {"env", "NAME=VALUE", "A variable of the container.", kList},
    {"label", "NAME=VALUE", "A label of the Job and its pods.", kList},
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

int64_t pods_of(const OrderedMap<std::string>& settings) {
  return number_of(settings, "parallelism", 10);
}

Capacity capacity(const OrderedMap<std::string>& settings, const TaskNeeds&, const CancelToken&) {
  return {.slots = pods_of(settings)};
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

// Lower-case letters, digits, and `marks` between them: the form of names that Kubernetes allows.
bool is_name(std::string_view text, std::string_view marks, size_t most) {
  const auto is_end = [](char c) { return ('a' <= c && c <= 'z') || ('0' <= c && c <= '9'); };
  return !text.empty() && text.size() <= most && is_end(text.front()) && is_end(text.back()) &&
         std::ranges::all_of(text,
                             [&](char c) { return is_end(c) || marks.find(c) != marks.npos; });
}

void require(bool good, std::string_view name, std::string_view text, std::string_view form) {
  if (good) return;
  throw Error(kBadSchedule, fmt::format("k8s: {}={} is not allowed: {}", name, text, form));
}

constexpr std::string_view kNameForm =
    "a name has lower-case letters and digits, with '-' between them, and at most 63 characters";

std::string name_of(const Submission& submission, std::string_view setting_name,
                    std::string otherwise) {
  std::string name = setting(submission, setting_name, std::move(otherwise));
  require(is_name(name, "-", 63), setting_name, name, kNameForm);
  return name;
}

// Of claims and secrets.
std::string_view object_name(std::string_view setting_name, std::string_view name) {
  require(is_name(name, "-.", 253), setting_name, name, kNameForm);
  return name;
}

// The name and the value of "NAME=VALUE".
std::pair<std::string, std::string> pair_of(std::string_view setting_name, std::string_view text) {
  const size_t equal = text.find('=');
  const auto in_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("-_./").find(c) != std::string_view::npos;
  };
  const std::string_view name = text.substr(0, equal);
  require(equal != text.npos && equal > 0 && std::ranges::all_of(name, in_name), setting_name, text,
          "its form is NAME=VALUE");
  return {std::string(name), std::string(text.substr(equal + 1))};
}

Map map_of(const Submission& submission, std::string_view setting_name) {
  Map map;
  for (const std::string_view text : values_of(submission.settings, setting_name)) {
    auto [name, text_value] = pair_of(setting_name, text);
    map.set(std::move(name), value(std::move(text_value)));
  }
  return map;
}

Map toleration_of(std::string_view text) {
  const size_t colon = text.rfind(':');
  const std::string_view taint = text.substr(0, colon);
  const size_t equal = taint.find('=');
  Map toleration{{"key", value(taint.substr(0, equal))},
                 {"operator", value(equal == taint.npos ? "Exists" : "Equal")}};
  if (equal != taint.npos) toleration.set("value", value(taint.substr(equal + 1)));
  if (colon == text.npos) return toleration;
  const std::string_view effect = text.substr(colon + 1);
  require(effect == "NoSchedule" || effect == "PreferNoSchedule" || effect == "NoExecute",
          "toleration", text, "its effect is NoSchedule, PreferNoSchedule or NoExecute");
  toleration.set("effect", value(effect));
  return toleration;
}

// A pod's tasks, by its index. The index of a pod that exits with 65 fails for good.
std::string script_of(const Submission& submission, const std::string& lists) {
  constexpr std::string_view kTasksWord = "$tasks";
  std::string words;
  for (std::string& word : worker_words(submission, std::string(kTasksWord))) {
    if (word == submission.executable) word = setting(submission, "program", "polygraphy");
    words += words.empty() ? "" : " ";
    words += word == kTasksWord ? "\"" + word + "\"" : shell_word(word);
  }
  return fmt::format("tasks=$(sed -n \"$((JOB_COMPLETION_INDEX + 1))p\" {}); exec {}",
                     shell_word(lists), words);
}

// Memory has a limit, too: quotas require one, and a pod without it takes its neighbours' memory.
Map resources(const Submission& submission) {
  const TaskNeeds& needs = submission.needs;
  Map requests{{"cpu", value(std::to_string(needs.cpus))}}, limits;
  if (needs.memory > 0) {
    requests.set("memory", value(std::to_string(needs.memory)));
    limits.set("memory", value(std::to_string(needs.memory)));
  }
  if (needs.gpus > 0) limits.set("nvidia.com/gpu", value(needs.gpus));
  for (const auto& [name, quantity] : map_of(submission, "limit")) limits.set(name, quantity);
  Map both{{"requests", value(std::move(requests))}};
  if (!limits.empty()) both.set("limits", value(std::move(limits)));
  return both;
}

Map pod_spec(const Submission& submission, const std::string& lists) {
  const TaskNeeds& needs = submission.needs;
  const std::string mount = setting(submission, "mount", submission.plan.job().folder);
  require(mount.starts_with('/') && mount.find(':') == mount.npos, "mount", mount,
          "a path of the container begins with / and has no ':'");
  Map container{
      {"name", value(kContainer)},
      {"image", value(required(submission, "image"))},
      {"command", value(List{value("/bin/sh"), value("-c"), value(script_of(submission, lists))})},
      {"resources", value(resources(submission))},
      {"volumeMounts",
       value(List{value(Map{{"name", value(kVolume)}, {"mountPath", value(mount)}})})}};
  List env;
  for (const std::string_view text : values_of(submission.settings, "env")) {
    auto [name, text_value] = pair_of("env", text);
    env.push_back(
        value(Map{{"name", value(std::move(name))}, {"value", value(std::move(text_value))}}));
  }
  if (!env.empty()) container.set("env", value(std::move(env)));
  Map spec{{"restartPolicy", value("Never")},
           {"containers", value(List{value(std::move(container))})},
           {"volumes",
            value(List{value(Map{
                {"name", value(kVolume)},
                {"persistentVolumeClaim",
                 value(Map{{"claimName",
                            value(object_name("claim", required(submission, "claim")))}})}})})}};
  Map node = map_of(submission, "node");
  if (!needs.gpu_type.empty()) node.set("nvidia.com/gpu.product", value(needs.gpu_type));
  if (!node.empty()) spec.set("nodeSelector", value(std::move(node)));
  List tolerations, secrets;
  for (const std::string_view text : values_of(submission.settings, "toleration"))
    tolerations.push_back(value(toleration_of(text)));
  if (!tolerations.empty()) spec.set("tolerations", value(std::move(tolerations)));
  for (const std::string_view name : values_of(submission.settings, "secret"))
    secrets.push_back(value(Map{{"name", value(object_name("secret", name))}}));
  if (!secrets.empty()) spec.set("imagePullSecrets", value(std::move(secrets)));
  return spec;
}

Map failure_policy() {
  Map never{
      {"action", value("FailIndex")},
      {"onExitCodes",
       value(Map{{"containerName", value(kContainer)},
                 {"operator", value("In")},
                 {"values", value(List{value(static_cast<int64_t>(TaskOutcome::kNever))})}})}};
  Map disrupted{
      {"action", value("Ignore")},
      {"onPodConditions",
       value(List{value(Map{{"type", value("DisruptionTarget")}, {"status", value("True")}})})}};
  return {{"rules", value(List{value(std::move(never)), value(std::move(disrupted))})}};
}

Map job_of(const Submission& submission, const std::string& lists, int64_t indices) {
  Map about{{"name", value(name_of(submission, "name",
                                   "polygraphy-" + submission.plan.digest().text().substr(0, 8)))}};
  if (submission.settings.contains("namespace"))
    about.set("namespace", value(name_of(submission, "namespace", "")));
  Map pod{{"spec", value(pod_spec(submission, lists))}};
  if (const Map labels = map_of(submission, "label"); !labels.empty()) {
    about.set("labels", value(labels));
    pod.set("metadata", value(Map{{"labels", value(labels)}}));
  }
  Map spec{{"completionMode", value("Indexed")},
           {"completions", value(indices)},
           {"parallelism", value(std::min(indices, pods_of(submission.settings)))},
           {"backoffLimitPerIndex", value(kMostAttempts)},
           {"maxFailedIndexes", value(indices)},
           {"podFailurePolicy", value(failure_policy())},
           {"template", value(std::move(pod))}};
  if (submission.settings.contains("ttl"))
    spec.set("ttlSecondsAfterFinished", value(number_of(submission.settings, "ttl", 1)));
  return {{"apiVersion", value("batch/v1")},
          {"kind", value("Job")},
          {"metadata", value(std::move(about))},
          {"spec", value(std::move(spec))}};
}

void run(const Submission& submission, Logger& log) {
  const std::string& path = required(submission, "render");
  const auto tasks = static_cast<int64_t>(submission.tasks.size());
  const auto lists = task_lists(submission.tasks, std::min(tasks, kMostIndices));
  const std::vector<YamlValue> documents = {value(job_of(
      submission, write_task_lists(submission.folder, lists), static_cast<int64_t>(lists.size())))};
  write_file(path, yaml_text(documents));
  log.info(kTasks, fmt::format("{} is a Job of {} tasks: kubectl apply -f {}; when it has ended, "
                               "polygraphy task merge --plan {}",
                               path, submission.tasks.size(), shell_word(path),
                               shell_word(submission.plan.path())));
}

}  // namespace

extern constinit const Scheduler scheduler_k8s = {
    .name = "k8s",
    .summary = "A Job of Kubernetes, written to a file and not submitted.",
    .settings = kSettings,
    .only_writes = true,
    .capacity = capacity,
    .run = run,
};

}  // namespace polygraphy
