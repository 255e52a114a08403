// Shrinking a failing model to the nodes at fault: what `debug reduce` does, as a call.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/fingerprint.h"
#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/data/inputs/candidate_inputs.h"
#include "polygraphy/data/inputs/data_loader.h"
#include "polygraphy/data/inputs/feed_source.h"
#include "polygraphy/diagnosis/debug_loop/check.h"
#include "polygraphy/diagnosis/debug_loop/loop_options.h"
#include "polygraphy/diagnosis/reduce/candidate_tests/write_model.h"
#include "polygraphy/runtimes/runner_spec/runner_tools.h"

namespace polygraphy {

// The search of another mode than kAuto starts at a node.
inline constexpr ErrorCode kStartNeedsAuto{"start-needs-auto"};

enum class ReduceMode {
  kBisect,  // halves what is left each time
  kLinear,  // tries every node, and may find less
  kAuto,    // finds the nodes at fault wherever they are
};

// Verdicts on disk, so that a reduction can go on after a crash.
struct JournalOptions {
  std::string path, typed = {};  // typed: the same as the user has it, for messages
  bool resume = false;
  // Of everything beside the model that decides verdicts: the check and the input data.
  Fingerprint check = {};
};

struct ReduceOptions {
  ReduceMode mode = ReduceMode::kBisect;
  // Of the first two modes: whether nodes are cut off the end, and off the beginning.
  bool outputs = true, inputs = true;
  // Of kAuto: nodes where the search begins, such as those that locate() finds guilty: by the names
  // that it has for them ("Loop_1/body/Exp_4"), or tensors that they make.
  std::vector<std::string> start_at = {};
  bool want_good = false;     // the passing model that is closest in size, too
  bool same_failure = false;  // only failures like the first one count; with kAuto, always
  int jobs = 1;               // checks at a time

  // Makes checks (command_check.h, or one's own). Called once; `inputs` gives the
  // values that a candidate's inputs have in the whole model, and lives as long as the reduction.
  std::function<MakeCheck(const CandidateInputs& inputs)> check = {};
  LoopOptions loop = {};  // artifact: the candidate's file
  // Writes candidates. Null: small files that share the model's weights, in a temporary folder
  // under `shared_folder` instead of loop.artifact.
  WriteModel write = {};
  std::string shared_folder = "/tmp";

  // The input data, from the beginning each time (empty: generated); and how missing values are
  // generated.
  std::function<std::unique_ptr<FeedSource>(Logger&)> feeds = {};
  DataLoaderOptions generated = {};

  // Parts of the model run in processes of `tools.program`. Once `tools.cancel` is cancelled, the
  // best model until then is returned.
  RunnerTools tools = {};
  std::optional<JournalOptions> journal = {};
};

// The input data of a reduction, from the beginning.
std::unique_ptr<FeedSource> feeds_of(const ReduceOptions& options, Logger& log);

struct ReduceResult {
  // The smallest model found that fails; null: no candidate failed, and neither does the model.
  std::unique_ptr<graphsurgeon::Model> bad;
  // Null: none was wanted, or none passed. It was checked as it is.
  std::unique_ptr<graphsurgeon::Model> good;
  bool interrupted = false;        // the models are what was found until then
  std::string failure;             // how the first failure went; empty: that is not known
  int64_t checks = 0, cached = 0;  // verdicts by a check, and by an equal candidate's
  // "Reduced 415 nodes to 1 ..."; of a job only.
  std::string summary = {};
  // The values that the inputs of `bad` have in the whole model. Valid as long as the model, the
  // logger, the program's plugins and `cancel`.
  CandidateInputs inputs;
};

// The model is not touched; its constants are initializers (constant_nodes_to_initializers()).
// Throws Error: what the check, the writer, the feeds and running the model throw; candidate files
// that are there already, a foreign journal or replay; a check that fails on a model that does
// nothing (kAuto); a node to start at that is not there, or another mode than kAuto
// (kStartNeedsAuto).
ReduceResult reduce(const graphsurgeon::Model& model, const ReduceOptions& options, Logger& log);

}  // namespace polygraphy
