#include "tasks/task_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <charconv>
#include <filesystem>

#include "base/fingerprint.h"
#include "base/os/atomic_file.h"
#include "base/os/file_text.h"
#include "base/text.h"
#include "formats/compact_json.h"
#include "formats/json_reader.h"

namespace polygraphy {
namespace {

constexpr std::string_view kJson = ".json", kLog = ".log";
constexpr std::string_view kKinds[] = {"results", "times", "failed", "running"};

bool exists(const std::string& path) {
  struct stat info;
  return ::stat(path.c_str(), &info) == 0;
}

// The names in the folder that end so, without their ends.
std::unordered_set<std::string> names_in(const std::string& folder, std::string_view end) {
  std::unordered_set<std::string> names;
  DIR* all = ::opendir(folder.c_str());
  if (!all) return names;
  while (const dirent* entry = ::readdir(all)) {
    const std::string_view name = entry->d_name;
    if (name.ends_with(end) && !name.starts_with(".")) {
      names.emplace(name.substr(0, name.size() - end.size()));
    }
  }
  ::closedir(all);
  return names;
}

std::string first_line(std::string_view id, std::string_view contents) {
  return fmt::format(R"({{"polygraphy_result":1,"task":"{}","digest":"{}","bytes":{}}})", id,
                     fingerprint(contents).text(), contents.size()) +
         "\n";
}

}  // namespace

std::string TaskFolder::plan_path(std::string_view digest) const {
  return fmt::format("{}/{}.jsonl", path_, digest);
}
std::string TaskFolder::result_path(std::string_view id) const {
  return fmt::format("{}/results/{}{}", path_, id, kJson);
}
std::string TaskFolder::time_path(std::string_view id) const {
  return fmt::format("{}/times/{}", path_, id);
}
std::string TaskFolder::failure_path(std::string_view id) const {
  return fmt::format("{}/failed/{}{}", path_, id, kJson);
}
std::string TaskFolder::running_log(std::string_view id) const {
  return fmt::format("{}/running/{}{}", path_, id, kLog);
}
std::string TaskFolder::failed_log(std::string_view id) const {
  return fmt::format("{}/failed/{}{}", path_, id, kLog);
}
std::string TaskFolder::part_path(std::string_view id, std::string_view host,
                                  int64_t process) const {
  return fmt::format("{}/running/.{}.{}.{}{}", path_, id, host, process, kJson);
}

void TaskFolder::make() const {
  for (const std::string_view kind : kKinds) {
    const std::string folder = path_ + "/" + std::string(kind);
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (failed) throw IoError("cannot create " + folder + ": " + failed.message());
  }
}

bool TaskFolder::has_result(std::string_view id) const {
  return exists(result_path(id));
}

std::string TaskFolder::read_result(std::string_view id) const {
  const std::string path = result_path(id);
  std::string text = read_text(path);
  const size_t end = std::min(text.find('\n'), text.size() - (text.empty() ? 0 : 1)) + 1;
  const std::string contents = text.substr(std::min(end, text.size()));
  if (text.compare(0, end, first_line(id, contents)) == 0) return contents;
  throw Error(kNotTheResult,
              path + ": this is not the result of task " + std::string(id) +
                  ": its first line is of another task, or its contents have changed",
              "Delete the file, and run the command again.");
}

void TaskFolder::write_result(std::string_view id, std::string_view contents, double seconds,
                              std::string_view measured) const {
  write_file(time_path(id), fmt::format("{:.6f}\n{}", seconds, measured), Durability::kNone);
  write_file(result_path(id), first_line(id, contents) + std::string(contents));
}

std::optional<TaskFailure> TaskFolder::read_failure(std::string_view id) const {
  const std::string path = failure_path(id);
  if (!exists(path)) return std::nullopt;
  const std::string text = read_text(path);
  JsonReader json(text, path);
  TaskFailure failure;
  json.enter_object();
  for (std::string key; json.next_key(key);) {
    if (key == "final") {
      failure.final = json.read_bool();
    } else if (key == "attempts") {
      failure.attempts = json.read_integer();
    } else if (key == "host") {
      failure.host = json.read_string();
    } else if (key == "reason") {
      failure.reason = json.read_string();
    } else {
      json.skip_value();
    }
  }
  return failure;
}

void TaskFolder::write_failure(std::string_view id, const TaskFailure& failure) const {
  CompactJson json;
  json.begin_object();
  json.key("final");
  json.literal(failure.final ? "true" : "false");
  json.key("attempts");
  json.integer(failure.attempts);
  json.key("host");
  json.text(failure.host);
  json.key("reason");
  json.text(failure.reason);
  json.end_object();
  write_file(failure_path(id), json.str() + "\n");
}

void TaskFolder::forget_failure(std::string_view id) const {
  ::unlink(failure_path(id).c_str());
  ::unlink(failed_log(id).c_str());
}

std::optional<double> TaskFolder::seconds(std::string_view id) const {
  const std::string path = time_path(id);
  if (!exists(path)) return std::nullopt;
  const std::string text = read_text(path);
  double seconds = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (failed != std::errc() || !(seconds >= 0)) return std::nullopt;
  return seconds;
}

std::string TaskFolder::measured(std::string_view id) const {
  const std::string path = time_path(id);
  if (!exists(path)) return {};
  const std::string text = read_text(path);
  const size_t line = text.find('\n');
  return line == std::string::npos ? std::string() : text.substr(line + 1);
}

std::unordered_set<std::string> TaskFolder::results() const {
  return names_in(path_ + "/results", kJson);
}

std::unordered_set<std::string> TaskFolder::failures() const {
  return names_in(path_ + "/failed", kJson);
}

std::unordered_set<std::string> TaskFolder::begun() const {
  return names_in(path_ + "/running", kLog);
}

bool TaskFolder::runs(std::string_view id) const {
  const int fd = ::open(running_log(id).c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const bool locked = ::flock(fd, LOCK_SH | LOCK_NB) != 0;
  ::close(fd);
  return locked;
}

}  // namespace polygraphy
