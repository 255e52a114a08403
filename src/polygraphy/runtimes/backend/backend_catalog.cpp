#include "polygraphy/runtimes/backend/backend_catalog.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <map>
#include <system_error>

#include "base/error.h"
#include "base/glob.h"
#include "base/near_names.h"
#include "base/os/crash_message.h"
#include "base/os/files/file_access.h"
#include "base/os/processes/dynamic_library.h"
#include "base/text.h"

namespace polygraphy {
namespace {

constexpr std::string_view kPrefix = "polygraphy_", kSuffix = ".so";

// Names of back ends that the folder has plugins of, sorted.
std::vector<std::string> plugins_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const std::string& file : names_in_folder(folder).value_or(std::vector<std::string>())) {
    const std::string_view name = name_of_plugin(file);
    if (!name.empty()) names.emplace_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool same_file(const std::string& one, const std::string& other) {
  std::error_code failed;
  return std::filesystem::equivalent(one, other, failed) && !failed;
}

// Everything but members that may be null by the header.
bool is_complete(const pgb_backend_options& table) {
  const auto all = [](std::initializer_list<const char*> texts) {
    return std::all_of(texts.begin(), texts.end(), [](const char* text) { return text && *text; });
  };
  constexpr size_t kLeast = offsetof(pgb_backend_options, option_count) + sizeof(size_t);
  if (table.struct_size < kLeast ||
      !all({table.name, table.flags, table.runner_prefix, table.title, table.summary,
            table.remedy}) ||
      table.format_count == 0 || !table.formats || (table.option_count > 0 && !table.options)) {
    return false;
  }
  for (size_t i = 0; i < table.format_count; ++i) {
    if (!all({table.formats[i].name}) || !table.formats[i].patterns) return false;
  }
  for (size_t i = 0; i < table.option_count; ++i) {
    const pgb_option_spec& option = table.options[i];
    if (!all({option.key, option.nargs}) || (option.spellings && !option.help)) return false;
  }
  return true;
}

bool is_complete(const pgb_backend& backend) {
  return backend.struct_size >= offsetof(pgb_backend, extension) + sizeof(backend.extension) &&
         backend.options && backend.open && backend.close && backend.info && backend.capabilities &&
         backend.load && backend.unload && backend.inputs && backend.outputs && backend.infer &&
         is_complete(*backend.options);
}

std::vector<std::string_view> spellings_of(const pgb_backend_options& table) {
  std::vector<std::string_view> found = split(table.flags, ' ');
  const auto add = [&](const char* spellings) {
    if (!spellings) return;
    for (const auto spelling : split(spellings, ' ')) found.push_back(spelling);
  };
  for (size_t i = 0; i < table.option_count; ++i) add(table.options[i].spellings);
  add(table.library_option);
  return found;
}

Error clash(const std::string& what, const std::string& one, const std::string& other) {
  return Error(fmt::format("{}: {} and {}", what, one, other),
               "Remove one of the files from its folder.");
}

// For messages.
std::string origin_of(const BackendEntry& entry) {
  return entry.plugin.empty() ? fmt::format("back end {} of polygraphy itself", entry.options->name)
                              : entry.plugin;
}

}  // namespace

std::span<const pgb_option_spec> options_of(const pgb_backend_options& backend) {
  return {backend.options, backend.option_count};
}

std::span<const pgb_option_spec> options_of(std::string_view backend) {
  for (const pgb_backend_options* table : backend_option_tables()) {
    if (table->name == backend) return options_of(*table);
  }
  return {};
}

bool takes_format(const pgb_backend_options& backend, std::string_view format) {
  for (size_t i = 0; i < backend.format_count; ++i) {
    if (backend.formats[i].name == format) return true;
  }
  return false;
}

bool is_named_by(const pgb_model_format& format, std::string_view name, bool is_folder) {
  for (std::string_view pattern : split(format.patterns, ' ')) {
    const bool of_folders = pattern.ends_with('/');
    if (of_folders) pattern.remove_suffix(1);
    if (!pattern.empty() && of_folders == is_folder && Glob(pattern).matches(name)) return true;
  }
  return false;
}

std::string_view name_of_plugin(std::string_view file) {
  if (file.size() <= kPrefix.size() + kSuffix.size() || !file.starts_with(kPrefix) ||
      !file.ends_with(kSuffix)) {
    return {};
  }
  file.remove_prefix(kPrefix.size());
  file.remove_suffix(kSuffix.size());
  return file;
}

bool wants_own_process(const pgb_backend_options& backend) {
  constexpr size_t kEnd = offsetof(pgb_backend_options, own_process) + sizeof(int32_t);
  return backend.struct_size >= kEnd && backend.own_process != 0;
}

bool runs_in_python(const pgb_backend_options& backend) {
  constexpr size_t kEnd = offsetof(pgb_backend_options, python_module) + sizeof(const char*);
  return backend.struct_size >= kEnd && backend.python_module != nullptr;
}

EngineSwitches switches_of(const pgb_backend_options& backend) {
  constexpr size_t kEnd = offsetof(pgb_backend_options, switches) + sizeof(backend.switches);
  if (backend.struct_size < kEnd || !backend.switches) return {};
  const pgb_switches& raw = *backend.switches;
  constexpr size_t kLeast = offsetof(pgb_switches, cache) + sizeof(raw.cache);
  if (raw.struct_size < kLeast) return {};
  const auto text = [](const char* key) { return std::string(key ? key : ""); };
  const auto list = [](const char* const* names) {
    std::vector<std::string> texts;
    for (; names && *names; ++names) texts.emplace_back(*names);
    return texts;
  };
  return {.threads = text(raw.threads),
          .level = text(raw.level),
          .levels = list(raw.levels),
          .disable = text(raw.disable),
          .optimizers = list(raw.optimizers),
          .save = text(raw.save),
          .saved_format = text(raw.saved_format),
          .cache = text(raw.cache)};
}

std::string formats_text(const pgb_backend_options& backend) {
  std::string text;
  for (size_t i = 0; i < backend.format_count; ++i) {
    text += (i ? ", " : "") + std::string(backend.formats[i].name);
  }
  return text;
}

const pgb_backend& open_plugin(const std::string& file, std::string_view name) {
  // A name without a slash would be looked for where libraries are.
  const std::string path = file.find('/') == std::string::npos ? "./" + file : file;
  void* library = nullptr;
  std::string reason = file;
  {
    const CrashContext context(file, "was loaded", " It is a plugin: remove it from its folder.");
    library = open_library(path, reason);
  }
  if (!library) throw Error(reason, "The plugin cannot be loaded: install it again.");
  const auto entry = reinterpret_cast<pgb_backend_fn>(symbol_of(library, PGB_ENTRY_POINT));
  if (!entry) {
    throw Error(fmt::format("{} is not a plugin: it has no {}()", file, PGB_ENTRY_POINT),
                "Install it again.");
  }
  const CrashContext context(file, "was opened", " It is a plugin: remove it from its folder.");
  const pgb_backend* backend = entry(PGB_ABI_VERSION);
  if (!backend || backend->abi_version != PGB_ABI_VERSION) {
    throw Error(
        fmt::format("{} was built for another version of polygraphy's interface to back ends: "
                    "this program has version {}{}",
                    file, PGB_ABI_VERSION,
                    backend ? fmt::format(", the plugin version {}", backend->abi_version) : ""),
        "Install a plugin that was built for this version of polygraphy.");
  }
  if (!is_complete(*backend)) {
    throw Error(fmt::format("{} is not a plugin: its tables are not complete", file),
                "It must define all functions and texts that <polygraphy/backend.h> requires.");
  }
  if (!name.empty() && backend->options->name != name) {
    throw Error(
        fmt::format("{} is the plugin of '{}'", file, backend->options->name),
        fmt::format("Rename it to polygraphy_{}.so, or install it again.", backend->options->name));
  }
  return *backend;
}

BackendCatalog::BackendCatalog(const std::vector<std::string>& folders) {
  for (const pgb_backend_options* table : backend_option_tables()) entries_.push_back({table, {}});
  for (const std::string& folder : folders) {
    std::error_code failed;
    if (std::filesystem::is_regular_file(folder, failed)) {
      add_file(folder);
      continue;
    }
    for (const std::string& name : plugins_in(folder)) {
      add(name, folder + "/" + std::string(kPrefix) + name + std::string(kSuffix));
    }
  }
  if (entries_.size() == backend_option_tables().size()) return;
  std::sort(entries_.begin(), entries_.end(), [](const BackendEntry& a, const BackendEntry& b) {
    return std::string_view(a.options->name) < b.options->name;
  });
  check_spellings();
}

void BackendCatalog::add(const std::string& name, const std::string& file) {
  for (BackendEntry& entry : entries_) {
    if (entry.options->name != name) continue;
    if (entry.plugin.empty()) {
      entry.plugin = file;
    } else if (!same_file(entry.plugin, file)) {
      throw clash(fmt::format("two plugins implement back end '{}'", name), entry.plugin, file);
    }
    return;
  }
  try {
    entries_.push_back({open_plugin(file, name).options, file});
  } catch (const Error& error) {
    unusable_.push_back({name, file, error.what(), error.hint()});
  }
}

// Only names like polygraphy_<name>.so contain the back end's name; other plugins are opened to
// read it.
void BackendCatalog::add_file(const std::string& file) {
  const std::string name_of_file = file.substr(file.rfind('/') + 1);
  std::string name(name_of_plugin(name_of_file));
  if (name.empty()) {
    try {
      name = open_plugin(file, {}).options->name;
    } catch (const Error& error) {
      unusable_.push_back({name_of_file, file, error.what(), error.hint()});
      return;
    }
  }
  add(name, file);
}

void BackendCatalog::check_spellings() const {
  std::map<std::string_view, const BackendEntry*> owners;
  for (const BackendEntry& entry : entries_) {
    for (const std::string_view spelling : spellings_of(*entry.options)) {
      const auto [owner, is_new] = owners.emplace(spelling, &entry);
      if (is_new) continue;
      throw clash(fmt::format("two back ends have the option {}", spelling),
                  origin_of(*owner->second), origin_of(entry));
    }
  }
}

std::vector<const pgb_backend_options*> BackendCatalog::tables() const {
  std::vector<const pgb_backend_options*> tables;
  for (const BackendEntry& entry : entries_) tables.push_back(entry.options);
  return tables;
}

const BackendEntry& BackendCatalog::get(std::string_view name) const {
  std::vector<std::string_view> known;
  for (const BackendEntry& entry : entries_) {
    if (name == entry.options->name) return entry;
    known.emplace_back(entry.options->name);
  }
  throw Error(fmt::format("unknown back end '{}'", name),
              unknown_name_hint(name, known, "Back ends"));
}

}  // namespace polygraphy
