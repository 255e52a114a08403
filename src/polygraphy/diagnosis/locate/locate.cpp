#include "polygraphy/diagnosis/locate/locate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/log_modules.h"
#include "graphsurgeon/ir/copy.h"
#include "polygraphy/data/tensors/graph_metadata.h"
#include "polygraphy/diagnosis/locate/computed_format.h"
#include "polygraphy/diagnosis/locate/measure_group.h"
#include "polygraphy/diagnosis/locate/measurements.h"
#include "polygraphy/diagnosis/locate/model_runs.h"
#include "polygraphy/diagnosis/locate/models/body_model.h"
#include "polygraphy/diagnosis/locate/models/node_chains.h"
#include "polygraphy/diagnosis/locate/models/node_groups.h"
#include "polygraphy/diagnosis/locate/models/whole_model.h"
#include "polygraphy/diagnosis/locate/node_findings.h"
#include "polygraphy/diagnosis/locate/node_verdict.h"
#include "polygraphy/diagnosis/locate/proof.h"
#include "polygraphy/diagnosis/locate/remedy.h"
#include "polygraphy/models/loaders/load_onnx.h"

namespace polygraphy {
namespace {

// Nodes whose bodies are looked into, and iterations of a loop.
constexpr size_t kOpened = 3;
constexpr int64_t kIterations = 4;

DataPlacement placement(const LocateJob& job) {
  return job.copy_weights ? DataPlacement::kCopies : DataPlacement::kLinks;
}

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
    throw Error(kNothingToLocate,
                "No results of " + side->name + ", and no runner to compute them");
  }
}

// Findings on all nodes, judged.
std::vector<NodeFinding> look_at(const LocateJob& job, const WholeModel& model,
                                 const std::vector<ValueMap>& feeds, Measurements& measurements,
                                 Logger& log) {
  const std::vector<NodePart> chains = node_chains(*model.model().graph);
  const uint64_t budget = job.tensor_bytes > 0 ? job.tensor_bytes : kUsualTensorBytes;
  const std::vector<NodePart> groups =
      node_groups(model, chains, feeds.front(), static_cast<int64_t>(feeds.size()), budget);
  log.start(log_modules::kLocate,
            fmt::format("Comparing {} nodes with {} sample(s){} | {} against {}",
                        model.nodes().size(), feeds.size(),
                        groups.size() > 1 ? fmt::format(", in {} groups", groups.size()) : "",
                        job.target.name, job.reference.name));
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
  std::vector<NodeFinding> findings = make_findings(model, measurements, chains, job.format);
  std::vector<std::vector<size_t>> producers;
  for (const NodeFacts& node : model.nodes()) producers.push_back(node.producers);
  judge(findings, producers, {.format = job.format, .threshold = job.threshold});
  return findings;
}

// The reference's values of what a node reads, on a sample.
ArrayMap read_by(const LocateJob& job, const WholeModel& model, const ValueMap& feed,
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
      job.reference.make_runner, model.with_outputs(computed), 1, 1,
      [&](int64_t, int64_t) { return feed; },
      [&](int64_t, int64_t, ArrayMap outputs) {
        for (auto& [name, array] : outputs) values.set(name, std::move(array));
      },
      job.cancel);
  return values;
}

// The guilty nodes in the bodies of a node, ranked; of a loop those of the first iteration that has
// any. Empty: it has no bodies, or nothing in them is.
std::vector<NodeFinding> look_inside(const LocateJob& job, const WholeModel& model,
                                     const std::vector<ValueMap>& feeds, const NodeFinding& finding,
                                     Logger& log) {
  const NodeFacts& node = model.nodes()[finding.position];
  if (!node.has_bodies || !job.reference.make_runner || !job.target.make_runner) return {};
  ArrayMap values = read_by(job, model, feeds[static_cast<size_t>(finding.sample)], node);
  std::vector<NodeFinding> guilty;
  for (int64_t iteration = 0; iteration < kIterations; ++iteration) {
    const auto body = body_model(
        model.model(), finding.position, [&](const std::string& name) { return values.find(name); },
        iteration);
    if (!body) return guilty;
    const WholeModel inner(graphsurgeon::copy(body->model), job.scratch, placement(job));
    const std::vector<ValueMap> feed = {body->feed};
    Measurements measurements;
    std::vector<NodeFinding> ranked = look_at(job, inner, feed, measurements, log);
    rank(ranked);
    for (NodeFinding& one : ranked) {
      if (!is_guilty(one.verdict)) break;
      for (NodeFinding& deeper : look_inside(job, inner, feed, one, log)) {
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
        job.reference.make_runner, inner.with_outputs(outputs), 1, 1,
        [&](int64_t, int64_t) { return body->feed; },
        [&](int64_t, int64_t, ArrayMap results) {
          for (const auto& [output, input] : body->carried) {
            if (Array* result = results.find(output)) values.set(input, std::move(*result));
          }
        },
        job.cancel);
  }
  return guilty;
}

void require_anything(const std::vector<NodeFinding>& findings) {
  const bool any = findings.empty() ||
                   std::any_of(findings.begin(), findings.end(), [](const NodeFinding& finding) {
                     return finding.isolated || finding.accumulated;
                   });
  if (any) return;
  throw Error(kNothingToLocate,
              "No tensor of the model can be compared; '" + findings.front().tensor +
                  "': " + findings.front().note,
              "Saved results must have the names of the model's tensors.");
}

// Where the embedded runtime disagrees with the reference, that may be what is wrong.
void add_reference_note(const LocateJob& job, const WholeModel& model,
                        const Measurements& measurements, LocateResult& result) {
  const auto is_off = [&](size_t position) {
    const auto& makes = model.nodes()[position].makes;
    return std::any_of(makes.begin(), makes.end(), [&](const std::string& name) {
      const auto found = measurements.find(name);
      return found != measurements.end() && found->second.reference_ratio > job.threshold;
    });
  };
  for (size_t i = 0; i < model.nodes().size(); ++i) {
    const NodeFacts& node = model.nodes()[i];
    if (!is_off(i) || std::any_of(node.producers.begin(), node.producers.end(), is_off)) continue;
    result.notes.push_back(
        fmt::format("{} computes '{}' ({}) differently from the runtime that computes the noise: "
                    "check which one is correct",
                    job.reference.name, node.name, node.op));
    return;
  }
}

}  // namespace

bool LocateResult::clean() const {
  return off.empty() && std::none_of(nodes.begin(), nodes.end(), [](const NodeFinding& finding) {
           return is_guilty(finding.verdict) || finding.verdict == NodeVerdict::kOverflows;
         });
}

const NodeFinding* LocateResult::guilty() const {
  return !nodes.empty() && is_guilty(nodes.front().verdict) ? &nodes.front() : nullptr;
}

LocateResult locate(const LocateJob& asked, Logger& log) {
  check(asked);
  LocateJob job = asked;
  const WholeModel model(std::move(*load_onnx(job.model, log)), job.scratch, placement(job));
  if (job.ask_format) job.format = computed_format(job, model).value_or(job.format);
  const std::vector<ValueMap> feeds = read_feeds(job, model, log);
  if (feeds.empty()) throw Error(kNothingToLocate, "No sample to run the model on");
  LocateResult result{.reference = job.reference.name,
                      .target = job.target.name,
                      .format = job.format,
                      .samples = static_cast<int64_t>(feeds.size()),
                      .outputs = model.outputs(),
                      .inlined = model.inlined()};
  if (job.format != asked.format) {
    result.notes.push_back(fmt::format(
        "{} runs in {} although {} was requested; {} noise is used as the limit", job.target.name,
        name_of(job.format), name_of(asked.format), name_of(job.format)));
  }
  Measurements measurements;
  result.in_order = look_at(job, model, feeds, measurements, log);
  require_anything(result.in_order);
  for (const std::string& name : model.outputs()) {
    const auto found = measurements.find(name);
    if (found == measurements.end() || !found->second.accumulated) continue;
    if (found->second.accumulated->ratio > job.threshold) result.off.push_back(name);
  }
  add_reference_note(job, model, measurements, result);
  std::vector<NodeFinding> ranked = result.in_order;
  rank(ranked);
  // A node whose body has the guilty ones comes behind all that are guilty themselves.
  std::vector<NodeFinding> enclosing, others;
  size_t opened = 0;
  for (NodeFinding& finding : ranked) {
    if (!is_guilty(finding.verdict)) {
      others.push_back(std::move(finding));
      continue;
    }
    std::vector<NodeFinding> inside;
    if (model.nodes()[finding.position].has_bodies && opened++ < kOpened) {
      try {
        inside = look_inside(job, model, feeds, finding, log);
      } catch (const RunnerFailure& failure) {
        result.notes.push_back("The bodies of '" + finding.node +
                               "' were not compared: " + failure.what());
      }
    }
    (inside.empty() ? result.nodes : enclosing).push_back(std::move(finding));
    std::move(inside.begin(), inside.end(), std::back_inserter(result.nodes));
  }
  for (std::vector<NodeFinding>* more : {&enclosing, &others})
    std::move(more->begin(), more->end(), std::back_inserter(result.nodes));
  NodePart guilty;
  for (const NodeFinding& finding : result.in_order) {
    if (is_guilty(finding.verdict) || finding.verdict == NodeVerdict::kOverflows)
      guilty.push_back(finding.position);
  }
  if (job.prove && !guilty.empty()) {
    try {
      result.proof = prove(job, model, feeds, guilty, measurements);
    } catch (const Interrupted&) {
      throw;
    } catch (const Error& failure) {
      result.proof = LocateProof{.note = failure.what()};
    }
  }
  if (job.remedy) {
    std::vector<size_t> order;
    for (const NodeFinding& finding : result.nodes) {
      if (finding.graph.empty()) order.push_back(finding.position);
    }
    result.remedy = find_remedy(job, model, feeds, order, guilty, log);
  }
  return result;
}

}  // namespace polygraphy
