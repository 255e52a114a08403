#include "onnxrt/profile.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "common/files.h"
#include "common/plugin.h"

namespace onnxrt {
namespace {

constexpr std::string_view kKernel = "_kernel_time";

// The text of `"key" :"value"` in one event. Escapes other than \" and \\ stay as they are: names
// of nodes have none in practice.
std::string text_of(std::string_view event, std::string_view key) {
  const std::string quoted = '"' + std::string(key) + '"';
  size_t at = event.find(quoted);
  if (at == std::string_view::npos) return {};
  at = event.find_first_not_of(" :", at + quoted.size());
  if (at == std::string_view::npos || event[at] != '"') return {};
  std::string text;
  for (++at; at < event.size() && event[at] != '"'; ++at) {
    if (event[at] == '\\' && at + 1 < event.size()) ++at;
    text += event[at];
  }
  return text;
}

double number_of(std::string_view event, std::string_view key) {
  const std::string quoted = '"' + std::string(key) + '"';
  size_t at = event.find(quoted);
  if (at == std::string_view::npos) return 0;
  at = event.find_first_not_of(" :", at + quoted.size());
  return at == std::string_view::npos
             ? 0
             : std::strtod(std::string(event.substr(at, 32)).c_str(), nullptr);
}

}  // namespace

std::vector<KernelTime> last_run(std::string_view trace) {
  std::vector<KernelTime> current, last;
  while (!trace.empty()) {
    const size_t end = trace.find('\n');
    const std::string_view event = trace.substr(0, end);
    trace.remove_prefix(end == std::string_view::npos ? trace.size() : end + 1);
    std::string name = text_of(event, "name");
    if (name == "model_run") {
      last = std::move(current);
      current.clear();
    } else if (name.size() > kKernel.size() && name.ends_with(kKernel)) {
      name.resize(name.size() - kKernel.size());
      current.push_back({std::move(name), text_of(event, "op_name"), text_of(event, "provider"),
                         number_of(event, "dur")});
    }
  }
  return last.empty() ? current : last;
}

ProfileFolder::ProfileFolder() {
  std::error_code failed;
  const auto folder = std::filesystem::temp_directory_path(failed);
  path_ = (failed ? std::filesystem::path("/tmp") : folder) / "polygraphy-profile-XXXXXX";
  if (!mkdtemp(path_.data())) {
    throw pgb::Failure("cannot create a folder for profiles in " +
                       path_.substr(0, path_.rfind('/')));
  }
}

ProfileFolder::~ProfileFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string ProfileFolder::next_prefix() {
  char name[16];
  std::snprintf(name, sizeof(name), "/%09d", count_++);
  return path_ + name;
}

std::string ProfileFolder::newest() const {
  std::string newest;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(path_, ignored)) {
    if (entry.path().string() > newest) newest = entry.path().string();
  }
  if (newest.empty()) return {};
  return pgb::read_file(newest).value_or(std::string());
}

}  // namespace onnxrt
