// Runs one engine in different ways.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/arrays/array_map.h"
#include "base/log.h"
#include "polygraphy/data/tensors/value.h"
#include "polygraphy/diagnosis/consistency/consistency.h"
#include "polygraphy/diagnosis/consistency/model_facts.h"

namespace polygraphy {

// How a session differs from the engine's own.
struct EngineVariation {
  BackendOptions options = {};  // in the place of the engine's own of the same keys
  bool own_process = false;     // it runs in a separate process
};

class EngineRuns {
 public:
  // All outlive it. `engine` has a name. `folder`: for files of sessions.
  EngineRuns(const ConsistencyJob& job, const RunnerSpec& engine, RunnerFactory& factory,
             const ModelFacts& facts, std::string folder, Logger& log);
  ~EngineRuns();
  EngineRuns(const EngineRuns&) = delete;
  EngineRuns& operator=(const EngineRuns&) = delete;

  const ConsistencyJob& job() const { return job_; }
  const RunnerSpec& engine() const { return engine_; }
  const EngineSwitches& switches() const { return switches_; }
  const ModelFacts& facts() const { return facts_; }
  const std::string& folder() const { return folder_; }
  // From now on, sessions that refuse the model for its local functions load it without these.
  void inline_functions() { model_.inline_refused = true; }
  bool inlines() const { return model_.inline_refused; }

  // All below throw RunnerFailure, Error, Interrupted.

  // The first feeds, as many as checks may need; and those for checks without batches.
  const std::vector<ValueMap>& feeds();
  std::vector<ValueMap> samples();
  // Runs in the engine's session, which loads on first use, and again after a failure. Values by
  // flat names.
  ArrayMap infer(const ValueMap& feed);
  std::vector<ArrayMap> infer_samples();
  // The first result of infer_samples().
  const std::vector<ArrayMap>& expected();
  const Metadata& inputs();  // inputs of the graph, or else of the session
  // Of the engine's session, as Runner::precision().
  std::string precision();
  RunnerFactory& factory() const { return factory_; }

  // Runs all samples in a separate session, on the model or the engine's saved form of it.
  std::vector<ArrayMap> run(const EngineVariation& variation);
  std::vector<ArrayMap> run(const EngineVariation& variation, const ModelSource& model);

 private:
  Runner& own();
  RunnerSpec varied(const EngineVariation& variation) const;

  const ConsistencyJob& job_;
  ModelSource model_;
  const RunnerSpec engine_;  // without the option that saves its artefact
  RunnerFactory& factory_;
  const EngineSwitches switches_;
  const ModelFacts& facts_;
  std::string folder_;
  Logger& log_;
  std::shared_ptr<Runner> own_;
  Metadata inputs_;
  std::vector<ValueMap> feeds_;
  std::vector<ArrayMap> expected_;
};

}  // namespace polygraphy
