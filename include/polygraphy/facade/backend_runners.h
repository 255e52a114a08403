// Runners by the name of their back end, for programs that have no command line.
//
//   OnnxrtRunner onnxrt("model.onnx");
//   ActiveRunner active(onnxrt);            // opens the library, loads the model, until the '}'
//   ValueMap outputs = active.infer({{"x", full<float>({1, 3}, 1)}});
//
// Plugins and libraries are looked for in an installed or built tree (lib/polygraphy/backends and
// lib/polygraphy/engines), and then where the system has them; nothing is opened before activation.
// Runners of one tree share what they opened, so they belong to one thread; other threads open the
// tree for themselves:
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

class PluginHost;  // the back ends of a tree: what is opened, and the numbers in runners' names

#ifdef POLYGRAPHY_TREE  // of the package that this header belongs to, told by CMake
inline constexpr const char* kTree = POLYGRAPHY_TREE;
#else
inline constexpr const char* kTree = "";
#endif

// Back ends of a tree, apart from those that others opened; nothing is opened before a runner is
// activated. `log`, which gets the runtimes' messages, outlives them; null: silent. One thread at a
// time. Vendors' libraries stay in the process.
std::shared_ptr<PluginHost> open_backends(const std::string& tree = kTree, Logger* log = nullptr);

// For a RunnerFactory: the plugins and libraries of the tree, its executable for runners in
// processes of their own, and the python3 of PATH for scripts. `log` gets the messages of scripts,
// and outlives it; null: silent.
RunnerTools tools_of_tree(const std::string& tree = kTree, Logger* log = nullptr);

// Every back end of the tree, available or not, in order of name: `polygraphy backends`.
std::vector<BackendStatus> backend_status(const std::string& tree = kTree);

struct BackendRunnerOptions {
  Logger* log = nullptr;        // of the runner; must outlive it; null: silent
  std::string library = {};     // the vendor's; empty: the first that is found
  BackendOptions options = {};  // keys and values, as of its options on the command line
  std::string tree = kTree;
  std::shared_ptr<PluginHost> host = {};  // of open_backends(); null: shared by all of the tree
  bool profile = false;                   // times each node, for node_times()
};

// Any back end by name: "onnxrt". Throws Error for a name that there is none of; that its library
// is missing shows on activation.
class BackendRunner : public SessionRunner {
 public:
  BackendRunner(const std::string& backend, ModelLoader model, BackendRunnerOptions options = {});
  ~BackendRunner() override;

 protected:
  BackendRunner(const std::string& backend, Source source, BackendRunnerOptions options);

 private:
  BackendRunner(PluginHost& host, const pgb_backend_options& backend, Source&& source,
                BackendRunnerOptions&& options);

  std::shared_ptr<PluginHost> host_;  // of its own options
};

// What ONNX Runtime is to make of a model.
struct SessionFromOnnx {
  ModelLoader model;
  std::vector<std::string> providers = {};    // in order; empty: CPU
  std::string graph_optimization_level = {};  // ORT_DISABLE_ALL … ORT_ENABLE_ALL; empty: its own
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
