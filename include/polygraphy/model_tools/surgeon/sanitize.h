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
#include "polygraphy/model_tools/surgeon/verification/verification_result.h"
#include "polygraphy/models/loaders/fold_model.h"

namespace polygraphy {

// Inputs for runs of the original and the result.
struct VerificationData {
  DataLoaderOptions generated = {};            // seed, ranges, shapes, iterations
  std::vector<std::string> saved_inputs = {};  // files of further inputs
  double timeout = 300;                        // of a load or an inference, in seconds
};

struct SanitizeOptions {
  SurgeryFiles files;
  OrderedMap<int64_t> upper_bounds = {};  // set_upper_bounds()
  Metadata input_shapes = {};             // override_shapes()
  bool observe_shapes = false;            // take all types and shapes from a run
  bool cleanup = false;
  bool toposort = false;
  // Folds constants, by default with the ONNX Runtime of `run` as evaluator. Infers shapes on the
  // way, and again at the end, only with files.model.shape_inference.
  std::optional<FoldModelOptions> fold = std::nullopt;
  ObservedRun run = {};
  // Runs original and result, and reverts rewrites that changed the outputs. Saves reproductions
  // beside the output.
  std::optional<VerificationData> verify = std::nullopt;
  // Checked between steps and by ONNX Runtime; throws Interrupted, and nothing is saved.
  CancelToken cancel = {};
};

struct Sanitized {
  graphsurgeon::Model model;            // the saved model
  std::optional<Verification> verdict;  // nullopt: not verified
  std::vector<RolledBack> rolled_back;  // in the order of detection
};

// Applies the options in their order. Throws Error.
Sanitized sanitize(const SanitizeOptions& options, Logger& log);

}  // namespace polygraphy
