// The job behind `debug locate`: which node of a model makes two engines differ.
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
#include "polygraphy/comparison/compare/metric_options.h"
#include "polygraphy/comparison/compare/metric_result.h"
#include "polygraphy/comparison/output_check/output_check.h"
#include "polygraphy/comparison/verdict/verdict.h"
#include "polygraphy/data/inputs/feed_source.h"
#include "polygraphy/data/results/results.h"
#include "polygraphy/diagnosis/locate/node_finding.h"
#include "polygraphy/models/loaders/model_source.h"
#include "polygraphy/models/loaders/save_onnx.h"
#include "polygraphy/models/noise/number_format.h"
#include "polygraphy/models/parts/part_errors.h"
#include "polygraphy/runtimes/runner_factory/runner_factory.h"

namespace polygraphy {

// Nothing can be compared: no sample, or a side without results.
inline constexpr ErrorCode kNothingToLocate{"nothing-to-locate"};
// RemedyOptions::output for a target that does not compute in float16.
inline constexpr ErrorCode kNoModelWithCasts{"no-model-with-casts"};

// Results that a runner returned earlier. Nodes cannot be run alone on it.
struct SavedSide {
  std::shared_ptr<const RunResults> results = {};  // not null
  size_t runner = 0;                               // its place in results->runners
  std::string name = {};                           // in reports; empty: the runner's
};
// One of both engines.
using LocateSide = std::variant<RunnerSpec, SavedSide>;
// The name of the runner.
std::string name_of(const LocateSide& side);

// Requests a minimal set of nodes that must be computed in float32.
struct RemedyOptions {
  OutputCheck check = {};  // whether the outputs are close enough
  // The model in float16, with these nodes in float32 between Casts; without a path it is not
  // saved.
  OnnxSaving output = {};
};

struct LocateJob {
  ModelSource model = {};
  LocateSide reference = {}, target = {};
  // The model that the reference runs, a runner: the model before it was quantised, say, with the
  // same inputs. Nodes are compared where both models have a tensor, by its name or its place; the
  // others run alone with the next node that has one. The whole models have to fit into memory;
  // there are no fusions, bodies of nodes and remedies. nullopt: the model of the job.
  std::optional<ModelSource> reference_model = {};
  // Noise is computed with it: a runner that computes every operator as it stands, widely.
  RunnerSpec noise = bundled_runner_spec();
  // The same feeds each time.
  std::function<std::unique_ptr<FeedSource>()> make_feeds = {};
  NumberFormat format = NumberFormat::kFloat32;  // the coarser of both sides' number formats
  // Use the formats that the runners report, which may differ from the requested ones; those that
  // their options request apply if they report nothing. The format of saved results is not known.
  bool ask_format = false;
  int64_t noise_runs = 3;  // stochastic evaluations; at least 2. 0: noise is not measured
  int64_t seed = 0;
  // Decides the verdict on the model's outputs in place of the noise; nodes are judged by the noise
  // in any case. Without task metric. nullopt: the noise decides.
  std::optional<OutputCheck> check = {};
  // Decides it, too, by the noise: NoiseFloorJob::metric. null: the noise alone.
  const Metric* metric = nullptr;
  MetricOptions metric_options = {};
  // Noise counts what NoiseFloorJob::quantization does, too. With a model of the reference: where
  // the target's model has quantised weights.
  bool quantization = false;
  double threshold = 3;            // errors up to this multiple of the noise pass
  bool isolate_nodes = true;       // also run each node alone
  bool isolate_neighbours = true;  // also run each node with the nodes that engines fuse it with
  bool prove = true;  // run the target once more with the guilty nodes' results replaced
  std::optional<RemedyOptions> remedy = {};
  // Bytes that tensors of a group of nodes may take; groups run one after the other. 0: 2 GiB.
  uint64_t tensor_bytes = 0;
  // Bytes that all processes may take together. A model whose weights do not fit runs in parts, one
  // after the other: without fusions across parts, bodies of nodes and proof. 0: no limit.
  uint64_t memory_limit = 0;
  // make_feeds runs the whole model, which then has to fit.
  bool feeds_run_model = false;
  // Once runs of parts of a group have failed for so long, its other parts do not run.
  double failing_seconds = 120;
  std::string scratch = {};  // a folder for temporary models; empty: the system's
  CancelToken cancel = {};
};

// A second run of the target, with results of nodes replaced by the reference's.
struct LocateProof {
  std::vector<std::string> replaced = {};    // nodes
  bool agrees = false;                       // all outputs of that run are within the noise
  double worst_before = 0, worst_after = 0;  // ratios of the outputs' errors to their noise
  std::string worst_output = {};
  // The converse: the largest ratio of the outputs if the reference computes all nodes but these,
  // and these have the results that the target computes of right inputs. nullopt: not run.
  std::optional<double> worst_with_only_these = {};
  // The converse is about as far off as the target.
  bool suffices = false;
  // The first nodes that are wrong in that run although their inputs are right.
  std::vector<std::string> next = {};
  std::string note = {};  // the reason for a missing verdict
};

// Nodes that must be computed in float32 so that the outputs are close enough, if a correct engine
// computes the rest in the target's format. Always includes guilty nodes and those that overflow
// the format.
struct LocateRemedy {
  NumberFormat format = NumberFormat::kFloat32;  // the target's
  std::string measure = {};                      // Verdict::measure of the check
  std::vector<std::string> nodes = {};           // in the order of data
  bool agrees = false;  // the outputs are close enough with these nodes in float32
  bool fewest = false;  // every node is necessary; false: the search ended early
  int64_t evaluations = 0;
  std::string written = {};                 // the file of the model with Casts
  std::optional<bool> written_agrees = {};  // its outputs are close enough on the runner for noise
  std::string note = {};                    // the reason for missing results
};

// A difference of the model that vanishes if these tensors are outputs, too: the engine is wrong
// where it fuses their producers with their consumers.
struct LocateFusion {
  std::vector<std::string> tensors = {};
  // They must be outputs of the reference's model, too: either engine may be wrong.
  bool on_both_sides = false;
  // Outputs do not make it vanish: the first result that is off in the model with all tensors as
  // outputs. Its node is right alone.
  std::string first_off = {};
  std::string note = {};  // the reason for missing tensors

  bool found() const { return !tensors.empty() || !first_off.empty(); }
};

struct LocateResult {
  // On the model's outputs, without marked tensors: by noise, the verdict of `run --noise-floor`,
  // or by LocateJob::agrees.
  Verdict verdict = {};
  std::string reference, target;  // names of both sides
  bool saved_reference = false;   // it is a file, perhaps of another model
  NumberFormat format = NumberFormat::kFloat32;
  bool quantization = false;  // rounding of quantised numbers counts as noise
  int64_t samples = 0;
  std::vector<NodeFinding> nodes = {};     // ranked by verdict, then by error
  std::vector<NodeFinding> in_order = {};  // the main graph's, in the order of data
  std::vector<std::string> outputs = {};   // the model's
  std::vector<std::string> off =
      {};  // outputs with errors beyond their noise, with all tensors marked
  // How a side computes other results of the same input; empty: it does not, or no error called for
  // a repetition. Figures of nodes are then those of one run each: no fusion, proof or remedy.
  std::string varies = {};
  bool inlined = false;  // local functions were inlined, and their nodes and tensors have new names
  std::optional<LocateFusion> fusion = {};  // if the verdict differs, but no marked tensor does
  std::optional<LocateProof> proof = {};
  std::optional<LocateRemedy> remedy = {};
  std::vector<std::string> notes = {};  // skipped steps, with reasons
  // True if the model's outputs agree. If none could be compared: no node is guilty or overflows.
  bool clean() const;
  // The first guilty node of `nodes`; null if no node is guilty.
  const NodeFinding* guilty() const;
};

// Runs both engines on all tensors, the target once more on every node alone (all of them in one
// session: exploded models), and noisy evaluations of the model, and says of each node what it
// does. In bodies of guilty nodes (If, Loop, Scan) the nodes are looked at in the same way. Local
// functions are inlined. Values of tensors are kept for a group of nodes at a time. Throws Error
// (the model, feeds, an option of an engine; with LocateJob::reference_model also that model, one
// that lacks an input of the job's model or whose weights exceed memory_limit, a saved side, or a
// remedy), RunnerFailure (an engine cannot run the whole model),
// Interrupted. Runners load models that differ from the job's in their structure only; their
// messages become VERBOSE lines.
LocateResult locate(const LocateJob& job, RunnerFactory& factory, Logger& log);

}  // namespace polygraphy
