// The values that `debug locate` takes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "base/cancel.h"
#include "base/error.h"
#include "polygraphy/comparison/compare/metric_options.h"
#include "polygraphy/comparison/compare/metric_result.h"
#include "polygraphy/comparison/output_check/output_check.h"
#include "polygraphy/data/inputs/feed_source.h"
#include "polygraphy/data/results/results.h"
#include "polygraphy/models/loaders/model_source.h"
#include "polygraphy/models/loaders/save_onnx.h"
#include "polygraphy/models/noise/number_format.h"
#include "polygraphy/runtimes/decoding/decode_options.h"
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
// Names a runner by the model that it runs, where each side has its own.
void name_by_model(LocateSide& side, const std::string& model);

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
  // The same feeds each time, or the prompts of `decoding`.
  std::function<std::unique_ptr<FeedSource>()> make_feeds = {};
  // Of the model that the reference runs: the feeds are prefills of the prompts, or those of
  // `decode_step`. null: feeds are not of prompts.
  std::shared_ptr<Decoding> decoding = {};
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
  // Bytes that all processes may take together. A model runs in parts, one by one, if its weights
  // do not fit: without fusions across parts, bodies of nodes and proof. 0: no limit.
  uint64_t memory_limit = 0;
  // Of `decoding`, which has as many steps: the verdict is on this one; 0 is the prefill. The
  // reference, a runner, makes its cache, so the whole model has to fit. nullopt: of whole runs.
  std::optional<int64_t> decode_step = {};
  // Once runs of parts of a group have failed for so long, its other parts do not run.
  double failing_seconds = 120;
  std::string scratch = {};  // a folder for temporary models; empty: the system's
  CancelToken cancel = {};
};

}  // namespace polygraphy
