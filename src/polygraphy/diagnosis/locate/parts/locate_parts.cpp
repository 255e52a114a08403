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
#include "polygraphy/diagnosis/locate/judging/checked_outputs.h"
#include "polygraphy/diagnosis/locate/judging/node_verdict.h"
#include "polygraphy/diagnosis/locate/judging/tensor_origin.h"
#include "polygraphy/diagnosis/locate/judging/too_coarse.h"
#include "polygraphy/diagnosis/locate/measuring/measure_alone.h"
#include "polygraphy/diagnosis/locate/parts/cut_model.h"
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

// The model's outputs, judged by the noise in place.
RunRecord judged_outputs(const LocateJob& job, const WholeModel& model,
                         const Measurements& measurements) {
  JudgedSample judged;
  for (const std::string& name : model.outputs()) {
    const auto found = measurements.find(name);
    if (found == measurements.end() || !found->second.accumulated) {
      judged.left.push_back(name);
      continue;
    }
    const TensorMeasurement& measured = found->second;
    const JudgedError& error = *measured.accumulated;
    JudgedUnit unit{.name = name,
                    .passed = error.ratio <= job.threshold,
                    .excess = error.ratio / job.threshold,
                    .empty = error.error.elements == 0 && error.error.incomparable.empty()};
    if (unit.passed && measured.format)
      unit.coarse = too_coarse(model, name, error, *measured.format, job.threshold);
    if (!unit.coarse.empty()) {
      unit.passed = false;
      unit.excess.reset();
    }
    judged.units.push_back(std::move(unit));
  }
  return {.measure = fmt::format("{:g} times the noise of {}", job.threshold, name_of(job.format)),
          .pairs = {{name_of(job.reference), name_of(job.target), {judged}}}};
}

// The model's outputs on both sides, by sample.
class OutputsOfModel {
 public:
  explicit OutputsOfModel(size_t samples) : reference_(samples), target_(samples) {}

  // Those that a part has made.
  void add(const std::vector<std::string>& names, const ValuesInPlace& made) {
    const auto copy = [&](const ArrayMap& from, ArrayMap& to) {
      for (const std::string& name : names) {
        if (const Array* array = from.find(name)) to.set(name, *array);
      }
    };
    for (size_t sample = 0; sample < reference_.size(); ++sample) {
      copy(made.reference[sample], reference_[sample]);
      copy(made.target[sample], target_[sample]);
    }
  }

  // Judged by the job's check.
  RunRecord judged(const LocateJob& job, const std::vector<ValueMap>& feeds) const {
    return checked_outputs(job, feeds, reference_, target_);
  }

 private:
  std::vector<ArrayMap> reference_, target_;
};

// Short lists of integers that the part reads are no inputs of its model.
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
  OutputsOfModel outputs(state.feeds().size());
  for (size_t i = 0; i < parts.size(); ++i) {
    const auto model = state.model_of(parts[i], values.reference());
    ValuesInPlace made =
        measure_in_place(state.run, *model, values.feeds(model->inputs()), all_of(parts[i]),
                         values.kept(i), record.measurements, state.log);
    add_constants(state.model, parts[i], values.reference(), made.reference);
    save(made.reference, file_of(folder, static_cast<int64_t>(i)), state.quiet);
    if (job.check) outputs.add(state.model.outputs(), made);
    values.add(i, std::move(made));
    phase.step();
  }
  record.outputs = job.check ? outputs.judged(job, state.feeds())
                             : judged_outputs(job, state.model, record.measurements);
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
  result.verdict = record.outputs.verdict();
  result.verdict.samples = record.samples;
  if (result.verdict.agreement == Agreement::kAgrees && result.verdict.reason.empty())
    result.verdict.reason = "every tensor was an output, so engines fused nothing";
  result.notes = record.notes;
  std::vector<NodePart> chains;
  for (const NodePart& part : state.parts()) {
    for (NodePart& chain : chains_in(part, state.chains)) chains.push_back(std::move(chain));
  }
  result.in_order = judged_findings(job, state.model, chains, record.measurements);
  require_anything(result.in_order);
  result.off = outputs_off(job, state.model, record.measurements);
  add_reference_note(job, state.model, record.measurements, result);
  if (record.parts > 1) {
    result.notes.push_back(fmt::format(
        "The model ran in {} parts, so engines fused no nodes of two parts", record.parts));
  }
  for (const std::string& name : result.off) {
    if (!is_behind_steps(state.model, name)) continue;
    result.notes.push_back("'" + name +
                           "' depends on ties, which correct engines may decide otherwise: a "
                           "run of the whole model may explain its error");
  }
  result.nodes = result.in_order;
  rank(result.nodes);
  return result;
}

}  // namespace polygraphy
