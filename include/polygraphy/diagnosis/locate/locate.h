// Which node of a model makes two engines differ: what `debug locate` does, as a call.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/cancel.h"
#include "base/error.h"
#include "base/log.h"
#include "polygraphy/data/inputs/feed_source.h"
#include "polygraphy/data/results/results.h"
#include "polygraphy/diagnosis/locate/node_finding.h"
#include "polygraphy/models/loaders/model_source.h"
#include "polygraphy/models/loaders/save_onnx.h"
#include "polygraphy/models/noise/number_format.h"
#include "polygraphy/runtimes/runner_factory/runner_factory.h"

namespace polygraphy {

// There is nothing to compare with: no sample, or a side without results.
inline constexpr ErrorCode kNothingToLocate{"nothing-to-locate"};

// Results that a runner returned earlier. Nodes cannot be run alone on it.
struct SavedSide {
  std::shared_ptr<const RunResults> results = {};  // not null
  size_t runner = 0;                               // its place in results->runners
};
// One of both engines.
using LocateSide = std::variant<RunnerSpec, SavedSide>;
// The name of the runner.
std::string name_of(const LocateSide& side);

// Asks for the fewest nodes that have to be computed in float32.
struct RemedyOptions {
  // Whether an output is close enough to the reference's.
  std::function<bool(const std::string& output, const Array& reference, const Array& observed)>
      agrees = {};
  // The model in float16, with these nodes in float32 between Casts; no path: it is not written.
  OnnxSaving output = {};
};

struct LocateJob {
  ModelSource model = {};
  LocateSide reference = {}, target = {};
  // Noise is computed with it: a runner that computes every operator as it stands, widely.
  RunnerSpec noise = bundled_runner_spec();
  // The same feeds each time.
  std::function<std::unique_ptr<FeedSource>()> make_feeds = {};
  NumberFormat format = NumberFormat::kFloat32;  // that the target computes in
  // Its runner is asked first, which may compute in another format than was asked of it; `format`
  // counts where it does not tell.
  bool ask_format = false;
  int64_t noise_runs = 3;  // stochastic evaluations; at least 2. 0: noise is not measured
  int64_t seed = 0;
  double threshold = 3;            // errors beyond this many times the noise are none
  bool isolate_nodes = true;       // run the nodes alone
  bool isolate_neighbours = true;  // and with those that they are fused with
  bool prove = true;  // run the target once more with the guilty nodes' results replaced
  std::optional<RemedyOptions> remedy = {};
  // Bytes that tensors of a group of nodes may take; groups come one after the other. 0: 2 GiB.
  uint64_t tensor_bytes = 0;
  std::string scratch = {};  // a folder for temporary models; empty: the system's
  CancelToken cancel = {};
  Progress progress = {};  // told of groups
};

// The target once more, with results of nodes replaced by the reference's.
struct LocateProof {
  std::vector<std::string> replaced = {};    // nodes
  bool agrees = false;                       // all outputs of the model are within the noise then
  double worst_before = 0, worst_after = 0;  // ratios of the outputs' errors to their noise
  std::string worst_output = {};
  // The first nodes that are off then, on inputs that are right.
  std::vector<std::string> next = {};
  std::string note = {};  // why there is no verdict
};

// What has to be computed in float32 so that the outputs are close enough, when a correct engine
// computes the rest in the target's format. Guilty nodes and those whose numbers the format does
// not hold are always among them.
struct LocateRemedy {
  std::vector<std::string> nodes = {};  // in the order of data
  bool agrees = false;                  // the outputs do then
  bool fewest = false;  // none of them can be left out; else the search ended before
  int64_t evaluations = 0;
  std::string written = {};                 // the file of the model with Casts
  std::optional<bool> written_agrees = {};  // its outputs do, on the runner for noise
  std::string note = {};                    // why something is missing
};

struct LocateResult {
  std::string reference, target;  // names of both sides
  NumberFormat format = NumberFormat::kFloat32;
  int64_t samples = 0;
  std::vector<NodeFinding> nodes = {};     // ranked: by verdict, then by how far off they are
  std::vector<NodeFinding> in_order = {};  // the main graph's, in the order of data
  std::vector<std::string> outputs = {};   // the model's
  std::vector<std::string> off = {};       // of these, those farther off than their noise allows
  bool inlined = false;  // local functions were: nodes and tensors of theirs have other names
  std::optional<LocateProof> proof = {};
  std::optional<LocateRemedy> remedy = {};
  std::vector<std::string> notes = {};  // what could not be done, and why
  // No node is guilty or overflows, and no output is farther off than its noise allows.
  bool clean() const;
  // The first of `nodes` that is guilty; null: none.
  const NodeFinding* guilty() const;
};

// Runs both engines on all tensors, the target once more on every node alone (all of them in one
// session: exploded models), and noisy evaluations of the model, and says of each node what it
// does. In bodies of guilty nodes (If, Loop, Scan) the nodes are looked at in the same way. Local
// functions are inlined. Values of tensors are kept for a group of nodes at a time. Throws Error
// (the model, feeds, an option of an engine), RunnerFailure (an engine cannot run the whole model),
// Interrupted. Runners load models that differ from the job's in their structure only; their
// messages become VERBOSE lines.
LocateResult locate(const LocateJob& job, RunnerFactory& factory, Logger& log);

}  // namespace polygraphy
