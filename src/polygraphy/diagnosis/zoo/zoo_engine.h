// An engine that runs the models of a zoo.
#pragma once

#include <optional>
#include <string>

#include "polygraphy/data/tensors/value.h"
#include "polygraphy/diagnosis/zoo/zoo_result.h"
#include "polygraphy/runtimes/runner_factory/runner_factory.h"
#include "polygraphy/runtimes/worker/worker_client.h"

namespace polygraphy {

struct ZooRun {
  ZooEngineResult result;                // kNotCompared if it ran
  std::optional<ValueMap> outputs = {};  // nullopt: it did not run
  std::string precision = {};
};

class ZooEngine {
 public:
  // `quiet` gets the messages of the engine; it outlives this.
  ZooEngine(const RunnerSpec& spec, const RunnerTools& tools, std::optional<double> timeout,
            Logger& quiet);

  const RunnerSpec& spec() const { return spec_; }
  std::string version() const { return worker_.version(); }

  // Throws Error where the library is missing, Interrupted.
  void require_library() { static_cast<void>(worker_.library_version()); }
  // Loads the model and runs it once; if a signal from outside kills the process, again. Throws
  // Interrupted.
  ZooRun run(const std::string& model, const ValueMap& feed);

 private:
  void measure_memory(ZooCost& cost) const;
  // Throws WorkerDied if a signal from outside has killed the process.
  ZooRun run_once(const std::string& model, const ValueMap& feed, ZooStage& stage);
  template <typename Step>
  bool guarded(ZooStage stage, const std::string& model, ZooEngineResult& result, Step step);

  RunnerSpec spec_;
  WorkerClient worker_;
};

}  // namespace polygraphy
