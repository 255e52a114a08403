#include "polygraphy/diagnosis/sensitivity/sensitivity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/progress.h"
#include "base/text.h"
#include "graphsurgeon/ir/graph.h"
#include "graphsurgeon/onnx/version_converter.h"
#include "graphsurgeon/passes/constant_nodes.h"
#include "graphsurgeon/passes/toposort.h"
#include "polygraphy/diagnosis/locate/models/tensor_partners.h"
#include "polygraphy/diagnosis/locate/models/wrong_weights.h"
#include "polygraphy/diagnosis/sensitivity/examined_sites.h"
#include "polygraphy/diagnosis/sensitivity/layer_sets.h"
#include "polygraphy/diagnosis/sensitivity/local_errors.h"
#include "polygraphy/diagnosis/sensitivity/models/expert_weights.h"
#include "polygraphy/diagnosis/sensitivity/models/matched_layers.h"
#include "polygraphy/diagnosis/sensitivity/models/mixed_quantization.h"
#include "polygraphy/diagnosis/sensitivity/models/restored_layers.h"
#include "polygraphy/diagnosis/sensitivity/models/site_weight.h"
#include "polygraphy/diagnosis/sensitivity/parts/sensitivity_in_parts.h"
#include "polygraphy/diagnosis/sensitivity/set_search.h"
#include "polygraphy/models/candidates/inline_calls.h"
#include "polygraphy/models/candidates/node_names.h"
#include "polygraphy/models/loaders/load_onnx.h"
#include "polygraphy/models/noise/moved_weights.h"
#include "polygraphy/runtimes/decoding/decoding.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;

void check(const SensitivityJob& job) {
  const auto* limit = std::get_if<ErrorLimit>(&job.check);
  if (limit && (!(limit->limit >= 0) || !std::isfinite(limit->limit))) {
    throw Error(fmt::format("The limit must be a number of at least 0, but was: {}", limit->limit));
  }
  if (job.most_sets && *job.most_sets < 1)
    throw Error(fmt::format("The number of sets must be at least 1, but was: {}", *job.most_sets));
}

// Calls are replaced, constants are initializers, nodes are sorted and have names. Throws Error.
// O(model).
graphsurgeon::Model plain_model(graphsurgeon::Model model) {
  inline_all_calls(model);
  graphsurgeon::constant_nodes_to_initializers(model);
  // Before version 4, all weights are listed as inputs.
  if (model.ir_version < 4) {
    std::erase_if(model.graph->mutable_inputs(),
                  [](const auto& input) { return input->is_constant(); });
    model.ir_version = 4;
  }
  if (!graphsurgeon::is_sorted(*model.graph)) graphsurgeon::toposort(model);
  const std::vector<std::string> names = distinct_node_names(*model.graph);
  for (size_t i = 0; i < names.size(); ++i) {
    if (model.graph->nodes()[i]->name() != names[i]) model.graph->nodes()[i]->set_name(names[i]);
  }
  return model;
}

// The first opset with DequantizeLinear for blocks, as the experts of a QMoE have them.
constexpr int64_t kDequantizingBlocks = 21;

// Of the error of all layers together: less than this beside it is rounding of floats.
constexpr double kNoticeable = 0.1;

// The mixed model's error by that of the same layers rounded: 1.00 to 1.02 where kernels compute
// what ONNX defines, 12 and more where products of int8 saturate (chains of 5 to 12 layers on ONNX
// Runtime, with and without VNNI).
constexpr double kBeyondFormat = 1.2;

// By which the bound of errors must be smaller, where the mixed model's error is `proved` and was
// to be `chosen`: another set may be off by a little more.
double strictness(double chosen, double proved) {
  if (chosen <= 0) return 0;
  const double more = std::min(0.02, proved / chosen - 1);
  return chosen / proved * (1 - more);
}

class Finding {
 public:
  Finding(const SensitivityJob& job, RunnerFactory& factory, Logger& log)
      : job_(job),
        factory_(factory),
        log_(log),
        model_(plain_model(std::move(*load_onnx(job.model, log)))) {}

  SensitivityResult run() {
    if (const auto* limit = std::get_if<ErrorLimit>(&job_.check)) result_.limit = limit->limit;
    require_sense(job_.check, *model_.graph);
    result_.format = job_.quantized ? std::string(kAsQuantized) : job_.format.text();
    if ((job_.quantized || job_.format.activations) && model_.opset().value_or(1) < kQuantizing)
      model_ = plain_model(graphsurgeon::convert_version(model_, kQuantizing));
    if (job_.quantized) load_quantized();
    sites_ = examined_sites(model_, job_.embeddings, result_.notes);
    make_weights();
    measure_layers();
    measure_sets();
    finish();
    return std::move(result_);
  }

 private:
  void make_weights() {
    if (job_.quantized) match();
    const bool rounds =
        job_.quantized ? std::ranges::any_of(sites_, &Site::rounds_input) : job_.format.activations;
    rounds_ = rounds && rounds_inputs(sites_, result_.notes);
    const auto tensors = model_.graph->tensor_map();
    for (Site& site : sites_) {
      job_.cancel.check();
      if (!job_.quantized) quantize_site(site, tensors.at(site.weight)->values(), job_.format);
      site.rounds_input &= rounds_ && !site.nodes.front().activation.empty();
      result_.layers.push_back(layer_of(site));
    }
    if (rounds_ && !job_.quantized && any_experts(sites_))
      result_.notes.emplace_back(kExpertInputsStay);
  }

  void load_quantized() {
    quantized_ = plain_model(std::move(*load_onnx(*job_.quantized, log_)));
    require_float_model(model_, job_.model.path, *quantized_, job_.quantized->path,
                        kNoLayerMatches);
    const bool has_experts = std::ranges::any_of(
        quantized_->graph->nodes(), [](const auto& node) { return has_quantized_experts(*node); });
    if (has_experts && quantized_->opset().value_or(1) < kDequantizingBlocks)
      quantized_ = plain_model(graphsurgeon::convert_version(*quantized_, kDequantizingBlocks));
    for (const WrongWeight& wrong :
         wrong_weights(model_, *quantized_, tensor_partners(model_, *quantized_))) {
      const graphsurgeon::Node& node = *quantized_->graph->nodes()[wrong.position];
      result_.notes.push_back(
          fmt::format("The weight of '{}' is wrong: {}", node.name(), wrong.text));
    }
  }

  // Sites without a layer in the quantised model are dropped.
  void match() {
    std::vector<Site> matched = match_layers(model_, sites_, *quantized_);
    if (matched.empty()) {
      throw Error(kNoLayerMatches,
                  "No quantised layer corresponds to a layer of the reference, neither by name nor "
                  "by its weight",
                  "Is the reference the model that was quantised?");
    }
    if (matched.size() < sites_.size()) {
      result_.notes.push_back(fmt::format("{} of {} layers of the reference are not quantised",
                                          sites_.size() - matched.size(), sites_.size()));
    }
    sites_ = std::move(matched);
  }

  void measure_layers() {
    LayerInputs inputs(model_, sites_, job_.engine, factory_, log_);
    ++result_.sessions;
    samples_ = samples_of(job_, inputs.inputs(), log_);
    result_.samples = std::ssize(samples_);
    if (rounds_) ranges_ = activation_ranges(inputs, samples_, job_.cancel);
    const OverridableModel plain = overridable(model_, sites_, false);
    try {
      ++result_.sessions;
      const auto errors = local_errors(plain, sites_, ranges_, inputs, samples_, job_.engine,
                                       factory_, job_.cancel, log_);
      for (size_t i = 0; i < errors.size(); ++i) result_.layers[i].sqnr = errors[i].decibels();
    } catch (const RunnerFailure& failure) {
      for (LayerSensitivity& layer : result_.layers)
        layer.sqnr = std::numeric_limits<double>::quiet_NaN();
      result_.notes.push_back(fmt::format(
          "Layers do not run alone, so their own errors are not known: {}", failure.what()));
    }
  }

  void measure_sets() {
    sets_ = std::make_unique<LayerSets>(overridable(model_, sites_, rounds_), sites_, ranges_,
                                        samples_, job_.engine, factory_, job_.cancel, log_);
    ++result_.sessions;
    const ReferenceOutputs reference(sets_->reference(), job_.check);
    require_outputs(reference);
    const SetCheck check{job_.check, reference, samples_};
    SetSearch search = measure_effects(*sets_, check, job_.most_sets, result_);
    prove(check, search);
    result_.runs = sets_->runs();
  }

  // The model as it is written may round more than weights that are replaced: if so, once more
  // with a bound that makes up for it.
  void prove(const SetCheck& check, SetSearch& search) {
    std::vector<bool> kept = choose_set(*sets_, check, search, result_);
    for (int attempt = 0; attempt < 2; ++attempt) {
      mixed_ = quantized_ ? restored(kept)
                          : mixed_quantization(model_, sites_, kept, job_.format, ranges_);
      try {
        JudgedModel judged = run_model(*mixed_, check);
        result_.proved = std::move(judged.effect);
        result_.answer = std::move(judged.verdict);
      } catch (const RunnerFailure& failure) {
        result_.notes.push_back(
            fmt::format("{} does not run the mixed model, so the error was measured on the model "
                        "with replaced weights: {}",
                        job_.engine.label(), failure.what()));
        return;
      }
      if (result_.answer.passed() || attempt == 1) return;
      if (quantized_ && !layers_can_help(check)) return;
      const double proved = size_of(*result_.proved, job_.check);
      const double chosen = size_of(result_.chosen, job_.check);
      if (!(proved > chosen)) return;
      if (attempt == 0 && proved > kBeyondFormat * chosen) {
        result_.notes.push_back(fmt::format(
            "{} computes the mixed model with more error than its format has: {:.2g}, where the "
            "same layers rounded have {:.2g}. The layers that stay in floating point make up for "
            "its "
            "kernels",
            job_.engine.label(), proved, chosen));
      }
      const auto* limit = std::get_if<ErrorLimit>(&job_.check);
      search.bound = (limit ? limit->limit : chosen) * strictness(chosen, proved);
      kept = choose_set(*sets_, check, search, result_);
      result_.cheapest = false;
    }
  }

  Model restored(const std::vector<bool>& kept) {
    RestoredModel restored = restored_layers(model_, sites_, *quantized_, kept);
    left_ = std::move(restored.left);
    return std::move(restored.model);
  }

  // False: another node is wrong, or rounds too much, so that no set of layers makes up for it.
  bool layers_can_help(const SetCheck& check) {
    const std::vector<bool> all(sites_.size(), true);
    const RestoredModel restored = restored_layers(model_, sites_, *quantized_, all);
    if (!restored.left.empty()) return true;
    const JudgedModel judged = run_model(restored.model, check);
    const double rest = size_of(judged.effect, job_.check);
    if (judged.verdict.passed() || rest < kNoticeable * size_of(result_.all_quantized, job_.check))
      return true;
    result_.all_float = judged.effect;
    return false;
  }

  JudgedModel run_model(const Model& model, const SetCheck& check) {
    ++result_.sessions;
    const auto runner = factory_.make(job_.engine, {.model = &model}, log_);
    const ActiveRunner active(*runner);
    return judge_model(*runner, check, job_.cancel);
  }

  void finish() {
    if (!left_.empty()) {
      result_.notes.push_back(
          fmt::format("These nodes stay quantised, because their form cannot be reverted: {}",
                      join(left_, ", ")));
    }
    rank_layers(result_);
    if (!job_.output.path.empty() && mixed_) save_onnx(*mixed_, job_.output, log_);
  }

  const SensitivityJob& job_;
  RunnerFactory& factory_;
  Logger& log_;
  Model model_;
  SensitivityResult result_;
  std::optional<Model> quantized_;
  std::vector<Site> sites_;
  std::vector<std::string> left_;  // nodes of the mixed model that should be in floating point
  bool rounds_ = false;
  std::map<std::string, ActivationRange> ranges_;
  std::vector<ValueMap> samples_;
  std::unique_ptr<LayerSets> sets_;
  std::optional<Model> mixed_;
};

}  // namespace

int64_t SensitivityResult::kept_bytes() const {
  int64_t bytes = 0;
  for (const LayerSensitivity& layer : layers) bytes += layer.kept ? layer.saved() : 0;
  return bytes;
}

int64_t SensitivityResult::saved_bytes() const {
  int64_t bytes = 0;
  for (const LayerSensitivity& layer : layers) bytes += layer.kept ? 0 : layer.saved();
  return bytes;
}

SensitivityResult find_sensitivity(const SensitivityJob& asked, RunnerFactory& factory,
                                   Logger& log) {
  check(asked);
  SensitivityJob job = asked;
  job.model = factory.onnx(asked.model);
  if (asked.quantized) job.quantized = factory.onnx(*asked.quantized);
  job.engine = factory.complete({asked.engine}).front();
  if (job.decoding) job.make_feeds = prefill_feeds(job.decoding, std::move(job.make_feeds));
  if (const auto shares = forced_part_shares(job))
    return sensitivity_in_parts(job, *shares, factory, log);
  return Finding(job, factory, log).run();
}

}  // namespace polygraphy
