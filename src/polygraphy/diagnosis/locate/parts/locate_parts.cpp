#include "polygraphy/diagnosis/locate/parts/locate_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <numeric>
#include <optional>
#include <utility>

#include "base/log_modules.h"
#include "base/progress.h"
#include "polygraphy/data/results/saved_inputs.h"
#include "polygraphy/diagnosis/locate/judged_outputs.h"
#include "polygraphy/diagnosis/locate/judging/judged_findings.h"
#include "polygraphy/diagnosis/locate/judging/node_verdict.h"
#include "polygraphy/diagnosis/locate/judging/tensor_origin.h"
#include "polygraphy/diagnosis/locate/mark_search.h"
#include "polygraphy/diagnosis/locate/measuring/measure_alone.h"
#include "polygraphy/diagnosis/locate/measuring/side_runs.h"
#include "polygraphy/diagnosis/locate/parts/side_values.h"
#include "polygraphy/diagnosis/locate/recorded_result.h"
#include "polygraphy/models/parts/node_groups.h"
#include "polygraphy/models/parts/part_model.h"

namespace polygraphy {
namespace {

std::string file_of(const std::string& folder, int64_t part) {
  return fmt::format("{}/part-{}.safetensors", folder, part);
}

// All nodes of the part, as positions in its model.
NodePart all_of(const NodePart& part) {
  NodePart positions(part.size());
  std::iota(positions.begin(), positions.end(), size_t{0});
  return positions;
}

// The chains that the part has as a whole, as positions in its model.
std::vector<NodePart> chains_of(const NodePart& part, const std::vector<NodePart>& chains) {
  std::vector<NodePart> inside = chains_in(part, chains);
  for (NodePart& chain : inside) {
    for (size_t& position : chain)
      position = static_cast<size_t>(std::ranges::lower_bound(part, position) - part.begin());
  }
  return inside;
}

// Runs the part on both sides as the whole model runs: only tensors of these names are outputs, so
// engines optimise and fuse all nodes between them.
Borders run_borders(const LocateRun& run, const WholeModel& part, const FusedFeeds& feeds,
                    const std::unordered_set<std::string>& names, Logger& log) {
  const ProgressPhase phase("without marked tensors");
  std::vector<std::string> outputs;
  std::ranges::copy_if(part.outputs(), std::back_inserter(outputs),
                       [&](const std::string& name) { return names.contains(name); });
  const auto values_of = [&](const LocateSide& side, const std::optional<RunnerMaker>& maker,
                             const std::vector<ValueMap>& inputs) {
    std::vector<ArrayMap> values(inputs.size());
    run_side(
        side, maker, part.with_outputs(outputs), outputs, inputs,
        [&](int64_t sample, ArrayMap tensors) {
          for (auto& [name, array] : tensors)
            values[static_cast<size_t>(sample)].set(name, std::move(array));
        },
        run.job.cancel, log);
    return values;
  };
  return {.names = names,
          .reference = values_of(run.job.reference, run.reference, feeds.reference),
          .target = values_of(run.job.target, run.target, feeds.target)};
}

// The first of the part's outputs that is off (noise_verdict.h); empty: none. `model`: the whole
// one.
std::string first_off(const WholeModel& model, const WholeModel& part, const ValuesInPlace& made,
                      double threshold) {
  for (const std::string& name : part.outputs()) {
    for (const MeasuredOutputs& measured : made.of_borders) {
      const auto border = measured.find(name);
      if (border != measured.end() && is_off(model, name, border->second, threshold)) return name;
    }
  }
  return {};
}

// Short lists of integers that the part reads are not inputs of its model.
void add_constants(const WholeModel& model, const NodePart& part,
                   const std::vector<ArrayMap>& known, std::vector<ArrayMap>& tensors) {
  for (const size_t position : part) {
    for (const std::string& name : model.nodes()[position].reads) {
      for (size_t sample = 0; sample < known.size(); ++sample) {
        const Array* array = known[sample].find(name);
        if (array && !tensors[sample].contains(name)) tensors[sample].set(name, *array);
      }
    }
  }
}

// Parts hide fusions across them: the reason of a pass says so, or a note.
void add_cut(int64_t parts, LocateResult& result) {
  const std::string ran =
      fmt::format("model ran in {} parts, so engines fused no nodes of two parts", parts);
  if (result.verdict.agreement == Agreement::kAgrees && result.verdict.reason.empty()) {
    result.verdict.reason = "the " + ran;
  } else {
    result.notes.push_back("The " + ran);
  }
}

// Whether this output is beyond the measure in a sample.
bool fails(const RunRecord& outputs, const std::string& name) {
  const auto in_sample = [&](const JudgedSample& sample) {
    return std::ranges::any_of(
        sample.units, [&](const JudgedUnit& unit) { return unit.name == name && unit.failed(); });
  };
  return std::ranges::any_of(outputs.pairs, [&](const PairRecord& pair) {
    return std::ranges::any_of(pair.samples, in_sample);
  });
}

// Adds the tensors of these names that a part has made.
void add_outputs(const std::vector<std::string>& names, const std::vector<ArrayMap>& made,
                 SideOutputs& side) {
  for (size_t sample = 0; sample < made.size(); ++sample) {
    for (const std::string& name : names) {
      if (const Array* array = made[sample].find(name)) side.samples[sample].set(name, *array);
    }
  }
}

void save(const std::vector<ArrayMap>& tensors, const std::string& path, Logger& log) {
  InputWriter writer(path, log);
  for (const ArrayMap& sample : tensors) writer.add(sample);
  writer.finish();
}

}  // namespace

// The first part that makes both sides differ where no tensor is marked.
struct LocateParts::FirstDifference {
  size_t part = 0;
  std::string tensor = {};            // the first border of the part beyond its noise
  std::vector<ArrayMap> values = {};  // the reference's that the part reads, by sample
  FusedFeeds feeds = {};
};

LocateParts::LocateParts(const LocatePartsJob& job, RunnerFactory& factory, Logger& log)
    : of_(job.job, factory, log), part_bytes_(job.part_bytes) {
  show_as_verbose(quiet_, log, log_modules::kLocate);
}

const std::vector<NodePart>& LocateParts::parts() {
  if (!parts_.empty()) return parts_;
  parts_ = node_groups(of_.model, of_.chains, of_.feeds().front(),
                       {.samples = std::ssize(of_.feeds()),
                        .bytes = static_cast<uint64_t>(part_bytes_),
                        .models = true});
  return parts_;
}

std::unique_ptr<WholeModel> LocateParts::model_of(const NodePart& part,
                                                  const std::vector<ArrayMap>& values) const {
  auto made = std::make_unique<WholeModel>(part_model(of_.model.model(), part, values),
                                           of_.run.job.scratch, of_.run.placement);
  if (made->nodes().size() != part.size()) {
    throw Error(fmt::format("A part of the model has {} nodes instead of {}", made->nodes().size(),
                            part.size()));
  }
  return made;
}

std::vector<NodePart> LocateParts::whole_chains() {
  std::vector<NodePart> whole;
  for (const NodePart& part : parts()) {
    for (NodePart& chain : chains_in(part, of_.chains)) whole.push_back(std::move(chain));
  }
  return whole;
}

LocateRecord LocateParts::in_place(const std::string& folder) {
  LocateRecord record = of_.begin();
  record.parts = std::ssize(parts());
  record.part_bytes = part_bytes_;
  LocateRun& run = of_.run;
  const LocateJob& job = run.job;
  of_.log.start(log_modules::kLocate,
                fmt::format("Comparing {} nodes with {} sample(s), in {} part(s) | {} against {}",
                            of_.model.nodes().size(), record.samples, record.parts,
                            name_of(job.target), name_of(job.reference)));
  std::filesystem::create_directories(folder);
  ProgressPhase phase("comparing parts in place", record.parts);
  SideValues values(run, of_.model, parts(), of_.feeds());
  const std::vector<std::string>& outputs = of_.model.outputs();
  run.differing = {outputs.begin(), outputs.end()};
  SideOutputs reference{name_of(job.reference), std::vector<ArrayMap>(of_.feeds().size())};
  SideOutputs target{name_of(job.target), reference.samples};
  std::optional<FirstDifference> first;
  for (size_t i = 0; i < parts().size(); ++i) {
    const auto model = model_of(parts()[i], values.reference());
    FusedFeeds fused = values.fused_feeds(model->inputs());
    Borders borders = run_borders(run, *model, fused, values.borders(i), of_.log);
    ValuesInPlace made =
        measure_in_place(run, *model, values.feeds(model->inputs()), all_of(parts()[i]), borders,
                         record.measurements, of_.log);
    add_constants(of_.model, parts()[i], values.reference(), made.reference);
    save(made.reference, file_of(folder, static_cast<int64_t>(i)), quiet_);
    add_outputs(outputs, borders.reference, reference);
    add_outputs(outputs, borders.target, target);
    const std::string off =
        first ? std::string() : first_off(of_.model, *model, made, job.threshold);
    if (!off.empty()) first = FirstDifference{i, off, values.reference(), std::move(fused)};
    // The search for a fusion judges groups of elements, but not behind steps of earlier parts.
    for (const std::string& name : model->outputs()) {
      if (off.empty() || is_behind_steps(of_.model, name))
        forget_elements(record.measurements[name].accumulated_noise);
    }
    values.add(i, std::move(made), std::move(borders));
    phase.step();
  }
  const RunRecord by_noise = outputs_by_noise(run, of_.model, of_.feeds(), reference, target,
                                              record.measurements, false, of_.log);
  record.outputs = job.check ? outputs_by_check(run, of_.feeds(), reference, target) : by_noise;
  if (!first || by_noise.verdict().agreement != Agreement::kDiffers) return record;
  if (!is_explained(judged_findings(run, of_.model, whole_chains(), record.measurements),
                    outputs_off(job, of_.model, record.measurements)))
    record.fusion = fusion_behind(*first, record.measurements);
  return record;
}

// The fusion in this part that makes its outputs differ, if they agree with all tensors marked: its
// nodes, or a note that names the part.
LocateFusion LocateParts::fusion_behind(const FirstDifference& difference,
                                        const Measurements& measurements) {
  const NodePart& part = parts()[difference.part];
  const auto search = [&]() -> LocateFusion {
    if (!of_.run.target) return {.note = "its results are saved, and it cannot run again"};
    const auto model = model_of(part, difference.values);
    return find_fusion(of_.run, *model, difference.feeds.reference, difference.feeds.target,
                       measurements, "the difference vanishes when they run again");
  };
  LocateFusion fusion = search();
  if (fusion.found()) return fusion;
  const auto name = [&](size_t position) { return of_.model.nodes()[position].name; };
  fusion.note = fmt::format("without that, '{}' differs first, in the nodes '{}' to '{}': {}",
                            difference.tensor, name(part.front()), name(part.back()), fusion.note);
  return fusion;
}

LocateRecord LocateParts::alone(const LocateRecord& in_place, const std::string& folder,
                                int64_t first, int64_t count) {
  of_.run.job.format = in_place.format;
  of_.run.target_format = in_place.target_format;
  LocateRecord record{.format = in_place.format,
                      .target_format = in_place.target_format,
                      .samples = std::ssize(of_.feeds()),
                      .parts = std::ssize(parts()),
                      .part_bytes = part_bytes_};
  const bool same = record.parts == in_place.parts && record.samples == in_place.samples;
  if (!same || first < 0 || count < 0 || first + count > record.parts) {
    throw Error(
        kOtherParts,
        fmt::format("Parts {} to {} of {} samples are not among the {} parts of the model "
                    "for {} samples",
                    first, first + count - 1, in_place.samples, record.parts, record.samples));
  }
  ProgressPhase phase("comparing nodes alone", count);
  Measurements measurements = in_place.measurements;
  for (int64_t i = first; i < first + count; ++i) {
    const NodePart& part = parts()[static_cast<size_t>(i)];
    const std::vector<ArrayMap> values = load_feeds(file_of(folder, i), quiet_);
    if (std::ssize(values) != record.samples) {
      throw Error(kOtherParts, fmt::format("{} has {} samples instead of {}", file_of(folder, i),
                                           values.size(), record.samples));
    }
    const auto model = model_of(part, values);
    measure_alone(of_.run, *model, values, all_of(part), chains_of(part, of_.chains), measurements,
                  of_.log);
    for (const std::string& name : of_.model.made_by(part)) {
      const auto measured = measurements.find(name);
      if (measured != measurements.end()) take_alone(record.measurements[name], measured->second);
    }
    phase.step();
  }
  return record;
}

LocateResult LocateParts::result(const LocateRecord& record) {
  of_.run.job.format = record.format;
  LocateResult result = recorded_result(of_, whole_chains(), record);
  if (record.parts > 1) add_cut(record.parts, result);
  for (const std::string& name : result.outputs) {
    const bool off = std::ranges::find(result.off, name) != result.off.end();
    if ((!off && !fails(record.outputs, name)) || !is_behind_steps(of_.model, name)) continue;
    result.notes.push_back("'" + name +
                           "' depends on ties, which correct engines may decide otherwise: a "
                           "run of the whole model may explain its error");
  }
  result.nodes = result.in_order;
  rank(result.nodes);
  return result;
}

}  // namespace polygraphy
