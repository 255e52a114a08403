// `surgeon sanitize --verify`: runs the result against the input model; finds, names and reverts a
// rewrite that changed the outputs. The output is never worse than the input.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "base/log.h"
#include "graphsurgeon/fold/fold.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/data/inputs/data_loader.h"
#include "polygraphy/model_tools/surgeon/verification/verification_result.h"

namespace polygraphy {

class BundledRuntime;

// Rewrites that a transformation must omit.
struct RewriteLimits {
  // Tensors with producers that stay as they are, and so do these nodes' other outputs.
  std::vector<std::string> kept_tensors;
  std::vector<std::string> skip_rules;  // on top of the user's
  // Rewrites beyond this many are not done. Counted over all passes: each gets the rest of the
  // earlier ones (FoldOptions::max_rewrites).
  int64_t max_rewrites = std::numeric_limits<int64_t>::max();
};

// Adds the limits to those that the options have.
void limit(graphsurgeon::FoldOptions& options, const RewriteLimits& limits);

struct Transformed {
  graphsurgeon::Model model;
  // Of all passes, in order. Their texts may be views of the model's store.
  std::vector<graphsurgeon::Rewrite> rewrites;
};

struct VerifyOptions {
  // Everything that the command does to the model, from a fresh load of the input. Deterministic:
  // with the same limits the same rewrites in the same order. Called again and again while a guilty
  // rewrite is looked for, then with a logger that is silent.
  std::function<Transformed(const RewriteLimits&, Logger&)> transform;
  // Loads the input model again.
  std::function<graphsurgeon::Model()> load_input;

  DataLoaderOptions data;           // seed, ranges, shapes, iterations
  std::vector<std::string> inputs;  // --load-inputs: files of saved inputs, run besides
  // Where reproductions go: 1-<rule>.onnx and 1-<rule>.inputs.json …; made for the first. Empty:
  // nowhere.
  std::string reproduction_folder;
  double timeout = 300;  // of a load or an inference, in seconds: a model may run for ever
};

struct Verified {
  Verification verdict = Verification::kSame;
  graphsurgeon::Model model;            // the model to save
  std::vector<RolledBack> rolled_back;  // in the order in which they were found
  int64_t runs = 0;                     // inputs on which both were run
  bool bit_equal = true;                // kSame: no rounding differences either
  std::string reason;                   // kNotRun, kInputKept: why
};

// Runs input and result on generated inputs of several shapes and on saved ones,
// and compares the result's outputs by name with the same tensors of the input. Outputs that the
// input model computes differently each time are left out, with a warning.
//
// On a difference, or a result that does not run where the input does: bisection over the rewrites,
// each step a fold from the input and one run; the guilty one is taken back, and all is verified
// again, until the result holds. Of a rule that is guilty again and again, or cannot be kept from a
// node, all rewrites are. Where the input does not run, the same is done until the result loads.
// Logs its steps (INFO, WARNING). Throws as the callbacks, and IoError for reproductions. Memory:
// the outputs of all runs, one session.
Verified verify(BundledRuntime& runtime, const VerifyOptions& options, Logger& log);

}  // namespace polygraphy
