// The bundled ONNX Runtime for `check lint`: with unmodified messages and warnings; in separate
// processes if a program for them is given.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/data/tensors/metadata.h"
#include "polygraphy/runtimes/backend/instance.h"
#include "polygraphy/runtimes/runner_spec/runner_spec.h"
#include "polygraphy/runtimes/runner_spec/runner_tools.h"

namespace polygraphy {

class LintBackend {
 public:
  // `runner`: its options and timeout (nullopt: kLintTimeout). Without a program among the tools,
  // run_apart() must not be called, and single nodes run in this process. Nothing is opened or
  // started before it is needed. `log` must outlive this.
  LintBackend(const RunnerSpec& runner, const RunnerTools& tools, Logger& log);
  ~LintBackend();
  LintBackend(const LintBackend&) = delete;
  LintBackend& operator=(const LintBackend&) = delete;

  // Throws Refusal for errors of the model, with the back end's message; Error for other faults: an
  // option, a missing back end.
  class Refusal : public Error {
   public:
    using Error::Error;
  };
  // A separate process exceeded the timeout.
  class TimeUp : public Refusal {
   public:
    using Refusal::Refusal;
  };
  // In this process.
  std::unique_ptr<BackendSession> load(const graphsurgeon::Model& model);
  // Runs it once; gives the session the values of its inputs.
  ValueMap run(BackendSession& session, const ValueMap& feed);

  // Where the process that ran the model is gone.
  class Crash : public Error {
   public:
    using Error::Error;
  };
  // Runs a model file in a separate process. Calls `feed` for the inputs after the model is loaded.
  // Throws Refusal, TimeUp and Crash.
  void run_apart(const std::string& path,
                 const std::function<const ValueMap&(const Metadata&)>& feed);
  // A model of a node, on one thread, in a process that runs all of them. Throws the same.
  ValueMap run_node(const graphsurgeon::Model& model, const ValueMap& feed);

  // Lines that the back end logged as warnings or errors since the last call.
  std::vector<std::string> take_warnings();

 private:
  struct State;
  ValueMap run_node_here(const graphsurgeon::Model& model, const ValueMap& feed);
  std::unique_ptr<State> state_;
};

}  // namespace polygraphy
