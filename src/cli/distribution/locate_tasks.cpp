#include "cli/distribution/locate_tasks.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.h"
#include "base/log_modules.h"
#include "base/os/atomic_file.h"
#include "base/size_text.h"
#include "cli/distribution/task_versions.h"
#include "cli/distribution/task_words.h"
#include "cli/syntax/value_parsing.h"
#include "polygraphy/diagnosis/locate/parts/locate_parts.h"
#include "polygraphy/models/parts/memory_shares.h"
#include "tasks/input_digests.h"

namespace polygraphy::cli {
namespace {

using log_modules::kTasks;

// Of the report, not of a task.
const std::vector<std::string_view> kOfReport = {"--json"};

constexpr int64_t kUsualMemory = int64_t{4} << 30;  // of a task

int64_t part_bytes(const TaskNeeds& needs) {
  const int64_t memory = needs.memory > 0 ? static_cast<int64_t>(needs.memory) : kUsualMemory;
  constexpr auto kAlone = static_cast<int64_t>(bytes_without_model(1));
  if (memory <= kAlone) {
    throw Error(fmt::format("--task-memory: engines without a model take {}, but tasks have {}",
                            size_text(kAlone), size_text(memory)));
  }
  return part_bytes_within(static_cast<uint64_t>(memory), 1);
}

LocatePartsJob parts_job(const LocateJob& job, int64_t bytes) {
  return {.job = job, .part_bytes = bytes};
}

// But saved results.
std::vector<RunnerSpec> engines_of(const LocateJob& job) {
  std::vector<RunnerSpec> engines;
  for (const LocateSide* side : {&job.reference, &job.target}) {
    if (const auto* spec = std::get_if<RunnerSpec>(side)) engines.push_back(*spec);
  }
  return engines;
}

LocateRecord record_of(const TaskFolder& folder, const std::string& id) {
  return parse_locate_record(folder.read_result(id).front(), folder.result_path(id));
}

// `path`: of a task's result.
LocateRecord record_in(const std::string& path) {
  const std::filesystem::path file(path);
  const auto tasks = file.parent_path().parent_path().parent_path();  // results/<xx>/<id>.json
  return record_of(TaskFolder(tasks.native()), file.stem().native());
}

}  // namespace

void check_locate_tasks(const ParsedArgs& args) {
  for (const std::string_view option : {"--remedy", "--output", "--mem-limit"}) {
    if (!args.syntax().find(option) || !args.has(option)) continue;
    throw Error(
        fmt::format("--on and {} exclude each other: tasks have parts of the model only", option),
        option == "--mem-limit" ? "Use --task-memory." : "Use it without --on.");
  }
}

void run_locate_task(Session& session, const LocateJob& job, RunnerFactory& factory) {
  const ParsedArgs& args = session.args();
  const Environment& env = session.env();
  const auto folder = args.text("--part-tensors");
  if (!folder) throw Error("--save-task needs --part-tensors", "Use --on, which gives both.");
  const int64_t bytes = parse_bytes(args.text("--part-bytes").value_or("1G"));
  LocateParts parts(parts_job(job, bytes), factory, session.log());
  const auto record = [&] {
    const auto in_place = args.text("--in-place");
    if (!in_place) return parts.in_place(env.path(*folder));
    const LocateRecord whole = record_in(env.path(*in_place));
    IndexRange range{0, whole.parts - 1};
    if (const auto some = args.text("--parts")) range = parse_index_range("--parts", *some);
    return parts.alone(whole, env.path(*folder), range.first, range.last - range.first + 1);
  };
  LocateRecord made = record();
  for (const RunnerSpec& spec : engines_of(job)) {
    const std::string version = factory.version(spec);
    if (!version.empty()) made.outputs.versions.set(spec.label(), version);
  }
  require_versions(args, made.outputs.versions);
  write_file(env.path(*args.text("--save-task")), to_json(made), Durability::kNone);
}

std::optional<LocateResult> locate_by_tasks(Session& session, const LocateJob& job,
                                            const Distribution& how, RunnerFactory& factory) {
  require_model(job.model.path);
  Logger& log = session.log();
  const TaskFolder folder(how.folder);
  const auto queued = [&]() -> std::optional<LocateResult> {
    log.info(kTasks, "polygraphy task status " + how.folder + " shows how far they are.");
    return std::nullopt;
  };
  TaskJob tasks = task_job(session, "debug locate", kOfReport);
  add_versions(tasks, engines_of(job), factory);
  const int64_t bytes = part_bytes(tasks.needs);
  tasks.argv.insert(tasks.argv.end(), {"--part-bytes", std::to_string(bytes)});
  const std::string tensors = how.folder + "/tensors/" + digest_of(tasks).text();
  tasks.argv.insert(tasks.argv.end(), {"--part-tensors", tensors});
  tasks.unit = "model";
  tasks.units = 1;
  LocateRecord whole;
  std::string path;
  const auto merge_whole = [&](const TaskPlan& plan) {
    whole = record_of(folder, plan.id(0));
    path = folder.result_path(plan.id(0));
  };
  if (!distribute(tasks, {.count = 1}, how, merge_whole, log)) return queued();

  tasks.argv.insert(tasks.argv.end(), {"--in-place", path});
  tasks.inputs.push_back(InputDigests().input(path, tasks.folder));
  tasks.unit = "part";
  tasks.units = whole.parts;
  Distribution rest = how;
  rest.merges = false;  // of a plan of the first job, they have none yet
  LocateRecord record;
  const auto merge_parts = [&](const TaskPlan& plan) {
    record = whole;
    for (int64_t i = 0; i < plan.size(); ++i) add_alone(record, record_of(folder, plan.id(i)));
  };
  const TaskUnits parts{.range_option = "--parts", .count = whole.parts};
  if (!distribute(tasks, parts, rest, merge_parts, log)) return queued();
  return LocateParts(parts_job(job, bytes), factory, log).result(record);
}

}  // namespace polygraphy::cli
