// The outputs of both sides for the model as it is: without marked tensors, as `run` runs it.
#pragma once

#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "polygraphy/diagnosis/locate/judged_outputs.h"

namespace polygraphy {

// All functions throw what locate() throws.
class ModelOutputs {
 public:
  // Runs both sides once. A saved side gives the outputs that it has; an engine that refuses the
  // model for its local functions runs it with these inlined. `feeds`: one per sample. The
  // arguments outlive it.
  ModelOutputs(const LocateRun& run, const WholeModel& model, const std::vector<ValueMap>& feeds,
               Logger& log);

  // A sentence for each side that ran a model with inlined functions.
  const std::vector<std::string>& notes() const { return notes_; }
  // Outputs of the model that are not the same on both sides, bit by bit.
  std::unordered_set<std::string> differing() const;
  // By noise_floor(). `measurements`: where the noise is known, it is not measured again.
  RunRecord by_noise(const Measurements& measurements) const;
  // By LocateJob::check.
  RunRecord by_check() const;
  // Whether any output is off by more than its noise in the model with all tensors marked.
  bool exceeds_noise(const Measurements& measurements) const;
  // How the results of a side differ when it runs the same input again, beyond the noise; empty:
  // they agree.
  std::string variation(const Measurements& measurements) const;

 private:
  struct Side : SideOutputs {
    ModelSource source;
    const WholeModel* model;             // not null
    const std::vector<ValueMap>* feeds;  // not null
  };

  std::string variation(const Side& side, const std::optional<RunnerMaker>& maker,
                        const Measurements& measurements) const;
  Side side_of(const LocateSide& side, bool of_reference) const;
  ArrayMap renamed(const Side& side, ArrayMap outputs) const;
  void run_once(const LocateSide& which, const std::optional<RunnerMaker>& maker, Side& side);

  const LocateRun& run_;
  const WholeModel& model_;
  const std::vector<ValueMap>& feeds_;
  Logger& log_;
  Side reference_, target_;
  std::vector<std::string> notes_;
};

}  // namespace polygraphy
