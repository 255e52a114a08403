#include "tasks/task_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <utility>

#include "base/fingerprint.h"
#include "base/os/atomic_file.h"
#include "base/os/files/file_access.h"
#include "base/os/files/file_lock.h"
#include "base/os/files/file_status.h"
#include "base/os/files/open_file.h"
#include "base/os/system_error.h"
#include "base/text.h"
#include "formats/record_json.h"
#include "tasks/shared_file.h"

namespace polygraphy {
namespace {

constexpr std::string_view kJson = ".json", kLog = ".log";
constexpr std::string_view kKinds[] = {"results", "parts",   "times",   "failed",
                                       "tried",   "running", "damaged", "warnings"};
constexpr size_t kFan = 2;  // digits of an id that name a folder: 256 folders

// Of files that are read: far more than tasks write, and a short time to read.
constexpr uint64_t kMostResult = uint64_t{1} << 30, kMostNote = uint64_t{16} << 20;

bool exists(const std::string& path) {
  return link_status(path).has_value();
}

void refuse_link(const std::string& folder) {
  if (const auto found = link_status(folder); found && found->kind == FileStatus::Kind::kLink) {
    throw IoError(folder + ": this is a link, so results would be written elsewhere",
                  "Remove it, or give the folder that it leads to.");
  }
}

// In the place of something that is not a file of ours, if need be.
void write_shared(const std::string& path, std::string_view contents, Durability durability) {
  if (is_foreign(path)) std::remove(path.c_str());
  write_file(path, contents, durability);
}

// A note beside results; empty: it is missing, or foreign.
std::string read_note(const std::string& path, uint64_t most = kMostNote) {
  if (!exists(path) || is_foreign(path)) return {};
  return read_shared(path, most);
}

// With the names in the folder that end so, without their ends.
template <typename Names = std::unordered_set<std::string>>
Names names_in(const std::string& folder, std::string_view end, Names names = {}) {
  for (const std::string& name : names_in_folder(folder).value_or(std::vector<std::string>())) {
    if (name.ends_with(end) && !name.starts_with("."))
      names.insert(name.substr(0, name.size() - end.size()));
  }
  return names;
}

// No text of JSON has it.
constexpr char kBetweenDocuments = '\x1e';
constexpr size_t kMostAttempts = 20;  // that are kept

std::string first_line(std::string_view id, std::string_view contents) {
  return fmt::format(R"({{"polygraphy_result":1,"task":"{}","digest":"{}","bytes":{}}})", id,
                     fingerprint(contents).text(), contents.size()) +
         "\n";
}

// The contents of a file that begins with first_line(); nullopt: it is another one's, or damaged.
std::optional<std::string_view> contents_in(std::string_view text, std::string_view id) {
  const std::string_view contents = text.substr(std::min(text.find('\n'), text.size() - 1) + 1);
  if (text.substr(0, text.size() - contents.size()) != first_line(id, contents))
    return std::nullopt;
  return contents;
}

std::string joined(const std::vector<std::string>& documents) {
  return join(documents, std::string_view(&kBetweenDocuments, 1));
}

std::vector<std::string> parted(std::string_view contents) {
  std::vector<std::string> documents;
  for (const std::string_view one : split(contents, kBetweenDocuments)) documents.emplace_back(one);
  return documents;
}

}  // namespace

constexpr auto record_of(RecordOf<TaskFailure>) {
  using Of = TaskFailure;
  return record<Of>("TaskFailure", "A task without a result.",
                    member("final", &Of::final, "No machine gives another result."),
                    member("attempts", &Of::attempts, "How many."),
                    member("host", &Of::host, "Of the last one."),
                    member("reason", &Of::reason, "A sentence."));
}

constexpr auto record_of(RecordOf<TaskAttempt>) {
  using Of = TaskAttempt;
  return record<Of>("TaskAttempt", "An attempt.", member("host", &Of::host, "Its machine."),
                    member("reason", &Of::reason, "A sentence."));
}

std::string TaskFolder::plan_path(std::string_view digest) const {
  return fmt::format("{}/{}.jsonl", path_, digest);
}
std::string TaskFolder::result_path(std::string_view id) const {
  return fmt::format("{}/results/{}/{}{}", path_, id.substr(0, kFan), id, kJson);
}
std::string TaskFolder::time_path(std::string_view id) const {
  return fmt::format("{}/times/{}/{}", path_, id.substr(0, kFan), id);
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
std::string TaskFolder::warning_log(std::string_view digest) const {
  return fmt::format("{}/warnings/{}{}", path_, digest, kLog);
}
std::string TaskFolder::part_path(std::string_view id) const {
  return fmt::format("{}/parts/{}{}", path_, id, kJson);
}
std::string TaskFolder::tried_path(std::string_view id) const {
  return fmt::format("{}/tried/{}{}", path_, id, kJson);
}
std::string TaskFolder::written_path(std::string_view id, std::string_view host,
                                     int64_t process) const {
  return fmt::format("{}/running/.{}.{}.{}{}", path_, id, host, process, kJson);
}

void TaskFolder::make() const {
  for (const std::string_view kind : kKinds) {
    const std::string folder = path_ + "/" + std::string(kind);
    refuse_link(folder);
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (failed) throw IoError("cannot create " + folder + ": " + failed.message());
  }
}

bool TaskFolder::has_result(std::string_view id) const {
  const std::string path = result_path(id);
  if (!exists(path)) return false;
  try {
    return contents_in(read_shared(path, kMostResult), id).has_value();
  } catch (const IoError&) {
    if (!is_foreign(path)) throw;  // of this machine or this moment: it says nothing of the result
    return false;
  } catch (const Error&) {
    return false;
  }
}

std::string TaskFolder::set_aside_result(std::string_view id) const {
  const std::string path = result_path(id);
  if (!exists(path)) return {};
  std::string aside = fmt::format("{}/damaged/{}{}", path_, id, kJson);
  for (int i = 1; exists(aside); ++i)
    aside = fmt::format("{}/damaged/{}.{}{}", path_, id, i, kJson);
  if (std::rename(path.c_str(), aside.c_str()) != 0 && errno != ENOENT)
    throw IoError("cannot move " + path + " to " + aside + ": " + system_reason(errno));
  return aside;
}

std::vector<std::string> TaskFolder::read_result(std::string_view id) const {
  const std::string path = result_path(id), text = read_shared(path, kMostResult);
  if (const auto contents = contents_in(text, id)) return parted(*contents);
  throw Error(kNotTheResult,
              path + ": this is not the result of task " + std::string(id) +
                  ": its first line is of another task, or its contents have changed",
              "Run the command again: it sets the file aside, and runs the task.");
}

void TaskFolder::write_result(std::string_view id, const std::vector<std::string>& documents,
                              double seconds, std::string_view measured) const {
  const std::string path = result_path(id), contents = joined(documents);
  for (const char* kind : {"results", "times"})
    refuse_link(fmt::format("{}/{}/{}", path_, kind, id.substr(0, kFan)));
  write_shared(time_path(id), fmt::format("{:.6f}\n{}", seconds, measured), Durability::kNone);
  write_shared(path, first_line(id, contents) + contents, Durability::kNone);
  // Once, and not its folder: a result that a loss of power damages or takes away is made again.
  sync_to_disk(open_regular(path, OpenFor::kReading).get());
}

TaskPart TaskFolder::read_part(std::string_view id) const {
  const std::string path = part_path(id), text = read_note(path, kMostResult);
  const auto contents = contents_in(text, id);
  if (!contents) return {};
  std::vector<std::string> documents = parted(*contents);
  JsonReader json(documents.front(), path);
  TaskPart part;
  json.enter_array();
  for (int place = 0; json.next_element(); ++place)
    place == 0 ? part.units = json.read_integer() : part.seconds = json.read_number();
  documents.erase(documents.begin());
  part.documents = std::move(documents);
  return part;
}

void TaskFolder::write_part(std::string_view id, const TaskPart& part) const {
  std::vector<std::string> documents = part.documents;
  documents.insert(documents.begin(), fmt::format("[{}, {:.6f}]", part.units, part.seconds));
  const std::string contents = joined(documents);
  write_shared(part_path(id), first_line(id, contents) + contents, Durability::kNone);
}

void TaskFolder::forget_part(std::string_view id) const {
  remove_file(part_path(id));
}

std::optional<TaskFailure> TaskFolder::read_failure(std::string_view id) const {
  const std::string path = failure_path(id), text = read_note(path);
  if (text.empty()) return std::nullopt;
  return parse_record<TaskFailure>(text, path, "this is not a failure of a task.");
}

void TaskFolder::write_failure(std::string_view id, const TaskFailure& failure) const {
  write_shared(failure_path(id), record_line(failure), Durability::kNone);
  std::vector<TaskAttempt> all = attempts(id);
  all.push_back({failure.host, failure.reason});
  if (all.size() > kMostAttempts) all.erase(all.begin());
  write_shared(tried_path(id), record_line(all), Durability::kNone);
}

std::vector<TaskAttempt> TaskFolder::attempts(std::string_view id) const {
  const std::string path = tried_path(id), text = read_note(path);
  std::vector<TaskAttempt> all;
  if (text.empty()) return all;
  try {
    JsonReader json(text, path);
    read_value(json, all);
  } catch (const FormatError&) {
    all.clear();  // of damage to a note, nothing depends
  }
  return all;
}

void TaskFolder::forget_failure(std::string_view id) const {
  remove_file(failure_path(id));
  remove_file(failed_log(id));
}

std::optional<double> TaskFolder::seconds(std::string_view id) const {
  const std::string text = read_note(time_path(id));
  double seconds = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (failed != std::errc() || !(seconds >= 0)) return std::nullopt;
  return seconds;
}

std::string TaskFolder::measured(std::string_view id) const {
  const std::string text = read_note(time_path(id));
  const size_t line = text.find('\n');
  return line == std::string::npos ? std::string() : text.substr(line + 1);
}

TaskIds TaskFolder::results() const {
  TaskIds ids;
  for (const std::string& fan : names_in(path_ + "/results", ""))
    ids = names_in(path_ + "/results/" + fan, kJson, std::move(ids));
  return ids;
}

std::unordered_set<std::string> TaskFolder::failures() const {
  return names_in(path_ + "/failed", kJson);
}

size_t TaskFolder::warning_logs() const {
  return names_in(path_ + "/warnings", kLog).size();
}

std::unordered_set<std::string> TaskFolder::tried() const {
  return names_in(path_ + "/tried", kJson);
}

std::unordered_set<std::string> TaskFolder::begun() const {
  return names_in(path_ + "/running", kLog);
}

bool TaskFolder::runs(std::string_view id) const {
  return is_locked(running_log(id));
}

}  // namespace polygraphy
