// Runners by the name of their engine, for programs that have no command line.
//
//   OnnxrtRunner onnxrt("model.onnx");
//   ActiveRunner active(onnxrt);            // loads the engine and the model, until the '}'
//   TensorMap outputs = active.infer({{"x", full<float>({1, 3}, 1)}});
//
// Engines are looked for in an installed or built tree (lib/polygraphy/backends and
// lib/polygraphy/engines), and then where the system has them; nothing is opened before activation.
// Runners of one tree share what they opened, so they belong to one thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/log.h"
#include "polygraphy/backend/plugin_host.h"
#include "polygraphy/backend/runner.h"
#include "polygraphy/model_loaders.h"

namespace polygraphy {

#ifdef POLYGRAPHY_TREE  // of the package that this header belongs to, told by CMake
inline constexpr const char* kTree = POLYGRAPHY_TREE;
#else
inline constexpr const char* kTree = "";
#endif

// The engines of a tree, opened once for the whole process. What engines say is dropped: give a
// runner a PluginHost of your own to hear it.
PluginHost& engines_of(const std::string& tree);

struct EngineOptions {
  Logger* log = nullptr;        // of the runner; must outlive it; null: silent
  std::string library = {};     // the vendor's; empty: the first that is found
  BackendOptions options = {};  // keys and values, as of its options on the command line
  std::string tree = kTree;
  PluginHost* host = nullptr;  // instead of a tree's; must outlive the runner
};

// Any engine by name: "onnxrt". Throws Error for a name that there is no back end for; that the
// engine itself is missing shows on activation.
class EngineRunner : public Runner {
 public:
  EngineRunner(const std::string& engine, ModelLoader model, EngineOptions options = {});
  ~EngineRunner() override;

 private:
  explicit EngineRunner(std::unique_ptr<Runner> runner);
  void activate_impl() override;
  void deactivate_impl() noexcept override;
  Metadata input_metadata_impl() override;
  Inference infer_impl(const TensorMap& feeds) override;

  std::unique_ptr<Runner> runner_;
};

// What ONNX Runtime is to make of a model.
struct SessionFromOnnx {
  ModelLoader model;
  std::vector<std::string> providers = {};    // in order; empty: CPU
  std::string graph_optimization_level = {};  // ORT_DISABLE_ALL … ORT_ENABLE_ALL; empty: its own
};

class OnnxrtRunner : public EngineRunner {
 public:
  explicit OnnxrtRunner(ModelLoader model, EngineOptions options = {})
      : EngineRunner("onnxrt", std::move(model), std::move(options)) {}
  explicit OnnxrtRunner(const char* path) : OnnxrtRunner(ModelLoader(path)) {}
  explicit OnnxrtRunner(const SessionFromOnnx& session, EngineOptions options = {});
};

class OpenVinoRunner : public EngineRunner {
 public:
  explicit OpenVinoRunner(ModelLoader model, EngineOptions options = {})
      : EngineRunner("openvino", std::move(model), std::move(options)) {}
  explicit OpenVinoRunner(const char* path) : OpenVinoRunner(ModelLoader(path)) {}
};

}  // namespace polygraphy
