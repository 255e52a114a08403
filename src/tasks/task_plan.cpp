#include "tasks/task_plan.h"

#include <fmt/format.h>

#include <sys/stat.h>

#include <charconv>

#include "base/os/atomic_file.h"
#include "base/os/file_text.h"
#include "formats/json_reader.h"
#include "formats/json_writer.h"

namespace polygraphy {
namespace {

constexpr int64_t kVersion = 1;
constexpr std::string_view kIdStart = R"({"id":")";
constexpr size_t kIdSize = 32;
constexpr uint64_t kMostBytes = uint64_t{4} << 30;  // 40 million tasks of samples

void put(JsonWriter& json, const std::vector<std::string>& words) {
  json.list(words, [&](const std::string& word) { json.string(word); });
}

void put(JsonWriter& json, const std::vector<TaskInput>& inputs) {
  json.list(inputs, [&](const TaskInput& input) {
    json.begin_object();
    json.key("path");
    json.string(input.path);
    json.key("digest");
    json.string(input.digest.text());
    json.key("bytes");
    json.integer(input.bytes);
    if (!input.beside.empty()) {
      json.key("beside");
      put(json, input.beside);
    }
    json.end_object();
  });
}

void put(JsonWriter& json, const TaskNeeds& needs) {
  json.begin_object();
  json.key("cpus");
  json.integer(needs.cpus);
  json.key("memory");
  json.integer(needs.memory);
  json.key("gpus");
  json.integer(needs.gpus);
  json.key("gpu_type");
  json.string(needs.gpu_type);
  json.end_object();
}

std::string line_of(const TaskJob& job) {
  StringSink text;
  JsonWriter json(text, JsonStyle::kCompact);
  json.begin_object();
  json.key("polygraphy_plan");
  json.integer(kVersion);
  json.key("argv");
  put(json, job.argv);
  json.key("result");
  json.string(job.result_option);
  json.key("folder");
  json.string(job.folder);
  json.key("inputs");
  put(json, job.inputs);
  json.key("versions");
  json.begin_object();
  for (const auto& [engine, version] : job.versions) {
    json.key(engine);
    json.string(version);
  }
  json.end_object();
  json.key("needs");
  put(json, job.needs);
  json.key("unit");
  json.string(job.unit);
  json.key("units");
  json.integer(job.units);
  json.key("command");
  put(json, job.command);
  json.end_object();
  return text.text() + "\n";
}

std::string line_of(const Task& task, const Fingerprint& id) {
  StringSink text;
  JsonWriter json(text, JsonStyle::kCompact);
  json.begin_object();
  json.key("id");
  json.string(id.text());
  json.key("argv");
  put(json, task.argv);
  json.key("units");
  json.integer(task.units);
  if (!task.inputs.empty()) {
    json.key("inputs");
    put(json, task.inputs);
  }
  json.end_object();
  return text.text() + "\n";
}

std::vector<std::string> read_words(JsonReader& json) {
  std::vector<std::string> words;
  json.enter_array();
  while (json.next_element()) words.push_back(json.read_string());
  return words;
}

int64_t read_count(JsonReader& json) {
  const size_t at = json.offset();
  const int64_t count = json.read_integer();
  if (count < 0) json.fail_at(at, fmt::format("{} is not a count.", count));
  return count;
}

Fingerprint read_digest(JsonReader& json) {
  const size_t at = json.offset();
  const std::string text = json.read_string();
  const auto digest = parse_fingerprint(text);
  if (!digest) json.fail_at(at, "expected 32 hexadecimal digits, but found '" + text + "'.");
  return *digest;
}

std::vector<TaskInput> read_inputs(JsonReader& json);

TaskInput read_input(JsonReader& json) {
  TaskInput input;
  json.enter_object();
  for (std::string key; json.next_key(key);) {
    if (key == "path") {
      input.path = json.read_string();
    } else if (key == "digest") {
      input.digest = read_digest(json);
    } else if (key == "bytes") {
      input.bytes = static_cast<uint64_t>(read_count(json));
    } else if (key == "beside") {
      input.beside = read_inputs(json);
    } else {
      json.skip_value();
    }
  }
  return input;
}

std::vector<TaskInput> read_inputs(JsonReader& json) {
  std::vector<TaskInput> inputs;
  json.enter_array();
  while (json.next_element()) inputs.push_back(read_input(json));
  return inputs;
}

TaskNeeds read_needs(JsonReader& json) {
  TaskNeeds needs;
  json.enter_object();
  for (std::string key; json.next_key(key);) {
    if (key == "cpus") {
      needs.cpus = read_count(json);
    } else if (key == "memory") {
      needs.memory = static_cast<uint64_t>(read_count(json));
    } else if (key == "gpus") {
      needs.gpus = read_count(json);
    } else if (key == "gpu_type") {
      needs.gpu_type = json.read_string();
    } else {
      json.skip_value();
    }
  }
  return needs;
}

OrderedMap<std::string> read_versions(JsonReader& json) {
  OrderedMap<std::string> versions;
  json.enter_object();
  for (std::string engine; json.next_key(engine);) versions.set(engine, json.read_string());
  return versions;
}

TaskJob read_job(JsonReader& json) {
  TaskJob job;
  std::optional<int64_t> version;
  json.enter_object();
  for (std::string key; json.next_key(key);) {
    if (key == "polygraphy_plan") {
      version = json.read_integer();
      if (version == kVersion) continue;
      throw Error(kPlanOfOtherVersion,
                  fmt::format("{}: a plan of version {}, but this program reads version {}",
                              json.source(), *version, kVersion),
                  "Run the tasks with the program that made the plan, or make it again.");
    }
    if (!version) break;
    if (key == "argv") {
      job.argv = read_words(json);
    } else if (key == "result") {
      job.result_option = json.read_string();
    } else if (key == "folder") {
      job.folder = json.read_string();
    } else if (key == "inputs") {
      job.inputs = read_inputs(json);
    } else if (key == "versions") {
      job.versions = read_versions(json);
    } else if (key == "needs") {
      job.needs = read_needs(json);
    } else if (key == "unit") {
      job.unit = json.read_string();
    } else if (key == "units") {
      job.units = read_count(json);
    } else if (key == "command") {
      job.command = read_words(json);
    } else {
      json.skip_value();
    }
  }
  if (!version) json.fail_at(0, "this is not a plan: its first member is not 'polygraphy_plan'.");
  json.finish();
  return job;
}

}  // namespace

TaskPlanWriter::TaskPlanWriter(const std::string& path, const TaskJob& job)
    : file_(std::make_unique<AtomicFile>(path)), job_(digest_of(job)) {
  file_->write(line_of(job));
}

TaskPlanWriter::~TaskPlanWriter() = default;

void TaskPlanWriter::add(const Task& task) {
  file_->write(line_of(task, digest_of(job_, task)));
}

void TaskPlanWriter::commit() {
  file_->commit();
}

TaskPlan TaskPlan::open(const std::string& path) {
  struct stat info;
  if (::stat(path.c_str(), &info) == 0 &&
      (!S_ISREG(info.st_mode) || static_cast<uint64_t>(info.st_size) > kMostBytes))
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
  JsonReader json(all_.substr(0, end), path_);
  job_ = read_job(json);
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
  JsonReader json(line(index), fmt::format("{}, task {}", path_, index));
  Task task;
  Fingerprint id;
  json.enter_object();
  for (std::string key; json.next_key(key);) {
    if (key == "id") {
      id = read_digest(json);
    } else if (key == "argv") {
      task.argv = read_words(json);
    } else if (key == "units") {
      task.units = read_count(json);
    } else if (key == "inputs") {
      task.inputs = read_inputs(json);
    } else {
      json.skip_value();
    }
  }
  json.finish();
  if (const Fingerprint own = digest_of(digest_, task); own != id) {
    json.fail_at(0,
                 fmt::format("its id is {}, but its contents have the id {}: the plan was edited.",
                             id.text(), own.text()));
  }
  return task;
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
