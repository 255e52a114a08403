// The job behind `debug sensitivity`: which layers of a model suffer from quantisation.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/arrays/array.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/log.h"
#include "polygraphy/comparison/output_check/output_check.h"
#include "polygraphy/comparison/verdict/verdict.h"
#include "polygraphy/data/inputs/feed_source.h"
#include "polygraphy/diagnosis/sensitivity/weight_format.h"
#include "polygraphy/models/loaders/model_source.h"
#include "polygraphy/models/loaders/save_onnx.h"
#include "polygraphy/runtimes/runner_factory/runner_factory.h"

namespace polygraphy {

// The model has no layer to quantise; no input to run it on; no floating-point output to judge by.
inline constexpr ErrorCode kNothingToQuantize{"nothing-to-quantize"};
// No layer of the quantised model corresponds to one of its reference.
inline constexpr ErrorCode kNoLayerMatches{"no-layer-matches"};

// Each output's relative error is within the limit: the norm of the differences in parts of the
// norm of the reference, over all samples.
struct ErrorLimit {
  double limit = 0.01;
};

// By which a model with some layers quantised is accepted, against the model in floating point. A
// task metric judges all samples, whatever its confidence.
using SensitivityCheck = std::variant<ErrorLimit, OutputCheck>;

struct SensitivityJob {
  ModelSource model = {};  // in floating point
  RunnerSpec engine = {};
  // The same feeds each time.
  std::function<std::unique_ptr<FeedSource>()> make_feeds = {};
  WeightFormat format = {};
  // The same model, already quantised: its weights are judged instead of those in `format`.
  std::optional<ModelSource> quantized = {};
  SensitivityCheck check = {};
  bool embeddings = false;  // tables of Gather are layers, too
  // The largest number of sets of layers that the search tries, one run per sample each. nullopt:
  // 512, which are all sets of 9 layers; for more layers 64, or 16 more than these. All sets of up
  // to 16 layers are within reach. Of these, the search may measure as many more as there are
  // layers, and ends where three eighths of this number fail in a row, unless the rest are fewer.
  std::optional<int64_t> most_sets = {};
  OnnxSaving output = {};  // of the mixed model; of `quantized`, with the kept layers in its place
  // Bytes that all processes may take together. A model whose weights do not fit runs in parts:
  // without `quantized` and `output`. 0: no limit.
  uint64_t memory_limit = 0;
  CancelToken cancel = {};
};

// The spread of a layer's weights, by output channel.
struct ChannelStatistics {
  int64_t channels = 0;
  int64_t worst = 0;             // the channel with the largest magnitude
  double outlier = 0;            // its largest magnitude in parts of the median channel's
  double std = 0, kurtosis = 0;  // of its weights; a normal distribution has a kurtosis of 3
  double smallest = 0, lower = 0, median = 0, upper = 0, largest = 0;  // 0, 1, 50, 99 and 100 %
};

// How the tokens change that logits prefer: figures of `--compare tokens`, of all rows and samples.
struct TokenEffect {
  double divergence = 0;  // mean, of the distributions, in nats
  double same_top = 1;    // share of rows that prefer the same token
};

// The effect of quantised layers on the outputs of a model.
struct OutputEffect {
  std::string output = {};  // that with the largest relative error
  double error = 0;
  std::optional<TokenEffect> tokens = {};  // of outputs that are logits
};

// A weight, and the nodes that multiply by it.
struct LayerSensitivity {
  std::vector<std::string> nodes = {};
  std::string op = {}, weight = {};
  Shape shape = {};
  double sqnr = 0;    // of the layer's own output, in dB; infinite: no error
  double effect = 0;  // on the worst output of the model, where this layer alone is quantised
  std::optional<TokenEffect> tokens = {};  // the same on the logits
  int64_t float_bytes = 0, quantized_bytes = 0;
  // By which the model shrinks; negative: other nodes need the weight in floating point.
  int64_t saved() const { return (shared ? 0 : float_bytes) - quantized_bytes; }
  bool shared = false;
  bool kept = false;  // of the cheapest set: stays in floating point
  ChannelStatistics channels = {};
};

// SensitivityResult::format of SensitivityJob::quantized.
inline constexpr std::string_view kAsQuantized = "as quantized";

struct SensitivityResult {
  std::string format = {};
  std::optional<double> limit = {};  // of the relative error; nullopt: `answer` is another check's
  std::vector<LayerSensitivity> layers = {};  // the largest effect first
  OutputEffect all_quantized = {};            // where all layers are quantised
  OutputEffect chosen = {};  // where all but the kept ones are, with weights replaced at run time
  // The same of the mixed model, run as it is written; nullopt: no engine ran it.
  std::optional<OutputEffect> proved = {};
  // Of a quantised model that is not accepted even with all its layers in floating point: that of
  // this model. The error is in no layer's weights.
  std::optional<OutputEffect> all_float = {};
  Verdict answer = {};    // on the model of effect()
  bool found = false;     // the model of `chosen` is accepted
  bool cheapest = false;  // every cheaper set was tried
  int64_t tried = 0;      // sets that the search ran for this; those of a second search, too
  int64_t sessions = 0, runs = 0, samples = 0;
  std::vector<std::string> notes = {};

  int64_t kept_bytes() const;  // by which the kept layers make the model larger
  int64_t saved_bytes() const;
  // `proved`, or `chosen` without it.
  const OutputEffect& effect() const { return proved ? *proved : chosen; }
  // On the model of effect() against the model in floating point.
  const Verdict& verdict() const { return answer; }
};

// Quantises each layer alone, then sets of layers, and finds the cheapest set that must stay in
// floating point. One session runs all of them: weights are inputs of its model. Throws Error (the
// model, its feeds, kNothingToQuantize, kNoLayerMatches), RunnerFailure, Interrupted.
SensitivityResult find_sensitivity(const SensitivityJob& job, RunnerFactory& factory, Logger& log);

}  // namespace polygraphy
