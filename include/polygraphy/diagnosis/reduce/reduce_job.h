// `debug reduce`, as a call: a model file in, the smallest model that still fails out, and saved.
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
// A file that every check writes does not go together with several checks at a time.
inline constexpr ErrorCode kOneIterationInfo{"one-iteration-info"};
inline constexpr ErrorCode kArtifactOfEveryCheck{"artifact-of-every-check"};

// How many checks run at a time when `jobs` are asked for; 0: one per core. Throws Error where
// there are several and files of the loop are not those of one candidate (kOneIterationInfo,
// kArtifactOfEveryCheck).
int checks_at_a_time(int jobs, const LoopOptions& loop);

// The name of a candidate's file where none is given.
inline constexpr std::string_view kCandidateFile = "polygraphy_debug.onnx";

struct ReduceJob {
  ModelSource model;
  Metadata shapes = {};  // of the model's inputs; set, and shapes inferred again, before all else
  // The types and shapes inside the model are those that one run on the feeds shows.
  bool observe_shapes = false;

  // Where the smallest failing model goes, and the passing one that is closest to it in size.
  // Without a path: it is not saved; the second one is not looked for either.
  OnnxSaving output = {}, good = {};

  // A folder for candidates, which is created: weightless ones are written there, and complete ones
  // under the name kCandidateFile where `options.loop.artifact` is empty.
  std::string work_dir = {};
  // Candidates are files that refer to the model's weights, which only the program's own workers
  // find. False: complete models, saved as `output` is.
  bool weightless_candidates = false;

  // What the folder that reproduces the failure says of the check: command, options, artifact.
  // Without a folder: beside the output with kAuto (reproduction_folder()), else none is written.
  // nullopt: none is written.
  std::optional<Reproduction> reproduction = {};

  // The rest. `want_good`, `write` and `shared_folder` are set by the job; `jobs` may be 0.
  ReduceOptions options;
};

// "folder/m_reproduction" of "folder/m.onnx".
std::string reproduction_folder(const std::string& output);

// Loads the model as it is reduced: with the job's shapes, its constants as initializers. Warns of
// shapes that are computed or not known: other failures may come of them. Throws Error.
std::unique_ptr<graphsurgeon::Model> load_for_reduction(const ReduceJob& job, Logger& log);

// Loads, reduces, shows and saves. After an interruption, what was found until then is saved, and
// nothing is reproduced. Throws Error: as load_for_reduction() and reduce(), files that cannot be
// written, a check that passes on the model itself (kNothingToReduce).
ReduceResult reduce(const ReduceJob& job, Logger& log);

}  // namespace polygraphy
