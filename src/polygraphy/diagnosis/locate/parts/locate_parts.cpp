#include "polygraphy/diagnosis/locate/parts/locate_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/log_modules.h"
#include "base/progress.h"
#include "polygraphy/comparison/compare/left_iterations.h"
#include "polygraphy/data/results/saved_inputs.h"
#include "polygraphy/diagnosis/locate/computed_format.h"
#include "polygraphy/diagnosis/locate/examined_nodes.h"
#include "polygraphy/diagnosis/locate/judged_outputs.h"
#include "polygraphy/diagnosis/locate/judging/node_verdict.h"
#include "polygraphy/diagnosis/locate/judging/tensor_origin.h"
#include "polygraphy/diagnosis/locate/measuring/measure_alone.h"
#include "polygraphy/diagnosis/locate/parts/cut_model.h"
#include "polygraphy/diagnosis/locate/parts/first_difference.h"
#include "polygraphy/diagnosis/locate/parts/run_borders.h"
#include "polygraphy/diagnosis/locate/parts/side_values.h"
#include "polygraphy/diagnosis/locate/reported_nodes.h"
#include "polygraphy/models/parts/node_groups.h"

namespace polygraphy {
namespace {

std::string file_of(const std::string& folder, int64_t part) {
  return fmt::format("{}/part-{}.safetensors", folder, part);
}

}  // namespace

struct LocateParts::State : CutModel {
  using CutModel::CutModel;
};

namespace {

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

LocateParts::LocateParts(const LocatePartsJob& job, RunnerFactory& factory, Logger& log)
    : state_(std::make_unique<State>(job, factory, log)) {}
LocateParts::~LocateParts() = default;

LocateRecord LocateParts::in_place(const std::string& folder) {
  State& state = *state_;
  std::vector<std::string> notes;
  ask_formats(state.run, state.model, notes);
  const LocateJob& job = state.job();
  const std::vector<NodePart>& parts = state.parts();
  LocateRecord record = state.empty_record();
  record.notes = std::move(notes);
  if (state.leaves_samples()) {
    record.notes.push_back("The sides have different numbers of iterations: " +
                           left_iterations(record.samples));
  }
  state.log.start(log_modules::kLocate,
                  fmt::format("Comparing {} nodes with {} sample(s), in {} part(s) | {} against {}",
                              state.model.nodes().size(), record.samples, parts.size(),
                              name_of(job.target), name_of(job.reference)));
  std::filesystem::create_directories(folder);
  ProgressPhase phase("comparing parts in place", std::ssize(parts));
  SideValues values(state.run, state.model, parts, state.feeds());
  const std::vector<std::string>& outputs = state.model.outputs();
  state.run.differing = {outputs.begin(), outputs.end()};
  SideOutputs reference{name_of(job.reference), std::vector<ArrayMap>(state.feeds().size())};
  SideOutputs target{name_of(job.target), reference.samples};
  std::optional<FirstDifference> first;
  for (size_t i = 0; i < parts.size(); ++i) {
    const auto model = state.model_of(parts[i], values.reference());
    FusedFeeds fused = values.fused_feeds(model->inputs());
    Borders borders = run_borders(state.run, *model, fused, values.borders(i), state.log);
    ValuesInPlace made =
        measure_in_place(state.run, *model, values.feeds(model->inputs()), all_of(parts[i]),
                         borders, record.measurements, state.log);
    add_constants(state.model, parts[i], values.reference(), made.reference);
    save(made.reference, file_of(folder, static_cast<int64_t>(i)), state.quiet);
    add_outputs(outputs, borders.reference, reference);
    add_outputs(outputs, borders.target, target);
    const std::string off =
        first ? std::string() : first_off(state.model, *model, made, job.threshold);
    if (!off.empty()) first = FirstDifference{i, off, values.reference(), std::move(fused)};
    // The search for a fusion judges groups of elements, but not behind steps of earlier parts.
    for (const std::string& name : model->outputs()) {
      if (off.empty() || is_behind_steps(state.model, name))
        forget_elements(record.measurements[name].accumulated_noise);
    }
    values.add(i, std::move(made), std::move(borders));
    phase.step();
  }
  const RunRecord by_noise = outputs_by_noise(state.run, state.model, state.feeds(), reference,
                                              target, record.measurements, false, state.log);
  record.outputs =
      job.check ? outputs_by_check(state.run, state.feeds(), reference, target) : by_noise;
  const auto explained = [&] {
    return is_explained(
        judged_findings(state.run, state.model, state.whole_chains(), record.measurements),
        outputs_off(job, state.model, record.measurements));
  };
  if (first && by_noise.verdict().agreement == Agreement::kDiffers && !explained())
    record.fusion = fusion_behind(*first, state, record.measurements);
  return record;
}

LocateRecord LocateParts::alone(const LocateRecord& in_place, const std::string& folder,
                                int64_t first, int64_t count) {
  State& state = *state_;
  state.run.job.format = in_place.format;
  state.run.target_format = in_place.target_format;
  LocateRecord record = state.empty_record();
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
    const NodePart& part = state.parts()[static_cast<size_t>(i)];
    const std::vector<ArrayMap> values = load_feeds(file_of(folder, i), state.quiet);
    if (std::ssize(values) != record.samples) {
      throw Error(kOtherParts, fmt::format("{} has {} samples instead of {}", file_of(folder, i),
                                           values.size(), record.samples));
    }
    const auto model = state.model_of(part, values);
    measure_alone(state.run, *model, values, all_of(part), state.chains_of(part), measurements,
                  state.log);
    for (const size_t position : part) {
      for (const std::string& name : state.model.nodes()[position].makes) {
        const auto measured = measurements.find(name);
        if (measured == measurements.end()) continue;
        TensorMeasurement& own = record.measurements[name];
        own.isolated = measured->second.isolated;
        own.isolated_sample = measured->second.isolated_sample;
        own.neighbours = measured->second.neighbours;
        own.neighbours_sample = measured->second.neighbours_sample;
        own.note = measured->second.note;
      }
    }
    phase.step();
  }
  return record;
}

LocateResult LocateParts::result(const LocateRecord& record) {
  State& state = *state_;
  LocateJob& job = state.run.job;
  job.format = record.format;
  LocateResult result;
  result.reference = name_of(job.reference);
  result.target = name_of(job.target);
  result.saved_reference = std::holds_alternative<SavedSide>(job.reference);
  result.format = record.format;
  result.samples = record.samples;
  result.outputs = state.model.outputs();
  result.inlined = state.model.inlined();
  result.verdict = verdict_on(state.model, record.outputs);
  result.notes = record.notes;
  result.in_order =
      judged_findings(state.run, state.model, state.whole_chains(), record.measurements);
  require_anything(result.in_order);
  result.off = outputs_off(job, state.model, record.measurements);
  if (record.fusion && !is_explained(result.in_order, result.off)) {
    result.fusion = record.fusion;
    blame_fused(*result.fusion, result.in_order);
  }
  add_reference_note(job, state.model, record.measurements, result);
  if (record.parts > 1) add_cut(record.parts, result);
  for (const std::string& name : result.outputs) {
    const bool off = std::ranges::find(result.off, name) != result.off.end();
    if ((!off && !fails(record.outputs, name)) || !is_behind_steps(state.model, name)) continue;
    result.notes.push_back("'" + name +
                           "' depends on ties, which correct engines may decide otherwise: a "
                           "run of the whole model may explain its error");
  }
  result.nodes = result.in_order;
  rank(result.nodes);
  return result;
}

}  // namespace polygraphy
