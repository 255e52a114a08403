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
#include "base/record.h"
#include "polygraphy/comparison/output_check/output_check.h"
#include "polygraphy/comparison/verdict/verdict.h"
#include "polygraphy/data/inputs/feed_source.h"
#include "polygraphy/diagnosis/sensitivity/weight_format.h"
#include "polygraphy/models/loaders/model_source.h"
#include "polygraphy/models/loaders/save_onnx.h"
#include "polygraphy/runtimes/decoding/decode_options.h"
#include "polygraphy/runtimes/runner_factory/runner_factory.h"

namespace polygraphy {

// The model has no layer to quantise; no input to run it on; no floating-point output to judge by.
inline constexpr ErrorCode kNothingToQuantize{"nothing-to-quantize"};
// No layer of the quantised model corresponds to one of its reference.
inline constexpr ErrorCode kNoLayerMatches{"no-layer-matches"};

// Each output's relative error is within the limit: norm(difference) / norm(reference), over all
// samples.
struct ErrorLimit {
  double limit = 0.01;
};

// By which a model with some layers quantised is accepted, against the model in floating point. A
// task metric judges all samples, whatever its confidence.
using SensitivityCheck = std::variant<ErrorLimit, OutputCheck>;

struct SensitivityJob {
  ModelSource model = {};  // in floating point
  RunnerSpec engine = {};
  // The same feeds each time, or the prompts of `decoding`.
  std::function<std::unique_ptr<FeedSource>()> make_feeds = {};
  std::shared_ptr<Decoding> decoding = {};  // the feeds are prefills; null: not of prompts
  WeightFormat format = {};
  // The same model, already quantised: its weights are judged instead of those in `format`.
  std::optional<ModelSource> quantized = {};
  SensitivityCheck check = {};
  bool embeddings = false;  // tables of Gather are layers, too
  // The largest number of sets of layers that the search tries, one run per sample each. nullopt:
  // 512, which are all sets of 9 layers; for more layers 64, or 16 more than these.
  std::optional<int64_t> most_sets = {};
  OnnxSaving output = {};  // of the mixed model; of `quantized`, with the kept layers in its place
  // Bytes that all processes may take together. A model runs in parts if its weights do not fit:
  // without `quantized` and `output`. 0: no limit.
  uint64_t memory_limit = 0;
  CancelToken cancel = {};
};

struct ChannelStatistics {
  int64_t channels = 0, worst = 0;
  double outlier = 0, std = 0, kurtosis = 0;
  double smallest = 0, lower = 0, median = 0, upper = 0, largest = 0;
};

constexpr auto record_of(RecordOf<ChannelStatistics>) {
  using Of = ChannelStatistics;
  return record<Of>(
      "ChannelStatistics", "The spread of a layer's weights, by output channel.",
      count("channels", &Of::channels, "How many."),
      count("index", &Of::worst,
            "The channel with the largest magnitude; the figures below are of its weights."),
      member("outlier", &Of::outlier, "Its largest magnitude / the median channel's."),
      member("std", &Of::std, "Their standard deviation."),
      member("kurtosis", &Of::kurtosis, "A normal distribution has a kurtosis of 3."),
      member("min", &Of::smallest, "The least of them."),
      member("q01", &Of::lower, "1 % are below it."), member("median", &Of::median, "50 % are."),
      member("q99", &Of::upper, "99 % are."), member("max", &Of::largest, "The greatest."));
}

struct TokenEffect {
  double divergence = 0, same_top = 1;
};

constexpr auto record_of(RecordOf<TokenEffect>) {
  using Of = TokenEffect;
  return record<Of>(
      "TokenEffect",
      "How the tokens change that a model with logits prefers, over all rows and samples.",
      member("kl_mean", &Of::divergence,
             "Mean Kullback-Leibler divergence of the distributions, in nats."),
      member("same_top1", &Of::same_top, "Share of rows that prefer the same token."));
}

// The effect of quantised layers on the outputs of a model.
struct OutputEffect {
  std::string output = {};  // that with the largest relative error
  double error = 0;
  std::optional<TokenEffect> tokens = {};  // of outputs that are logits
};

struct LayerSensitivity {
  std::vector<std::string> nodes = {};
  std::string op = {}, weight = {};
  Shape shape = {};
  double sqnr = 0, effect = 0;
  std::optional<TokenEffect> tokens = {};
  int64_t float_bytes = 0, quantized_bytes = 0;
  int64_t saved() const { return (shared ? 0 : float_bytes) - quantized_bytes; }
  bool shared = false, kept = false;
  ChannelStatistics channels = {};
};

constexpr auto record_of(RecordOf<LayerSensitivity>) {
  using Of = LayerSensitivity;
  return record<Of>(
      "LayerSensitivity", "A weight, and the nodes that multiply by it.",
      member("nodes", &Of::nodes, "Their names, or first outputs of those without a name."),
      member("op", &Of::op, "\"MatMul\".").python("op_type"),
      member("weight", &Of::weight, "Its name."), member("shape", &Of::shape, "Its dimensions."),
      member("effect", &Of::effect,
             "Relative error of the model's worst output where this layer alone is quantised: the "
             "norm of the differences / the norm of the reference, over all samples."),
      member("tokens", &Of::tokens, "The same on logits, if the model returns some.").if_set(),
      member("sqnr", &Of::sqnr,
             "Signal to noise of the layer's own output in dB; infinite: no error."),
      count("float_bytes", &Of::float_bytes, "The size of the weight in floating point."),
      count("quantized_bytes", &Of::quantized_bytes, "Its size in the quantised form."),
      derived("saved_bytes", &Of::saved,
              "By which the model shrinks; negative: other nodes need the weight in floating "
              "point, too."),
      member("shared", &Of::shared, "They do."),
      member("kept", &Of::kept, "The layer must stay in floating point."),
      member("worst_channel", &Of::channels, "See there."));
}

// SensitivityResult::format of SensitivityJob::quantized.
inline constexpr std::string_view kAsQuantized = "as quantized";

struct SensitivityResult {
  std::string format = {};
  std::optional<double> limit = {};
  std::vector<LayerSensitivity> layers = {};
  OutputEffect all_quantized = {};
  OutputEffect chosen = {};
  std::optional<OutputEffect> proved = {}, all_float = {};
  Verdict answer = {};  // on the model of effect()
  bool found = false;   // the model of `chosen` is accepted
  bool cheapest = false;
  int64_t tried = 0;  // those of a second search, too
  int64_t sessions = 0, runs = 0, samples = 0;
  std::vector<std::string> notes = {};

  int64_t kept_bytes() const;
  int64_t saved_bytes() const;
  // `proved`, or `chosen` without it.
  const OutputEffect& effect() const { return proved ? *proved : chosen; }
  // On the model of effect() against the model in floating point.
  const Verdict& verdict() const { return answer; }
};

std::string sensitivity_summary(const SensitivityResult& result);  // sensitivity_text.h

// The rows of an optional effect: its error, and its tokens.
template <typename Effect>
constexpr auto effect_error(std::string_view name, Effect effect, std::string_view meaning) {
  return mapped(
      name,
      [effect](const SensitivityResult& of) {
        const auto& one = of.*effect;
        return one ? std::optional(one->error) : std::nullopt;
      },
      [effect](SensitivityResult& of, const std::optional<double>& error) {
        if (!error) return;
        if (!(of.*effect)) (of.*effect).emplace();
        (of.*effect)->error = *error;
      },
      meaning);
}
template <typename Effect>
constexpr auto effect_tokens(std::string_view name, Effect effect, std::string_view meaning) {
  return mapped(
             name,
             [effect](const SensitivityResult& of) {
               const auto& one = of.*effect;
               return one ? one->tokens : std::nullopt;
             },
             [effect](SensitivityResult& of, const std::optional<TokenEffect>& tokens) {
               if (!(of.*effect)) (of.*effect).emplace();
               (of.*effect)->tokens = tokens;
             },
             meaning)
      .if_set();
}

constexpr auto record_of(RecordOf<SensitivityResult>) {
  using Of = SensitivityResult;
  return record<Of>(
      "SensitivityFigures", "Which layers of a model suffer from quantisation.",
      member("format", &Of::format, "\"int8\", or \"as quantized\" with a float model."),
      member("limit", &Of::limit, "Of the relative error; null: another check decided."),
      derived(
          "summary", [](const Of& of) { return sensitivity_summary(of); },
          "The text that `polygraphy debug sensitivity` prints.")
          .json_only(),
      member("answer", &Of::answer, "On the mixed model against the float model."),
      member(
          "output", [](auto& of) -> auto& { return of.all_quantized.output; },
          "The output with the largest error where all layers are quantised.")
          .python("worst_output"),
      member(
          "all_quantized", [](auto& of) -> auto& { return of.all_quantized.error; },
          "That error, as LayerSensitivity.effect."),
      member(
          "chosen", [](auto& of) -> auto& { return of.chosen.error; },
          "The same of the mixed model, with weights replaced at run time."),
      effect_error("proved", &Of::proved,
                   "The same of the mixed model, run as it is written; null: no engine ran it."),
      effect_error("all_float", &Of::all_float,
                   "The same of the quantised model with all these layers in floating point, if "
                   "that was needed. Beyond the limit, the fault is in no weight of them.")
          .if_set(),
      member(
          "all_quantized_tokens", [](auto& of) -> auto& { return of.all_quantized.tokens; },
          "The same on logits.")
          .if_set(),
      member(
          "chosen_tokens", [](auto& of) -> auto& { return of.chosen.tokens; }, "Likewise.")
          .if_set(),
      effect_tokens("proved_tokens", &Of::proved, "Likewise."),
      effect_tokens("all_float_tokens", &Of::all_float, "Likewise."),
      member("found", &Of::found, "A set of layers passes the check."),
      member("cheapest", &Of::cheapest, "Every cheaper set was tried."),
      count("tried", &Of::tried, "How many sets were."),
      count("sessions", &Of::sessions, "How many there were."),
      count("runs", &Of::runs, "How many there were."),
      count("samples", &Of::samples, "How many there were."),
      derived("kept_bytes", &Of::kept_bytes,
              "By which the kept layers make the mixed model larger."),
      derived("saved_bytes", &Of::saved_bytes, "By which it is smaller than the float model."),
      member("notes", &Of::notes, "Skipped steps and nodes, with reasons."),
      member("layers", &Of::layers, "The largest effect first.").needed());
}

// Quantises each layer alone, then sets of layers, and finds the cheapest set that must stay in
// floating point. One session runs all of them: weights are inputs of its model. Throws Error (the
// model, its feeds, kNothingToQuantize, kNoLayerMatches), RunnerFailure, Interrupted.
SensitivityResult find_sensitivity(const SensitivityJob& job, RunnerFactory& factory, Logger& log);

}  // namespace polygraphy
