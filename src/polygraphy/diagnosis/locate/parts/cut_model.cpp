#include "polygraphy/diagnosis/locate/parts/cut_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/log_modules.h"
#include "polygraphy/models/loaders/load_onnx.h"
#include "polygraphy/models/parts/node_chains.h"
#include "polygraphy/models/parts/node_groups.h"
#include "polygraphy/models/parts/part_model.h"

namespace polygraphy {

CutModel::CutModel(const LocatePartsJob& asked, RunnerFactory& factory, Logger& logger)
    : run(asked.job, factory, logger),
      model(std::move(*load_onnx(asked.job.model, logger)), asked.job.scratch, run.placement),
      chains(node_chains(*model.model().graph)),
      part_bytes(asked.part_bytes),
      log(logger) {
  show_as_verbose(quiet, logger, log_modules::kLocate);
}

const LocateSamples& CutModel::samples() {
  if (!samples_) samples_ = locate_samples(run, model, log);
  return *samples_;
}

const std::vector<ValueMap>& CutModel::feeds() {
  return samples().feeds;
}

bool CutModel::leaves_samples() {
  return samples().left;
}

const std::vector<NodePart>& CutModel::parts() {
  if (!groups_.empty()) return groups_;
  groups_ = node_groups(
      model, chains, feeds().front(),
      {.samples = std::ssize(feeds()), .bytes = static_cast<uint64_t>(part_bytes), .models = true});
  return groups_;
}

std::unique_ptr<WholeModel> CutModel::model_of(const NodePart& part,
                                               const std::vector<ArrayMap>& values) const {
  auto made = std::make_unique<WholeModel>(part_model(model.model(), part, values), job().scratch,
                                           run.placement);
  if (made->nodes().size() != part.size()) {
    throw Error(fmt::format("A part of the model has {} nodes instead of {}", made->nodes().size(),
                            part.size()));
  }
  return made;
}

std::vector<NodePart> CutModel::chains_of(const NodePart& part) const {
  std::vector<NodePart> inside = chains_in(part, chains);
  for (NodePart& chain : inside) {
    for (size_t& position : chain)
      position = static_cast<size_t>(std::ranges::lower_bound(part, position) - part.begin());
  }
  return inside;
}

std::vector<NodePart> CutModel::whole_chains() {
  std::vector<NodePart> whole;
  for (const NodePart& part : parts()) {
    for (NodePart& chain : chains_in(part, chains)) whole.push_back(std::move(chain));
  }
  return whole;
}

LocateRecord CutModel::empty_record() {
  return {.format = job().format,
          .target_format = run.target_format,
          .samples = std::ssize(feeds()),
          .parts = std::ssize(parts()),
          .part_bytes = part_bytes};
}

NodePart all_of(const NodePart& part) {
  NodePart positions(part.size());
  std::iota(positions.begin(), positions.end(), size_t{0});
  return positions;
}

}  // namespace polygraphy
