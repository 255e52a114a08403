// The bundled ONNX Runtime as `check lint` runs it: with its own messages, warnings kept; in
// processes of its own where there is a program for them.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/data/tensors/metadata.h"
#include "polygraphy/runtimes/backend/instance.h"
#include "polygraphy/runtimes/backend/plugin_paths.h"

namespace polygraphy {

class LintBackend {
 public:
  // `options`: keys as the back end onnxrt has them (providers, graph_optimization_level).
  // `program`: Isolation::program; empty: run_apart() must not be called, and single nodes run in
  // this process. Nothing is opened or started before it is needed. `log` must outlive this.
  LintBackend(PluginPaths paths, BackendOptions options, std::string program, Logger& log,
              CancelToken cancel = {});
  ~LintBackend();
  LintBackend(const LintBackend&) = delete;
  LintBackend& operator=(const LintBackend&) = delete;

  // Throws Refusal for what the back end says about the model; Error for what is not the
  // model's fault: an option, no back end.
  class Refusal : public Error {
   public:
    using Error::Error;
  };
  // In this process.
  std::unique_ptr<BackendSession> load(const graphsurgeon::Model& model);
  // Runs it once; gives the session what it has inputs for.
  ValueMap run(BackendSession& session, const ValueMap& feed);

  // Where the process that ran the model is gone.
  class Crash : public Error {
   public:
    using Error::Error;
  };
  // A model file in a process of its own. `feed` is asked for the inputs once the model is loaded.
  // Throws Refusal and Crash.
  void run_apart(const std::string& path,
                 const std::function<const ValueMap&(const Metadata&)>& feed);
  // A model of a node, on one thread, in a process that runs all of them. Throws the same.
  ValueMap run_node(const graphsurgeon::Model& model, const ValueMap& feed);

  // Lines that the back end has logged as warnings or worse since the last time this was asked.
  std::vector<std::string> take_warnings();

 private:
  struct State;
  ValueMap run_node_here(const graphsurgeon::Model& model, const ValueMap& feed);
  std::unique_ptr<State> state_;
};

}  // namespace polygraphy
