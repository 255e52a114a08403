#include "tasks/task_plan.h"

#include <fmt/format.h>

#include <charconv>

#include "base/os/atomic_file.h"
#include "base/os/file_text.h"
#include "base/os/files/file_status.h"
#include "formats/record_json.h"

namespace polygraphy {
namespace {

constexpr std::string_view kForm = "polygraphy_plan";
constexpr int64_t kVersion = 1;
constexpr std::string_view kIdStart = R"({"id":")";
constexpr size_t kIdSize = 32;
constexpr uint64_t kMostBytes = uint64_t{4} << 30;  // 40 million tasks of samples

template <typename T>
constexpr auto fingerprint_row(std::string_view name, Fingerprint T::* of) {
  return mapped(
      name, [of](const T& owner) { return (owner.*of).text(); },
      [of](T& owner, const std::string& text) {
        const auto read = parse_fingerprint(text);
        if (!read) throw Error("expected 32 hexadecimal digits, but found '" + text + "'.");
        owner.*of = *read;
      },
      "32 hexadecimal digits.");
}

}  // namespace

constexpr auto record_of(RecordOf<TaskInput>) {
  using Of = TaskInput;
  return record<Of>("TaskInput", "A file that tasks read.", member("path", &Of::path, "Its path."),
                    fingerprint_row("digest", &Of::digest), count("bytes", &Of::bytes, "Its size."),
                    member("beside", &Of::beside, "Files that it refers to.").if_set());
}

constexpr auto record_of(RecordOf<TaskNeeds>) {
  using Of = TaskNeeds;
  return record<Of>("TaskNeeds", "The share of a machine.", count("cpus", &Of::cpus, "Cores."),
                    count("memory", &Of::memory, "In bytes."), count("gpus", &Of::gpus, "GPUs."),
                    member("gpu_type", &Of::gpu_type, "In the scheduler's words."));
}

constexpr auto record_of(RecordOf<TaskJob>) {
  using Of = TaskJob;
  return record<Of>(
      "TaskJob", "The parts that all tasks share.", form(kForm, kVersion),
      member("argv", &Of::argv, "The first arguments."),
      member("result", &Of::result_option, "The option for the result."),
      member("folder", &Of::folder, "Where tasks run."), member("inputs", &Of::inputs, "Files."),
      member("versions", &Of::versions, "Of engines."), member("needs", &Of::needs, "Of a task."),
      member("unit", &Of::unit, "Its name."), count("units", &Of::units, "How many there are."),
      member("command", &Of::command, "Of the user."));
}

// A task as the file has it.
struct TaskLine {
  Fingerprint id = {};
  Task task = {};
};
constexpr auto record_of(RecordOf<TaskLine>) {
  return record<TaskLine>(
      "Task", "A task.", fingerprint_row("id", &TaskLine::id),
      member(
          "argv", [](auto& line) -> auto& { return line.task.argv; }, "Further arguments."),
      count(
          "units", [](auto& line) -> auto& { return line.task.units; }, "How many."),
      member("inputs", [](auto& line) -> auto& { return line.task.inputs; }, "Files.").if_set());
}

namespace {

TaskJob read_job(std::string_view line, const std::string& path) {
  constexpr const char* kNoPlan = "this is not a plan: its first member is not 'polygraphy_plan'.";
  JsonReader json(line, path);
  json.enter_object();
  std::string key;
  if (!json.next_key(key) || key != kForm) json.fail_at(0, kNoPlan);
  const int64_t version = json.read_integer();
  if (version == kVersion) return parse_record<TaskJob>(line, path, kNoPlan);
  throw Error(kPlanOfOtherVersion,
              fmt::format("{}: a plan of version {}, but this program reads version {}", path,
                          version, kVersion),
              "Run the tasks with the program that made the plan, or make it again.");
}

}  // namespace

TaskPlanWriter::TaskPlanWriter(const std::string& path, const TaskJob& job)
    : file_(std::make_unique<AtomicFile>(path)), job_(digest_of(job)) {
  file_->write(record_line(job));
}

TaskPlanWriter::~TaskPlanWriter() = default;

void TaskPlanWriter::add(const Task& task) {
  file_->write(record_line(TaskLine{digest_of(job_, task), task}));
}

void TaskPlanWriter::commit() {
  file_->commit();
}

TaskPlan TaskPlan::open(const std::string& path) {
  const auto status = file_status(path);
  if (status && (!status->is_file() || status->bytes > kMostBytes))
    throw FormatError(path +
                      ": this is not a plan: it is not a regular file, or has more than 4 GiB");
  TaskPlan plan(path);
  plan.file_ = MappedFile::open(path, AccessPattern::kSequential);
  plan.all_ = text_of(*plan.file_);
  plan.read();
  return plan;
}

TaskPlan TaskPlan::parse(std::string text, std::string name) {
  TaskPlan plan(std::move(name));
  // A short text moves with its owner: a copy on the heap stays in place.
  auto kept = std::make_shared<const std::string>(std::move(text));
  plan.all_ = *kept;
  plan.text_ = std::move(kept);
  plan.read();
  return plan;
}

// A line without an end is one that was cut off.
void TaskPlan::read() {
  const size_t end = all_.find('\n');
  job_ = read_job(all_.substr(0, end), path_);
  digest_ = digest_of(job_);
  size_t start = end == all_.npos ? all_.size() : end + 1;
  while (start < all_.size()) {
    const size_t next = all_.find('\n', start);
    if (next == all_.npos) {
      throw FormatError(fmt::format("{}: the line of task {} is truncated", path_, starts_.size()),
                        "Make the plan again.");
    }
    starts_.push_back(start);
    start = next + 1;
  }
}

std::string_view TaskPlan::line(int64_t index) const {
  if (index < 0 || index >= size()) {
    throw Error(kNoSuchTask,
                fmt::format("{} has no task {}: its tasks are 0 to {}", path_, index, size() - 1));
  }
  const size_t start = starts_[static_cast<size_t>(index)];
  return all_.substr(start, all_.find('\n', start) - start);
}

Task TaskPlan::task(int64_t index) const {
  const std::string source = fmt::format("{}, task {}", path_, index);
  TaskLine read = parse_record<TaskLine>(line(index), source, "this is not a task.");
  if (const Fingerprint own = digest_of(digest_, read.task); own != read.id) {
    throw FormatError(
        fmt::format("{}: its id is {}, but its contents have the id {}: the plan was edited.",
                    source, read.id.text(), own.text()));
  }
  return std::move(read.task);
}

bool TaskPlan::reads_files(int64_t index) const {
  return line(index).find(R"("inputs":)") != std::string_view::npos;
}

std::string TaskPlan::id(int64_t index) const {
  const std::string_view text = line(index);
  if (text.starts_with(kIdStart) && text.size() >= kIdStart.size() + kIdSize) {
    const std::string_view id = text.substr(kIdStart.size(), kIdSize);
    if (parse_fingerprint(id)) return std::string(id);
  }
  return digest_of(digest_, task(index)).text();
}

}  // namespace polygraphy
