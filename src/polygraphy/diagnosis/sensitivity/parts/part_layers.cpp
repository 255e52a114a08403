#include "polygraphy/diagnosis/sensitivity/parts/part_layers.h"

#include <utility>

#include "polygraphy/diagnosis/sensitivity/examined_sites.h"
#include "polygraphy/diagnosis/sensitivity/models/site_weight.h"

namespace polygraphy {

PartLayers::PartLayers(graphsurgeon::Model part, const SensitivityJob& job, RunnerFactory& factory,
                       Logger& log)
    : job_(job),
      factory_(factory),
      log_(log),
      model_(std::move(part)),
      sites_(find_sites(model_, job.embeddings)) {
  const auto tensors = model_.graph->tensor_map();
  for (Site& site : sites_) {
    job_.cancel.check();
    quantize_site(site, tensors.at(site.weight)->values(), job_.format);
  }
}

PartFigures PartLayers::measure(const std::vector<ValueMap>& samples, bool rounds) const {
  PartFigures figures;
  for (const Site& site : sites_) figures.layers.push_back(layer_of(site));
  if (sites_.empty()) return figures;
  LayerInputs inputs(model_, sites_, job_.engine, factory_, log_);
  if (rounds) figures.ranges = activation_ranges(inputs, samples, job_.cancel);
  try {
    figures.errors = local_errors(overridable(model_, sites_, false), sites_, figures.ranges,
                                  inputs, samples, job_.engine, factory_, job_.cancel, log_);
  } catch (const RunnerFailure& failure) {
    figures.failure = failure.what();
  }
  return figures;
}

void PartLayers::start(const std::map<std::string, ActivationRange>& ranges, bool rounds) {
  overridable_ = overridable(model_, sites_, rounds);
  set_ranges(overridable_, ranges);
  runner_ = factory_.make(job_.engine, {.model = &overridable_.model}, log_);
  active_.emplace(*runner_);
}

ArrayMap PartLayers::run(const std::vector<bool>& quantized, const ValueMap& feed) {
  job_.cancel.check();
  ValueMap all = feed;
  set_layers(overridable_, sites_, quantized, all);
  return tensors_of(runner_->infer(all));
}

}  // namespace polygraphy
