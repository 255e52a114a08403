// Runners by the name of their back end, for programs that have no command line.
//
//   OnnxrtRunner onnxrt("model.onnx");
//   ActiveRunner active(onnxrt);            // opens the library, loads the model, until the '}'
//   ValueMap outputs = active.infer({{"x", full<float>({1, 3}, 1)}});
//
// The search for plugins and libraries covers an installed or built tree (lib/polygraphy/backends
// and lib/polygraphy/engines), and then the system; nothing is opened before activation. Runners of
// one tree share open libraries, so they belong to one thread; another thread opens the tree again:
//
//   const std::shared_ptr<PluginHost> mine = open_backends();
//   OnnxrtRunner onnxrt("model.onnx", {.host = mine});
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/log.h"
#include "polygraphy/facade/model_loaders.h"
#include "polygraphy/runtimes/backend/backend_status.h"
#include "polygraphy/runtimes/backend/runner.h"
#include "polygraphy/runtimes/backend/session_runner.h"
#include "polygraphy/runtimes/runner_spec/runner_tools.h"

namespace polygraphy {

class PluginHost;  // the back ends of a tree: open libraries, and the counters in runners' names

#ifdef POLYGRAPHY_TREE  // the tree of this header's package, set by CMake
inline constexpr const char* kTree = POLYGRAPHY_TREE;
#else
inline constexpr const char* kTree = "";
#endif

// Opens the back ends of a tree independently of other hosts; libraries open when a runner is
// activated. `log` receives the runtimes' messages and must outlive the back ends; null: silent.
// One thread at a time. Vendors' libraries stay in the process.
std::shared_ptr<PluginHost> open_backends(const std::string& tree = kTree, Logger* log = nullptr);

// For a RunnerFactory: the plugins and libraries of the tree, its executable for runners in
// separate processes, and the python3 of PATH for scripts. `log` gets the messages of scripts,
// and outlives it; null: silent.
RunnerTools tools_of_tree(const std::string& tree = kTree, Logger* log = nullptr);

// Every back end of the tree, available or not, in order of name: `polygraphy backends`.
std::vector<BackendStatus> backend_status(const std::string& tree = kTree);

struct BackendRunnerOptions {
  Logger* log = nullptr;        // the runner's logger; must outlive it; null: silent
  std::string library = {};     // the vendor's library; empty: the first one found
  BackendOptions options = {};  // keys and values, as on the command line
  std::string tree = kTree;
  std::shared_ptr<PluginHost> host = {};  // from open_backends(); null: the shared host of the tree
  bool profile = false;                   // times each node, for node_times()
};

// Any back end by name: "onnxrt". Throws Error for an unknown name; a missing library is an error
// of activate().
class BackendRunner : public SessionRunner {
 public:
  BackendRunner(const std::string& backend, ModelLoader model, BackendRunnerOptions options = {});
  ~BackendRunner() override;

 protected:
  BackendRunner(const std::string& backend, Source source, BackendRunnerOptions options);

 private:
  BackendRunner(PluginHost& host, const pgb_backend_options& backend, Source&& source,
                BackendRunnerOptions&& options);

  std::shared_ptr<PluginHost> host_;  // host of the options
};

// Options of ONNX Runtime for a model.
struct SessionFromOnnx {
  ModelLoader model;
  std::vector<std::string> providers = {};  // in order; empty: CPU
  // ORT_DISABLE_ALL … ORT_ENABLE_ALL; empty: its default
  std::string graph_optimization_level = {};
};

class OnnxrtRunner : public BackendRunner {
 public:
  explicit OnnxrtRunner(ModelLoader model, BackendRunnerOptions options = {})
      : BackendRunner("onnxrt", std::move(model), std::move(options)) {}
  explicit OnnxrtRunner(const char* path) : OnnxrtRunner(ModelLoader(path)) {}
  explicit OnnxrtRunner(const SessionFromOnnx& session, BackendRunnerOptions options = {});
};

class OpenVinoRunner : public BackendRunner {
 public:
  explicit OpenVinoRunner(ModelLoader model, BackendRunnerOptions options = {})
      : BackendRunner("openvino", std::move(model), std::move(options)) {}
  explicit OpenVinoRunner(const char* path) : OpenVinoRunner(ModelLoader(path)) {}
};

}  // namespace polygraphy
