// The bundled ONNX Runtime as `check lint` runs it: with its own messages, warnings kept.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/backend/instance.h"
#include "polygraphy/backend/plugin_paths.h"
#include "polygraphy/tensors/metadata.h"

namespace polygraphy {

class LintBackend {
 public:
  // `options`: keys as the back end onnxrt has them (providers, graph_optimization_level). Nothing
  // is opened before the first load(). `log` must outlive this.
  LintBackend(PluginPaths paths, BackendOptions options, Logger& log, CancelToken cancel = {});
  ~LintBackend();
  LintBackend(const LintBackend&) = delete;
  LintBackend& operator=(const LintBackend&) = delete;

  // Throws Refusal for what the back end says about the model; Error for what is not the
  // model's fault: an option, no back end.
  class Refusal : public Error {
   public:
    using Error::Error;
  };
  // `small`: on one thread, without a pool of them: for models of a node.
  std::unique_ptr<BackendSession> load(const graphsurgeon::Model& model, bool small = false);
  // Runs it once; gives the session what it has inputs for.
  ValueMap run(BackendSession& session, const ValueMap& feed);

  // The same with a model file, in a process of its own (`program`). `feed` is asked for the inputs
  // once the model is loaded. Throws Refusal, and Crash where that process is gone.
  class Crash : public Error {
   public:
    using Error::Error;
  };
  void run_apart(const std::string& program, const std::string& path,
                 const std::function<const ValueMap&(const Metadata&)>& feed);

  // Lines that the back end has logged as warnings or worse since the last time this was asked.
  std::vector<std::string> take_warnings();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace polygraphy
