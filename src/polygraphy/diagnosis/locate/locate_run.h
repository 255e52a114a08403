// A job of locate(), with makers of the runners that it names.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/log.h"
#include "polygraphy/diagnosis/locate/locate_job.h"
#include "polygraphy/diagnosis/locate/models/reference_model.h"
#include "polygraphy/models/loaders/model_folder.h"
#include "polygraphy/models/parts/node_groups.h"
#include "polygraphy/runtimes/runner_factory/runner_maker.h"

namespace polygraphy {

struct LocateRun {
  // Completes the specs of the job. Everything outlives it.
  LocateRun(const LocateJob& asked, RunnerFactory& factory, Logger& log);
  LocateRun(const LocateRun&) = delete;
  LocateRun& operator=(const LocateRun&) = delete;

  LocateJob job;
  NumberFormat target_format;  // job.format is that of the pair
  // nullopt: the side has saved results only.
  std::optional<RunnerMaker> reference, target;
  RunnerMaker noise;
  // Whether noise is computed with the target's own runtime, which is then no third opinion.
  bool noise_is_target = false;
  // Hard links, if all runners read them.
  DataPlacement placement = DataPlacement::kLinks;
  // Of a job with a model of the reference: that model, and its own feeds, by sample. Set before
  // anything is measured.
  std::optional<ReferenceModel> reference_model;
  std::vector<ValueMap> reference_feeds;
  // Feeds are made up. Set before anything is measured.
  bool generated_feeds = false;
  // Outputs of the model as it is that are not the same on both sides, bit by bit; of a model in
  // parts, all. Set before anything is measured.
  std::unordered_set<std::string> differing;
  // That model has results in a coarser format than the target's has, which is then that of the
  // job.
  bool reference_is_coarser = false;

  // The reference computed the model before it was quantised: another computation of the target's
  // model is not an opinion on it.
  bool reference_is_right() const { return reference_model || job.quantization; }

  uint64_t tensor_bytes() const {
    return job.tensor_bytes > 0 ? job.tensor_bytes : kUsualTensorBytes;
  }
  // Whether these tensors of all samples, which are like `feed`, fit into tensor_bytes(). O(model).
  bool fit(const WholeModel& model, const std::vector<std::string>& tensors, const ValueMap& feed,
           size_t samples) const;

 private:
  std::optional<RunnerMaker> maker_of(const LocateSide& side, RunnerFactory& factory);

  Logger quiet_;  // of runners
  // Without a limit of memory: what is kept takes some.
  const std::shared_ptr<const void> processes_;
};

// Whether both are runners that differ in their names only.
bool is_same_runner(const LocateSide& a, const LocateSide& b);

// The tensors of a sample, by name; nullopt behind the last.
std::optional<ArrayMap> saved_tensors(const SavedSide& side, int64_t sample);

}  // namespace polygraphy
