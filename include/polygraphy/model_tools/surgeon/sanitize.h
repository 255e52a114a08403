// `surgeon sanitize`: cleans up, sorts and folds a model file; changes shapes, bounds and outputs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/log.h"
#include "base/ordered_map.h"
#include "polygraphy/data/inputs/data_loader.h"
#include "polygraphy/data/tensors/metadata.h"
#include "polygraphy/model_tools/surgeon/fallback_shapes.h"
#include "polygraphy/model_tools/surgeon/surgery.h"
#include "polygraphy/model_tools/surgeon/verification/verdict.h"
#include "polygraphy/models/loaders/fold_model.h"

namespace polygraphy {

// What input and result are run on.
struct VerificationData {
  DataLoaderOptions generated = {};            // seed, ranges, shapes, iterations
  std::vector<std::string> saved_inputs = {};  // files, run besides
};

struct SanitizeOptions {
  SurgeryFiles files;
  OrderedMap<int64_t> upper_bounds = {};  // set_upper_bounds()
  Metadata input_shapes = {};             // override_shapes()
  bool observe_shapes = false;            // all types and shapes are those that a run shows
  bool cleanup = false;
  bool toposort = false;
  // Folds constants; without an evaluator, with the ONNX Runtime of `run`. Infers shapes on the way
  // only if files.model.shape_inference says so, too, and then once more at the end.
  std::optional<FoldModelOptions> fold = std::nullopt;
  ObservedRun run = {};
  // Runs input and result and takes rewrites back that changed what the model computes.
  // Reproductions are saved beside the output.
  std::optional<VerificationData> verify = std::nullopt;
  // Asked between steps, and by ONNX Runtime: Interrupted, and nothing is saved.
  CancelToken cancel = {};
};

struct Sanitized {
  graphsurgeon::Model model;            // as it is saved
  std::optional<Verification> verdict;  // nullopt: it was not verified
  std::vector<RolledBack> rolled_back;  // in the order in which they were found
};

// In the order of the options. Throws Error.
Sanitized sanitize(const SanitizeOptions& options, Logger& log);

}  // namespace polygraphy
