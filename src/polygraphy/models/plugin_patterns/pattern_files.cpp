#include "polygraphy/models/plugin_patterns/pattern_files.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "base/error.h"
#include "base/log_modules.h"
#include "base/near_names.h"

namespace polygraphy {
namespace {

namespace fs = std::filesystem;

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void warn_of_unknown(const std::vector<std::string>& names, const std::vector<PatternFile>& all,
                     const std::string& folder, Logger& log) {
  std::vector<std::string_view> known;
  for (const PatternFile& file : all) known.push_back(file.plugin);
  for (const std::string& name : names) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string hint = unknown_name_hint(name, known, "Plugins");
    log.warning(log_modules::kPlugin,
                "No plugin '" + name + "' in " + folder + (hint.empty() ? "" : "\n" + hint));
  }
}

}  // namespace

std::string pattern_path(const std::string& folder, const std::string& plugin) {
  return (fs::path(folder) / plugin / "pattern.py").native();
}

std::vector<PatternFile> find_patterns(const PatternChoice& choice, Logger& log) {
  std::error_code failed;
  if (!fs::is_directory(choice.folder, failed)) {
    throw IoError("The folder of plugins " + choice.folder + " is " +
                      (fs::exists(choice.folder, failed) ? "not a folder" : "missing"),
                  "Give a folder with one folder per plugin, each with a file pattern.py.");
  }
  std::vector<PatternFile> all;
  fs::directory_iterator entries(choice.folder, failed);
  if (failed) {
    throw IoError("The folder of plugins " + choice.folder +
                  " cannot be read: " + failed.message());
  }
  for (const auto& entry : entries) {
    const std::string name = entry.path().filename().native();
    const std::string path = pattern_path(choice.folder, name);
    if (!name.starts_with('.') && fs::is_regular_file(path, failed)) all.push_back({name, path});
  }
  std::sort(all.begin(), all.end(),
            [](const PatternFile& a, const PatternFile& b) { return a.plugin < b.plugin; });
  if (all.empty()) {
    log.warning(log_modules::kPlugin,
                "No plugins in " + choice.folder + ": it has no folder with a file pattern.py");
    return all;
  }
  warn_of_unknown(choice.include, all, choice.folder, log);
  warn_of_unknown(choice.exclude, all, choice.folder, log);
  std::erase_if(all, [&](const PatternFile& file) {
    return (!choice.include.empty() && !has(choice.include, file.plugin)) ||
           has(choice.exclude, file.plugin);
  });
  return all;
}

}  // namespace polygraphy
