#include "polygraphy/backend/plugin_host.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstring>
#include <map>

#include "base/error.h"
#include "polygraphy/backend/instance.h"
#include "polygraphy/backend/library_search.h"
#include "polygraphy/backend/option_tables.h"

namespace polygraphy {
namespace {

constexpr std::string_view kModule = "backend/plugin_host.py";

Error unavailable(const pgb_backend_options& backend, const std::string& reason, std::string hint) {
  return Error(fmt::format("{} is not available: {}", backend.name, reason), std::move(hint));
}

// The table in a plugin file. What is not a plugin of ours, or of another version, is an Error.
const pgb_backend& open_plugin(const pgb_backend_options& backend,
                               const std::vector<std::string>& folders) {
  const std::string file = fmt::format("polygraphy_{}.so", backend.name);
  std::string searched;
  for (const std::string& folder : folders) {
    const std::string path = folder + "/" + file;
    searched += (searched.empty() ? "" : ", ") + folder;
    if (access(path.c_str(), F_OK) != 0) continue;
    void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
      const char* error = dlerror();
      throw unavailable(backend, error ? error : path,
                        "The plugin cannot be loaded: install polygraphy again.");
    }
    const auto entry = reinterpret_cast<pgb_backend_fn>(dlsym(handle, PGB_ENTRY_POINT));
    if (!entry) {
      throw unavailable(backend,
                        fmt::format("{} is not a plugin: it has no {}()", path, PGB_ENTRY_POINT),
                        "Install polygraphy again.");
    }
    const pgb_backend* table = entry(PGB_ABI_VERSION);
    if (!table || table->abi_version != PGB_ABI_VERSION ||
        table->struct_size < offsetof(pgb_backend, extension) + sizeof(table->extension)) {
      throw unavailable(backend,
                        fmt::format("{} was built for another version of polygraphy", path),
                        "Install plugins and executable of the same version.");
    }
    if (!table->name || std::strcmp(table->name, backend.name) != 0) {
      throw unavailable(
          backend, fmt::format("{} is the plugin of '{}'", path, table->name ? table->name : ""),
          "Install polygraphy again.");
    }
    return *table;
  }
  throw unavailable(backend,
                    fmt::format("its plugin {} is missing (looked in: {})", file,
                                searched.empty() ? "no folder" : searched),
                    "Build or install polygraphy with this back end.");
}

}  // namespace

struct PluginHost::State {
  PluginPaths paths;
  Logger& log;
  const std::atomic<bool>* cancel = nullptr;
  SharedHeap* heap = nullptr;
  std::map<std::string, const pgb_backend*> plugins;
  std::map<std::pair<std::string, std::string>, std::shared_ptr<BackendInstance>> instances;
  std::map<std::string, int64_t> runner_counts;

  const pgb_backend& plugin(const pgb_backend_options& backend) {
    const pgb_backend*& found = plugins[backend.name];
    if (!found) found = &open_plugin(backend, paths.plugin_dirs);
    return *found;
  }

  // A library that is named by option or environment is the only one that is tried.
  std::string named_library(const pgb_backend_options& backend, const std::string& option) const {
    if (!option.empty()) return option;
    for (const auto& [name, path] : paths.library_env) {
      if (name == backend.name && !path.empty()) return path;
    }
    return {};
  }
};

PluginHost::PluginHost(PluginPaths paths, Logger& log)
    : state_(new State{std::move(paths), log, {}, {}, {}, {}, {}}) {}
PluginHost::~PluginHost() = default;

void PluginHost::cancel_on(const std::atomic<bool>& flag) {
  state_->cancel = &flag;
}

const std::atomic<bool>* PluginHost::cancelled() const {
  return state_->cancel;
}

const PluginPaths& PluginHost::paths() const {
  return state_->paths;
}

void PluginHost::outputs_in(SharedHeap& heap) {
  state_->heap = &heap;
}

int64_t PluginHost::next_runner_index(const std::string& prefix) {
  return state_->runner_counts[prefix]++;
}

std::shared_ptr<BackendInstance> PluginHost::open(const std::string& name,
                                                  const std::string& library) {
  const pgb_backend_options& backend = backend_options_of(name);
  const std::string named = state_->named_library(backend, library);
  std::shared_ptr<BackendInstance>& found = state_->instances[{name, named}];
  if (found) return found;

  const pgb_backend& plugin = state_->plugin(backend);
  std::vector<std::string> search;
  std::string hint = backend.remedy;
  if (named.empty()) {
    search = library_candidates(backend, state_->paths);
  } else if (library.empty()) {
    hint = fmt::format("The library was named by {}. {}", backend.library_env, hint);
  }
  found = std::make_shared<BackendInstance>(plugin, named, search, hint, state_->log,
                                            state_->cancel, state_->heap);
  if (state_->log.enabled(Severity::kVerbose, kModule)) {
    const BackendInstance::Info& info = found->info();
    state_->log.verbose(kModule, fmt::format("Loaded Library: {} | Version: {} | Path: {}", name,
                                             info.library_version, info.library_path));
  }
  return found;
}

std::vector<BackendStatus> PluginHost::status() {
  std::vector<BackendStatus> result;
  for (const pgb_backend_options* backend : backend_option_tables()) {
    BackendStatus status;
    status.name = backend->name;
    status.summary = backend->summary;
    try {
      const BackendInstance::Info& info = open(backend->name)->info();
      status.available = true;
      status.library_version = info.library_version;
      status.library_path = info.library_path;
      status.devices = info.devices;
    } catch (const Error& error) {
      const std::string prefix = fmt::format("{} is not available: ", backend->name);
      status.reason = error.what();
      if (status.reason.starts_with(prefix)) status.reason.erase(0, prefix.size());
      status.remedy = error.hint();
    }
    result.push_back(std::move(status));
  }
  return result;
}

}  // namespace polygraphy
