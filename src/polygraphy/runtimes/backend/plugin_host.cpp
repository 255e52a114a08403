#include "polygraphy/runtimes/backend/plugin_host.h"

#include <fmt/format.h>

#include <optional>

#include "base/error.h"
#include "base/log_modules.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"
#include "polygraphy/runtimes/backend/instance.h"
#include "polygraphy/runtimes/backend/library_search.h"

namespace polygraphy {
namespace {

Error unavailable(const pgb_backend_options& backend, const std::string& reason, std::string hint) {
  return Error(kNotAvailable, fmt::format("{} is not available: {}", backend.name, reason),
               std::move(hint));
}

Error unavailable(const pgb_backend_options& backend, const Error& error) {
  return unavailable(backend, error.what(), error.hint());
}

}  // namespace

struct PluginHost::State {
  PluginPaths paths;
  Logger& log;
  CancelToken cancel;
  CallLimits limits = {};
  SharedHeap* heap = nullptr;
  std::optional<BackendCatalog> catalog;
  std::map<std::string, const pgb_backend*> plugins;
  std::map<std::pair<std::string, std::string>, std::shared_ptr<BackendInstance>> instances;
  std::map<std::string, int64_t> runner_counts;
  LibraryVersions versions;

  const BackendCatalog& known() {
    if (!catalog) catalog.emplace(paths.plugin_dirs);
    return *catalog;
  }

  const pgb_backend& plugin(const BackendEntry& entry) {
    const pgb_backend*& found = plugins[entry.options->name];
    if (found) return *found;
    if (entry.plugin.empty()) {
      std::string searched;
      for (const std::string& folder : paths.plugin_dirs)
        searched += (searched.empty() ? "" : ", ") + folder;
      throw unavailable(*entry.options,
                        fmt::format("its plugin polygraphy_{}.so is missing (looked in: {})",
                                    entry.options->name, searched.empty() ? "no folder" : searched),
                        "Build or install polygraphy with this back end.");
    }
    try {
      found = &open_plugin(entry.plugin, entry.options->name);
    } catch (const Error& error) {
      throw unavailable(*entry.options, error);
    }
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
    : state_(new State{std::move(paths), log, {}, {}, {}, {}, {}, {}, {}, {}}) {}
PluginHost::~PluginHost() = default;

void PluginHost::cancel_on(CancelToken cancel) {
  state_->cancel = cancel;
}

CallLimits PluginHost::limit_calls(CallLimits limits) {
  return std::exchange(state_->limits, limits);
}

CancelToken PluginHost::cancel_token() const {
  return state_->cancel;
}

const PluginPaths& PluginHost::paths() const {
  return state_->paths;
}

const LibraryVersions& PluginHost::versions() const {
  return state_->versions;
}

void PluginHost::note_version(const std::string& name, const std::string& library,
                              std::string version) {
  state_->versions[{name, library}] = std::move(version);
}

const BackendCatalog& PluginHost::catalog() {
  return state_->known();
}

void PluginHost::outputs_in(SharedHeap& heap) {
  state_->heap = &heap;
}

int64_t PluginHost::next_runner_index(const std::string& prefix) {
  return state_->runner_counts[prefix]++;
}

std::shared_ptr<BackendInstance> PluginHost::open(const std::string& name,
                                                  const std::string& library) {
  const BackendEntry& entry = state_->known().get(name);
  const pgb_backend_options& backend = *entry.options;
  const std::string named = state_->named_library(backend, library);
  std::shared_ptr<BackendInstance>& found = state_->instances[{name, named}];
  if (found) {
    note_version(name, library, found->info().library_version);
    return found;
  }

  const pgb_backend& plugin = state_->plugin(entry);
  std::vector<std::string> search;
  std::string hint = backend.remedy;
  if (named.empty()) {
    search = library_candidates(backend, state_->paths);
  } else if (library.empty() && backend.library_env) {
    hint = fmt::format("{} names the library. {}", backend.library_env, hint);
  }
  found = std::make_shared<BackendInstance>(plugin, named, search, hint, state_->log,
                                            state_->cancel, state_->limits, state_->heap);
  note_version(name, library, found->info().library_version);
  if (state_->log.enabled(Severity::kVerbose, log_modules::kPluginHost)) {
    const BackendInstance::Info& info = found->info();
    state_->log.verbose(log_modules::kPluginHost,
                        fmt::format("Loaded Library: {} | Version: {} | Path: {}", name,
                                    info.library_version, info.library_path));
  }
  return found;
}

std::vector<BackendStatus> PluginHost::status(
    const std::function<bool(const pgb_backend_options& backend)>& wanted) {
  std::vector<BackendStatus> result;
  for (const BackendEntry& entry : state_->known().entries()) {
    const pgb_backend_options* backend = entry.options;
    if (wanted && !wanted(*backend)) continue;
    BackendStatus status;
    status.flags = backend->flags;
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
  for (const UnusablePlugin& plugin : state_->known().unusable()) {
    BackendStatus& status = result.emplace_back();
    status.name = plugin.name;
    status.summary = plugin.file;
    status.reason = plugin.reason;
    status.remedy = plugin.remedy;
  }
  return result;
}

}  // namespace polygraphy
