// Reduces a failing model to the nodes at fault: the search behind `debug reduce`.
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

// A start node requires kAuto.
inline constexpr ErrorCode kStartNeedsAuto{"start-needs-auto"};

enum class ReduceMode {
  kBisect,  // halves the remaining nodes each time
  kLinear,  // tries every node, and may find a smaller model
  kAuto,    // finds the nodes at fault wherever they are
};

// Verdicts on disk, so that a reduction can go on after a crash.
struct JournalOptions {
  std::string path, typed = {};  // typed: the path as the user typed it, for messages
  bool resume = false;
  // Identifies the check and the input data, which decide verdicts beside the model.
  Fingerprint check = {};
};

struct ReduceOptions {
  ReduceMode mode = ReduceMode::kBisect;
  // For the first two modes: remove nodes from the end, and from the beginning.
  bool outputs = true, inputs = true;
  // For kAuto: nodes where the search begins, such as guilty nodes of locate(), by locate()'s names
  // ("Loop_1/body/Exp_4") or by tensors that they produce.
  std::vector<std::string> start_at = {};
  bool want_good = false;     // the passing model that is closest in size, too
  bool same_failure = false;  // only failures like the first one count; with kAuto, always
  int jobs = 1;               // checks at a time

  // Makes checks (command_check.h, or a custom one). Called once; `inputs` gives the values of a
  // candidate's inputs in the whole model, and lives as long as the reduction.
  std::function<MakeCheck(const CandidateInputs& inputs)> check = {};
  LoopOptions loop = {};  // artifact: the candidate's file
  // Writes candidates. Null: small files that share the model's weights, in a temporary folder
  // under `shared_folder` instead of loop.artifact; empty: where TMPDIR says.
  WriteModel write = {};
  std::string shared_folder = {};
  bool links_weights = true;  // by hard links, which the loader of onnx refuses; false: copies

  // The input data, from the beginning each time (empty: generated); and the options for generating
  // missing values.
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
  // The smallest failing model; null: neither a candidate nor the model fails.
  std::unique_ptr<graphsurgeon::Model> bad;
  // The closest passing model, as it was checked. Null: not requested, or no candidate passed.
  std::unique_ptr<graphsurgeon::Model> good;
  bool interrupted = false;        // interrupted; the models are the best so far
  std::string failure;             // the kind of the first failure; empty: not known
  int64_t checks = 0, cached = 0;  // verdicts of checks, and verdicts reused from equal candidates
  // "Reduced 415 nodes to 1 ..."; only set by a ReduceJob.
  std::string summary = {};
  // The values of the inputs of `bad` in the whole model. Valid as long as the model, the logger,
  // the program's plugins and `cancel`.
  CandidateInputs inputs;
};

// Does not change the model. Its constants must be initializers (constant_nodes_to_initializers()).
// Throws the errors of the check, the writer, the feeds and of running the model. Throws Error for
// existing candidate files, a foreign journal or replay, a check that fails on a trivial model
// (kAuto), a missing start node, or a start node in another mode than kAuto (kStartNeedsAuto).
ReduceResult reduce(const graphsurgeon::Model& model, const ReduceOptions& options, Logger& log);

}  // namespace polygraphy
