// Makes runners of specs: the one place where a RunnerSpec becomes a Runner.
//
//   RunnerFactory factory(tools_of_tree(), log);
//   const auto runner = factory.make(parse_runner_spec("onnxrt"), {.path = "model.onnx"}, log);
//   ActiveRunner active(*runner);
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "polygraphy/models/loaders/model_source.h"
#include "polygraphy/runtimes/backend/engine_switches.h"
#include "polygraphy/runtimes/backend/runners.h"
#include "polygraphy/runtimes/runner_spec/runner_spec.h"
#include "polygraphy/runtimes/runner_spec/runner_tools.h"

namespace polygraphy {

// The back end takes no models of this format, and there is no other form of them.
inline constexpr ErrorCode kFormatNotTaken{"format-not-taken"};
// A runner needs a separate process, and RunnerTools has no program for it.
inline constexpr ErrorCode kNothingIsolates{"nothing-isolates"};

// Opens a vendor's library once for all runners that it makes. One thread.
class RunnerFactory {
 public:
  // `log` gets the messages of libraries; it outlives the factory and its runners. Nothing is
  // opened yet.
  RunnerFactory(RunnerTools tools, Logger& log);
  virtual ~RunnerFactory();
  RunnerFactory(const RunnerFactory&) = delete;
  RunnerFactory& operator=(const RunnerFactory&) = delete;

  const RunnerTools& tools() const { return tools_; }

  // Specs of runners that run together: those without a name get one, and where libraries do not
  // live together in one process, each gets its own (an INFO line says why). Throws Error: no back
  // end of a spec without a name is called so.
  std::vector<RunnerSpec> complete(std::vector<RunnerSpec> specs);

  // The spec of a runner in a separate process, if the tools have a program for it: for models that
  // a job makes, such as noisy ones. A runtime that crashes on one must not end the job.
  RunnerSpec isolated(RunnerSpec spec) const;

  // A runner of the model, inactive, in the form that its back end takes: the ONNX model made of
  // one of TensorFlow, the engine that scripts of TensorRT build (once for each model), or a file
  // of a model in memory where the runner is isolated. A model in memory outlives the runner.
  // Throws Error: no back end has this name, kFormatNotTaken, kNothingIsolates, and what making
  // another form throws. That a library is missing shows on activation. Tests override it.
  virtual std::shared_ptr<Runner> make(const RunnerSpec& spec, const ModelSource& model,
                                       Logger& log);
  // make() for each of complete(specs).
  Runners make_all(const std::vector<RunnerSpec>& specs, const ModelSource& model, Logger& log);

  // The ONNX model that runners of ONNX models get: made of one of TensorFlow, else the model
  // itself. Throws Error.
  ModelSource onnx(const ModelSource& model);

  // The model, or the spec's own, in the form that the spec's back end takes: as onnx(), or as
  // TensorFlow's library reads its own. Throws Error: no back end has this name.
  ModelSource form_for(const RunnerSpec& spec, const ModelSource& model);

  // While the result lives, the process of a runner that is no longer active serves the next one of
  // the same library, instead of ending: for jobs that make many runners. They end with the result,
  // or on the thread that began them, whichever is first.
  std::shared_ptr<const void> keep_processes();

  // Of the back end's options; none of a program. Throws Error: no back end has this name.
  virtual EngineSwitches switches(const RunnerSpec& spec);
  // Sets the number of threads of an inference, unless the spec has one or its back end has no such
  // option. Throws the same.
  void set_threads(RunnerSpec& spec, int64_t threads);

  // Whether its runners read external data that is a hard link. The loader of onnx refuses it, so
  // programs and back ends in the user's Python do not. Throws Error: no back end has this name.
  bool reads_links(const RunnerSpec& spec);

  // Of the library that runners of this spec have opened, here or in separate processes; empty:
  // none has yet, or it is a program. Not for the bundled library.
  std::string version(const RunnerSpec& spec) const;
  // Of the library that runners of this spec would open; opens it in this process. Empty: it is a
  // program, or its library is not on this machine. Throws Error: no back end has this name.
  std::string installed_version(const RunnerSpec& spec);

  // Releases the libraries and their caches; live runners keep theirs. The next runner opens them
  // again.
  void close();

 private:
  struct State;

  RunnerTools tools_;
  Logger& log_;
  std::unique_ptr<State> state_;
};

}  // namespace polygraphy
