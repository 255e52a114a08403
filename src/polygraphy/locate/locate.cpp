#include "polygraphy/locate/locate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/log_modules.h"
#include "polygraphy/loaders/load_onnx.h"
#include "polygraphy/locate/node_findings.h"
#include "polygraphy/locate/measure_group.h"
#include "polygraphy/locate/measurements.h"
#include "polygraphy/locate/node_chains.h"
#include "polygraphy/locate/node_groups.h"
#include "polygraphy/locate/whole_model.h"
#include "polygraphy/locate/node_verdict.h"
#include "polygraphy/tensors/graph_metadata.h"

namespace polygraphy {
namespace {

constexpr uint64_t kUsualBytes = uint64_t{2} << 30;

std::vector<ValueMap> read_feeds(const LocateJob& job, const WholeModel& model, Logger& log) {
  const Metadata inputs = metadata_of_variables(model.model().graph->inputs());
  std::vector<ValueMap> feeds;
  const auto source = job.make_feeds ? job.make_feeds() : generated_feeds({}, log);
  while (auto feed = source->next(inputs)) {
    ValueMap wanted;
    for (const std::string& name : model.inputs()) {
      if (Value* value = feed->find(name)) wanted.set(name, std::move(*value));
    }
    feeds.push_back(std::move(wanted));
    job.cancel.check();
    // Saved results have as many samples as they have.
    const auto index = static_cast<int64_t>(feeds.size());
    for (const LocateSide* side : {&job.reference, &job.target}) {
      if (!side->make_runner && side->saved && !side->saved(index)) return feeds;
    }
  }
  return feeds;
}

void check(const LocateJob& job) {
  for (const LocateSide* side : {&job.reference, &job.target}) {
    if (side->make_runner || (side->saved && side->saved(0))) continue;
    throw Error(kNothingToLocate, "There are no results of " + side->name + ", and no runner of it");
  }
}

}  // namespace

bool LocateResult::clean() const {
  return std::none_of(nodes.begin(), nodes.end(), [](const NodeFinding& finding) {
    return is_guilty(finding.verdict) || finding.verdict == NodeVerdict::kOverflows;
  });
}

const NodeFinding* LocateResult::guilty() const {
  return !nodes.empty() && is_guilty(nodes.front().verdict) ? &nodes.front() : nullptr;
}

LocateResult locate(const LocateJob& job, Logger& log) {
  check(job);
  Logger quiet;
  const WholeModel model(std::move(*load_onnx(job.model, log)), job.scratch);
  const std::vector<ValueMap> feeds = read_feeds(job, model, log);
  if (feeds.empty()) throw Error(kNothingToLocate, "There is no sample to run the model on");

  const std::vector<NodePart> chains = node_chains(*model.model().graph);
  const uint64_t budget = job.tensor_bytes > 0 ? job.tensor_bytes : kUsualBytes;
  const std::vector<NodePart> groups = node_groups(
      model, chains, feeds.front(), static_cast<int64_t>(feeds.size()), budget);
  log.start(log_modules::kLocate,
            fmt::format("Looking at {} nodes with {} sample(s){} | {} against {}",
                        model.nodes().size(), feeds.size(),
                        groups.size() > 1 ? fmt::format(", in {} groups", groups.size()) : "",
                        job.target.name, job.reference.name));
  Measurements measurements;
  for (size_t i = 0; i < groups.size(); ++i) {
    std::unordered_set<size_t> members(groups[i].begin(), groups[i].end());
    std::vector<NodePart> inside;
    for (const NodePart& chain : chains) {
      const bool whole = std::all_of(chain.begin(), chain.end(),
                                     [&](size_t position) { return members.contains(position); });
      if (chain.size() > 1 && whole) inside.push_back(chain);
    }
    measure_group(job, model, feeds, groups[i], inside, measurements, log);
    if (job.progress)
      job.progress(static_cast<int64_t>(i + 1), static_cast<int64_t>(groups.size()));
  }

  LocateResult result{.reference = job.reference.name,
                      .target = job.target.name,
                      .format = job.format,
                      .samples = static_cast<int64_t>(feeds.size()),
                      .outputs = model.outputs()};
  result.in_order = make_findings(model, measurements, chains, job.format);
  std::vector<std::vector<size_t>> producers;
  for (const NodeFacts& node : model.nodes()) producers.push_back(node.producers);
  judge(result.in_order, producers, {.format = job.format, .threshold = job.threshold});
  result.nodes = result.in_order;
  rank(result.nodes);
  return result;
}

}  // namespace polygraphy
