// The job behind `debug reduce`: loads a model file, reduces it, and saves the smallest failing
// model.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/data/tensors/metadata.h"
#include "polygraphy/diagnosis/reduce/reduce.h"
#include "polygraphy/diagnosis/reduce/reproduction.h"
#include "polygraphy/models/loaders/model_source.h"
#include "polygraphy/models/loaders/save_onnx.h"

namespace polygraphy {

// The check passes on the model itself.
inline constexpr ErrorCode kNothingToReduce{"nothing-to-reduce"};

// The default name of a candidate's file.
inline constexpr std::string_view kCandidateFile = "polygraphy_debug.onnx";

struct ReduceJob {
  ModelSource model;
  // shapes of the model's inputs; set before all other steps, and shapes are inferred again
  Metadata shapes = {};
  // Take the types and shapes inside the model from one run on the feeds.
  bool observe_shapes = false;

  // Destinations of the smallest failing model, and of the passing model closest to it in size.
  // Without a path, a model is not saved, and the search skips the passing one.
  OnnxSaving output = {}, good = {};

  // A folder for candidates, created if missing: for weightless ones, and for complete ones named
  // kCandidateFile if `options.loop.artifact` is empty.
  std::string work_dir = {};
  // Candidates are files that refer to the model's weights, which only the program's own workers
  // find. False: complete models, saved as `output` is.
  bool weightless_candidates = false;

  // The check for the folder that reproduces the failure: command, options, artifact. Without a
  // folder name, kAuto writes it beside the output (reproduction_folder()), and other modes write
  // no reproduction. nullopt: no reproduction.
  std::optional<Reproduction> reproduction = {};

  // Further options. The job sets `want_good`, `write` and `shared_folder`; `jobs` may be 0.
  ReduceOptions options;
};

// "folder/m_reproduction" of "folder/m.onnx".
std::string reproduction_folder(const std::string& output);

// Loads the model for the reduction: with the job's shapes, its constants as initializers. Warns of
// computed or unknown shapes, which may cause other failures. Throws Error.
std::unique_ptr<graphsurgeon::Model> load_for_reduction(const ReduceJob& job, Logger& log);

// Loads, reduces, logs and saves. After an interruption, saves the best model so far, without a
// reproduction. Throws the errors of load_for_reduction() and reduce(), and Error for files that
// cannot be written and for a check that passes on the model itself (kNothingToReduce).
ReduceResult reduce(const ReduceJob& job, Logger& log);

}  // namespace polygraphy
