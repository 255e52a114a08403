#include "cli/args/backend_path.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "base/error.h"
#include "cli/syntax/arg_group.h"

namespace polygraphy::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kOption = "--backend-path";

constexpr Option kOptions[] = {
    {.spellings = kOption,
     .help = "Additional back ends: plugin files polygraphy_<name>.so, or folders of them, "
             "searched after POLYGRAPHY_BACKENDS. Their options become options of this command.",
     .arity = Arity::kOneOrMore,
     .files = FileUse::kRead,
     .or_folder = true,
     .metavar = "PATH",
     .origin = Origin::kOurs,
     .appends = true},
};

bool ends_the_options(const Syntax& syntax, const std::string& word) {
  if (word == "--") return true;
  const Syntax::Entry* entry = syntax.find(word.substr(0, word.find('=')));
  return entry &&
         (entry->option->arity == Arity::kRemainder || entry->option->arity == Arity::kCommand);
}

bool is_in(const std::string& file, const std::string& folder) {
  std::error_code failed;
  return fs::equivalent(fs::path(file).parent_path(), folder, failed) && !failed;
}

bool has_plugins(const std::string& folder) {
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(folder, failed)) {
    if (!name_of_plugin(entry.path().filename().native()).empty()) return true;
  }
  return false;
}

Error unusable(const std::string& path, const std::string& problem, const std::string& remedy) {
  return Error(std::string(kOption) + " " + path + ": " + problem, remedy);
}

}  // namespace

extern constinit const ArgGroup args_backend_path = {
    .title = "Back Ends", .summary = "Additional back ends.", .options = kOptions};

bool may_name_backends(std::span<const std::string> args) {
  return std::any_of(args.begin(), args.end(),
                     [](const std::string& word) { return word.starts_with(kOption); });
}

std::vector<std::string> named_backends(const Syntax& syntax, std::span<const std::string> args,
                                        const Environment& env) {
  std::vector<std::string> paths;
  if (!syntax.find(kOption)) return paths;
  bool inside = false;
  for (const std::string& word : args) {
    if (ends_the_options(syntax, word)) break;
    if (word.starts_with(std::string(kOption) + "=")) {
      paths.push_back(env.path(word.substr(kOption.size() + 1)));
      inside = false;
    } else if (word.starts_with("-")) {
      inside = word == kOption;
    } else if (inside) {
      paths.push_back(env.path(word));
    }
  }
  return paths;
}

void check_named_backends(const Environment& env, const BackendCatalog& catalog) {
  for (const std::string& path : env.backend_paths) {
    std::error_code failed;
    const fs::file_status status = fs::status(path, failed);
    if (!fs::exists(status)) {
      throw unusable(path, "there is no such file or folder",
                     "Give a file polygraphy_<name>.so, or its folder.");
    }
    for (const UnusablePlugin& plugin : catalog.unusable()) {
      if (plugin.file == path) throw unusable(path, plugin.reason, plugin.remedy);
    }
    if (!fs::is_directory(status)) continue;
    const auto bad =
        std::find_if(catalog.unusable().begin(), catalog.unusable().end(),
                     [&](const UnusablePlugin& plugin) { return is_in(plugin.file, path); });
    if (bad != catalog.unusable().end()) throw unusable(bad->file, bad->reason, bad->remedy);
    if (!has_plugins(path)) {
      throw unusable(path, "the folder has no plugin polygraphy_<name>.so",
                     "Build a plugin into it, or name another folder.");
    }
  }
}

}  // namespace polygraphy::cli
