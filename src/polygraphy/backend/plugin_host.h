// Finding and opening back ends.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/cancel.h"
#include "base/log.h"
#include "polygraphy/backend.h"
#include "polygraphy/backend/backend_catalog.h"
#include "polygraphy/backend/instance.h"
#include "polygraphy/backend/runner.h"
#include "polygraphy/loaders/model_source.h"

namespace polygraphy {

class SharedHeap;

// Where to look. The command line fills it from the executable's place and the environment;
// libraries never read the environment themselves.
struct PluginPaths {
  // Folders of polygraphy_<name>.so (BackendCatalog).
  std::vector<std::string> plugin_dirs = {};
  // Of the active Python environment (VIRTUAL_ENV, CONDA_PREFIX).
  std::vector<std::string> site_packages = {};
  // Folders that set-up brought; libraries lie in them, or in <dir>/<engine>/lib or libs.
  std::vector<std::string> bundled = {};
  // (back end, path), from environment variables.
  std::vector<std::pair<std::string, std::string>> library_env = {};
};

struct BackendStatus {
  std::string name, summary;  // of a file that is no plugin: its path
  std::string flags;          // "--openvino --ov"
  bool available = false;
  std::string library_version, library_path, devices;  // when available
  std::string reason, remedy;                          // when not
};

class PluginHost {
 public:
  PluginHost(PluginPaths paths, Logger& log);
  ~PluginHost();

  // One instance per (plugin, library path); two versions live side by side.
  // Search order: `library` (an option's value), environment variable, active Python environment,
  // what set-up brought, system. Throws Error "<name> is not available: <reason>" with the remedy.
  // Logs (VERBOSE) which library it is.
  std::shared_ptr<BackendInstance> open(const std::string& name, const std::string& library = {});
  // Every back end, available or not, in order of name; then the files that are no plugins.
  std::vector<BackendStatus> status();
  // The back ends that the paths lead to; the folders are read at the first call.
  const BackendCatalog& catalog();

  // Loads and inferences that start from now on stop when the token is cancelled; they throw
  // Interrupted. Its flag must outlive the host and its runners. Without one, runtimes are not
  // asked to stop.
  void cancel_on(CancelToken cancel);
  // Null: never cancelled.
  const std::atomic<bool>* cancelled() const;
  // Engines that are opened from now on put their outputs there, if they can. The heap must outlive
  // the host, and the host those outputs.
  void outputs_in(SharedHeap& heap);
  // 0, 1, 2 … per prefix: the N of runner names.
  int64_t next_runner_index(const std::string& prefix);
  const PluginPaths& paths() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Named "<prefix>-N<count>-<date>-<time>"; the count is per prefix and host. The library is opened,
// and the model prepared and loaded, on activation.
std::unique_ptr<Runner> make_runner(PluginHost& host, const pgb_backend_options& backend,
                                    ModelSource model, SessionOptions options,
                                    const std::string& library, Logger& log);
// The same under a name of its own.
std::unique_ptr<Runner> make_named_runner(std::string name, PluginHost& host,
                                          const pgb_backend_options& backend, ModelSource model,
                                          SessionOptions options, const std::string& library,
                                          Logger& log);
// "<prefix>-N<count>-<date>-<time>".
std::string next_runner_name(PluginHost& host, const std::string& prefix);

}  // namespace polygraphy
