// Finding and opening back ends.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/cancel.h"
#include "base/log.h"
#include "polygraphy/backend.h"
#include "polygraphy/runtimes/backend/backend_status.h"
#include "polygraphy/runtimes/backend/call_limits.h"
#include "polygraphy/runtimes/backend/plugin_paths.h"

namespace polygraphy {

class BackendCatalog;
class BackendInstance;
class SharedHeap;

// By the arguments of open().
using LibraryVersions = std::map<std::pair<std::string, std::string>, std::string>;

class PluginHost {
 public:
  PluginHost(PluginPaths paths, Logger& log);
  ~PluginHost();

  // One instance per (plugin, library path); two versions live side by side.
  // Search order: `library` (an option's value), environment variable, active Python environment,
  // libraries of set-up, system. Throws Error "<name> is not available: <reason>" with the remedy.
  // Logs (VERBOSE) which library it is.
  std::shared_ptr<BackendInstance> open(const std::string& name, const std::string& library = {});
  // Every back end that is `wanted` (null: all), available or not, in order of name; then the files
  // that are not plugins. Opens each: those in the user's Python start an interpreter.
  std::vector<BackendStatus> status(
      const std::function<bool(const pgb_backend_options& backend)>& wanted = {});
  // Of the libraries that were opened here, and of those that runners in other processes opened.
  const LibraryVersions& versions() const;
  void note_version(const std::string& name, const std::string& library, std::string version);
  // The back ends that the paths lead to; the folders are read at the first call.
  const BackendCatalog& catalog();

  // Loads and inferences that start from now on stop when the token is cancelled; they throw
  // Interrupted. Its flag must outlive the host and its runners. Without one, runtimes are not
  // asked to stop.
  void cancel_on(CancelToken cancel);
  CancelToken cancel_token() const;
  // For calls that start from now on, of runtimes that were opened since the first limit was set.
  // Returns the limits of before.
  CallLimits limit_calls(CallLimits limits);
  // Runtimes that are opened from now on put their outputs there, if they can. The heap must
  // outlive the host, and the host those outputs.
  void outputs_in(SharedHeap& heap);
  // 0, 1, 2 … per prefix: the N of runner names.
  int64_t next_runner_index(const std::string& prefix);
  const PluginPaths& paths() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace polygraphy
