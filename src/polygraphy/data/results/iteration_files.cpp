#include "polygraphy/data/results/iteration_files.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "base/error.h"
#include "base/log_modules.h"
#include "base/os/files/file_access.h"
#include "base/os/files/file_status.h"
#include "base/os/files/open_file.h"
#include "base/os/scratch_folder.h"
#include "polygraphy/data/results/result_store.h"

namespace polygraphy {
namespace {

std::string reason(int error) {
  return std::strerror(error);
}

// Names of a directory's entries but `.` and `..`.
std::vector<std::string> entries_of(const std::string& path) {
  auto names = names_in_folder(path);
  if (!names) throw IoError("Cannot read directory '" + path + "': " + reason(errno) + ".");
  return *std::move(names);
}

std::string in_directory(const std::string& directory, std::string_view name) {
  return directory + (directory.ends_with('/') ? "" : "/") + std::string(name);
}

// With parents, as mkdir -p.
void make_directory(const std::string& path) {
  std::error_code failed;
  std::filesystem::create_directories(path, failed);
  if (failed && !is_there(path))
    throw IoError("Cannot create directory '" + path + "': " + reason(failed.value()) + ".");
  if (!is_existing_directory(path)) {
    throw IoError(
        "Cannot create directory '" + path + "': a file of that name exists.",
        "Use a path with a file extension to save a single file, or a different directory.");
  }
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// a2 < a10.
bool natural_less(std::string_view a, std::string_view b) {
  size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (!is_digit(a[i]) || !is_digit(b[j])) {
      if (a[i] != b[j]) return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[j]);
      ++i, ++j;
      continue;
    }
    const auto number = [](std::string_view text, size_t& at) {
      while (at < text.size() && text[at] == '0') ++at;
      const size_t start = at;
      while (at < text.size() && is_digit(text[at])) ++at;
      return text.substr(start, at - start);
    };
    const std::string_view x = number(a, i), y = number(b, j);
    if (x.size() != y.size()) return x.size() < y.size();
    if (x != y) return x < y;
  }
  return a.size() - i != b.size() - j ? a.size() - i < b.size() - j : a < b;
}

// A pipe without a writer would never end, and a device has no end. Dangling links count as files,
// so that reading names them.
bool is_listed_file(const std::string& path) {
  const auto status = file_status(path);
  return !status || status->is_file() || status->is_folder();
}

// The paths of the entries that `wanted` chooses by name, without hidden ones.
template <typename Wanted>
std::vector<std::string> files_of(const std::string& directory, Wanted wanted) {
  std::vector<std::string> files;
  for (const std::string& name : entries_of(directory)) {
    if (name.starts_with('.') || !wanted(name)) continue;
    std::string path = in_directory(directory, name);
    if (is_listed_file(path)) files.push_back(std::move(path));
  }
  return files;
}

// Python's os.path.splitext(path)[1] != "".
bool has_extension(std::string_view path) {
  std::string_view name = path.substr(path.rfind('/') + 1);
  while (name.starts_with('.')) name.remove_prefix(1);
  return name.find('.') != std::string_view::npos;
}

}  // namespace

bool is_existing_directory(const std::string& path) {
  const auto status = file_status(path);
  return status && status->is_folder();
}

bool is_directory_target(const std::string& path) {
  if (has_extension(path) || path == "-" || path.empty()) return false;
  const auto status = file_status(path);
  return !status || status->is_folder();
}

std::vector<std::string> list_iteration_files(const std::string& directory) {
  std::vector<std::string> files =
      files_of(directory, [](const std::string& name) { return name.ends_with(".json"); });
  if (files.empty()) files = files_of(directory, is_store_target);
  if (files.empty()) {
    throw Error("No per-iteration '*.json' files found in directory: " + directory);
  }
  std::sort(files.begin(), files.end());
  return files;
}

Folder list_folder(const std::string& path) {
  Folder result;
  for (std::string& whole : files_of(path, [](const std::string&) { return true; }))
    (is_existing_directory(whole) ? result.folders : result.files).push_back(std::move(whole));
  std::sort(result.files.begin(), result.files.end(), natural_less);
  std::sort(result.folders.begin(), result.folders.end(), natural_less);
  return result;
}

std::string iteration_folder(const std::string& directory, int64_t index) {
  constexpr size_t kDigits = 10;
  std::string name = std::to_string(index);
  if (name.size() < kDigits) name.insert(0, kDigits - name.size(), '0');
  return in_directory(directory, name);
}

std::string iteration_file(const std::string& directory, int64_t index) {
  // "results.npz/" says that it is a folder, and of what.
  const std::string_view named =
      std::string_view(directory).substr(0, directory.find_last_not_of('/') + 1);
  const bool binary = directory.ends_with('/') && is_store_target(named);
  const std::string_view extension = binary ? named.substr(named.rfind('.')) : ".json";
  return iteration_folder(directory, index) + std::string(extension);
}

void prepare_directory(const std::string& path, std::string_view description) {
  if (is_existing_directory(path) && !entries_of(path).empty()) {
    throw Error(
        "Cannot save " + std::string(description) + " to '" + path +
        "': the directory is not empty. Per-iteration files require an empty or new directory "
        "(so nothing is overwritten). Use a different path, or remove its contents first.");
  }
  make_directory(path);
}

void announce_saving(Logger& log, std::string_view description, const std::string& path,
                     bool directory) {
  log.info(log_modules::kSerde,
           "Saving " + std::string(description) +
               (directory ? " to a directory of per-iteration files: " : " to a single file: ") +
               path);
}

void announce_file(Logger& log, std::string_view description, const std::string& path) {
  log.info(log_modules::kUtil, "Saving " + std::string(description) + " to " + path);
}

void announce_loading(Logger& log, std::string_view description, const std::string& path) {
  log.info(log_modules::kUtil, "Loading " + std::string(description) + " from " + path);
}

SpillFile::SpillFile(const std::string& beside, int depth)
    : beside_(beside), json_(JsonWriter::inside_array(*this, depth)) {
  const size_t slash = beside.rfind('/');
  const std::string own = slash == std::string::npos ? "." : beside.substr(0, slash + 1);
  for (const std::string& directory : {own, temporary_folder()}) {
    file_ = open_unnamed(directory);
    if (file_) return;
  }
  throw IoError(
      "Cannot create a temporary file to save '" + beside + "': " + reason(errno) + ".",
      "Make room or choose another folder; saving to a directory needs no temporary file.");
}

void SpillFile::flush(std::string_view text) {
  if (const int error = write_all(file_.get(), text)) {
    throw IoError("Cannot write a temporary file to save '" + beside_ + "': " + reason(error) + ".",
                  "Make room or choose another folder.");
  }
  size_ += text.size();
}

void SpillFile::write(std::string_view text) {
  constexpr size_t kBuffer = size_t{64} << 10;
  if (buffer_.size() + text.size() > kBuffer) {
    flush(buffer_);
    buffer_.clear();
  }
  if (text.size() > kBuffer) {
    flush(text);
  } else {
    buffer_ += text;
  }
}

void SpillFile::copy_to(JsonFile& target) {
  if (size_ == 0 && buffer_.empty()) return;
  target.json.external_elements();
  flush(buffer_);
  buffer_.clear();
  target.file.copy_from(file_.get(), 0, size_);
}

}  // namespace polygraphy
