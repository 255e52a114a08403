#include "polygraphy/diagnosis/locate/examined_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "base/log_modules.h"
#include "base/progress.h"
#include "base/size_text.h"
#include "graphsurgeon/ir/copy.h"
#include "polygraphy/diagnosis/locate/judging/node_verdict.h"
#include "polygraphy/diagnosis/locate/judging/two_models.h"
#include "polygraphy/diagnosis/locate/measuring/measure_alone.h"
#include "polygraphy/diagnosis/locate/measuring/measure_in_place.h"
#include "polygraphy/diagnosis/locate/measuring/model_runs.h"
#include "polygraphy/diagnosis/locate/models/body_model.h"
#include "polygraphy/diagnosis/locate/models/spans.h"
#include "polygraphy/diagnosis/locate/node_findings.h"
#include "polygraphy/models/parts/node_chains.h"
#include "polygraphy/models/parts/node_groups.h"

namespace polygraphy {
namespace {

// Iterations of a loop whose bodies are examined.
constexpr int64_t kIterations = 4;

void warn_of_many(size_t groups, uint64_t budget, Logger& log) {
  constexpr size_t kMany = 16;
  if (groups <= kMany) return;
  log.warning(log_modules::kLocate,
              fmt::format("The memory limit leaves {} for tensors: both engines run the model once "
                          "for each of {} groups of nodes",
                          size_text(static_cast<int64_t>(budget)), groups));
}

// The reference's values of what a node reads, on a sample.
ArrayMap read_by(const LocateRun& run, const WholeModel& model, const ValueMap& feed,
                 const NodeFacts& node) {
  ArrayMap values;
  std::vector<std::string> computed;
  for (const std::string& name : node.reads) {
    const Value* fed = feed.find(name);
    if (!fed) {
      computed.push_back(name);
    } else if (const Array* array = fed->as_tensor()) {
      values.set(name, *array);
    }
  }
  if (computed.empty()) return values;
  run_samples(
      *run.reference, model.with_outputs(computed), 1, 1, [&](int64_t, int64_t) { return feed; },
      [&](int64_t, int64_t, ArrayMap outputs) {
        for (auto& [name, array] : outputs) values.set(name, std::move(array));
      },
      run.job.cancel);
  return values;
}

// A group with the nodes that run alone with its nodes.
NodePart measured_with(const LocateRun& run, const WholeModel& model, const NodePart& group) {
  if (!run.reference_model) return group;
  return with_spans(model, group,
                    [&](const std::string& tensor) { return run.reference_model->has(tensor); });
}

}  // namespace

std::vector<NodeFinding> judged_findings(const LocateRun& run, const WholeModel& model,
                                         const std::vector<NodePart>& chains,
                                         const Measurements& measurements) {
  const LocateJob& job = run.job;
  std::vector<NodeFinding> findings = make_findings(model, measurements, chains, job.format);
  std::vector<std::vector<size_t>> producers;
  for (const NodeFacts& node : model.nodes()) producers.push_back(node.producers);
  if (run.reference_model) skip_own_nodes(*run.reference_model, model, producers, findings);
  judge(findings, producers, {.threshold = job.threshold, .outputs = model.outputs()});
  if (run.reference_model) {
    acquit_of_unknown_rounding(*run.reference_model, model, findings);
    blame_wrong_weights(run.reference_model->wrong_weights(model), findings);
    blame_inserted_nodes(*run.reference_model, model, findings);
  }
  return findings;
}

std::vector<NodeFinding> examine_nodes(const LocateRun& run, const WholeModel& model,
                                       const std::vector<ValueMap>& feeds,
                                       Measurements& measurements, Logger& log) {
  const LocateJob& job = run.job;
  const std::vector<NodePart> chains = node_chains(*model.model().graph);
  const uint64_t budget = job.tensor_bytes > 0 ? job.tensor_bytes : kUsualTensorBytes;
  const std::vector<NodePart> groups =
      node_groups(model, chains, feeds.front(), {.samples = std::ssize(feeds), .bytes = budget});
  log.start(log_modules::kLocate,
            fmt::format("Comparing {} nodes with {} sample(s){} | {} against {}",
                        model.nodes().size(), feeds.size(),
                        groups.size() > 1 ? fmt::format(", in {} groups", groups.size()) : "",
                        name_of(job.target), name_of(job.reference)));
  warn_of_many(groups.size(), budget, log);
  const auto count = static_cast<int64_t>(groups.size());
  ProgressPhase phase(
      fmt::format("comparing {} nodes", model.nodes().size()) + (count > 1 ? ", group" : ""),
      count > 1 ? std::optional(count) : std::nullopt);
  const SideFeeds sides = same_feeds(run, feeds);
  for (size_t i = 0; i < groups.size(); ++i) {
    const NodePart measured = measured_with(run, model, groups[i]);
    const ValuesInPlace values =
        measure_in_place(run, model, sides, measured, {}, measurements, log);
    measure_alone(run, model, values.reference, groups[i],
                  run.reference_model ? std::vector<NodePart>() : chains_in(groups[i], chains),
                  measurements, log);
    if (count > 1) phase.step();
  }
  return judged_findings(run, model, run.reference_model ? std::vector<NodePart>() : chains,
                         measurements);
}

std::vector<NodeFinding> examine_bodies(const LocateRun& run, const WholeModel& model,
                                        const std::vector<ValueMap>& feeds,
                                        const NodeFinding& finding, Logger& log) {
  const NodeFacts& node = model.nodes()[finding.position];
  if (!node.has_bodies || !run.reference || !run.target || run.reference_model) return {};
  ArrayMap values = read_by(run, model, feeds[static_cast<size_t>(finding.sample)], node);
  std::vector<NodeFinding> guilty;
  for (int64_t iteration = 0; iteration < kIterations; ++iteration) {
    const auto body = body_model(
        model.model(), finding.position, [&](const std::string& name) { return values.find(name); },
        iteration);
    if (!body) return guilty;
    const WholeModel inner(graphsurgeon::copy(body->model), run.job.scratch, run.placement);
    const std::vector<ValueMap> feed = {body->feed};
    Measurements measurements;
    std::vector<NodeFinding> ranked = examine_nodes(run, inner, feed, measurements, log);
    rank(ranked);
    for (NodeFinding& one : ranked) {
      if (!is_guilty(one.verdict)) break;
      for (NodeFinding& deeper : examine_bodies(run, inner, feed, one, log)) {
        one.verdict = NodeVerdict::kEncloses;
        deeper.graph = body->graph + "/" + deeper.graph;
        guilty.push_back(std::move(deeper));
      }
      one.graph = body->graph;
      one.sample = finding.sample;
      guilty.push_back(std::move(one));
    }
    if (!guilty.empty() || body->carried.empty()) return guilty;
    std::vector<std::string> outputs;
    for (const auto& [output, input] : body->carried) outputs.push_back(output);
    run_samples(
        *run.reference, inner.with_outputs(outputs), 1, 1,
        [&](int64_t, int64_t) { return body->feed; },
        [&](int64_t, int64_t, ArrayMap results) {
          for (const auto& [output, input] : body->carried) {
            if (Array* result = results.find(output)) values.set(input, std::move(*result));
          }
        },
        run.job.cancel);
  }
  return guilty;
}

}  // namespace polygraphy
