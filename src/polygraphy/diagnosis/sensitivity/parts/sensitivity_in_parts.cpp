#include "polygraphy/diagnosis/sensitivity/parts/sensitivity_in_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/os/memory/pages.h"
#include "base/os/scratch_folder.h"
#include "base/progress.h"
#include "base/size_text.h"
#include "graphsurgeon/onnx/version_converter.h"
#include "polygraphy/data/tensors/graph_metadata.h"
#include "polygraphy/diagnosis/sensitivity/examined_sites.h"
#include "polygraphy/diagnosis/sensitivity/parts/part_layers.h"
#include "polygraphy/diagnosis/sensitivity/set_judgement.h"
#include "polygraphy/diagnosis/sensitivity/set_runs.h"
#include "polygraphy/diagnosis/sensitivity/set_search.h"
#include "polygraphy/models/loaders/load_onnx.h"
#include "polygraphy/models/parts/exploded_model.h"
#include "polygraphy/models/parts/memory_shares.h"
#include "polygraphy/models/parts/node_groups.h"
#include "polygraphy/models/parts/part_model.h"
#include "polygraphy/models/parts/whole_model.h"

namespace polygraphy {
namespace {

// Runs of a model with sets of its layers quantised, part by part: a pass through the parts runs
// many sets, and each part is in memory once in a pass.
class PartSets : public SetRuns {
 public:
  // Runs all parts in floating point. All arguments outlive it. Throws Error (kNothingToQuantize,
  // kNotCut), RunnerFailure, Interrupted.
  PartSets(const SensitivityJob& job, const PartShares& shares, RunnerFactory& factory,
           Logger& log);

  const std::vector<ValueMap>& feeds() const { return feeds_; }
  const std::vector<ArrayMap>& reference() const { return reference_outputs_; }
  // Of each layer, without effects, in the order of nodes.
  const std::vector<LayerSensitivity>& layers() const { return layers_; }
  const std::vector<std::string>& notes() const { return notes_; }
  size_t parts() const { return parts_.size(); }
  int64_t sessions() const { return sessions_; }
  int64_t runs() const { return runs_; }  // of sets, through all parts that they change

  size_t samples() const override { return feeds_.size(); }
  // A pass runs as many sets as fit.
  void expect(std::vector<std::vector<bool>> sets) override { expected_ = std::move(sets); }
  ArrayMap run(const std::vector<bool>& quantized, size_t sample) override;

 private:
  // A set on its way through the parts.
  struct Course {
    std::vector<bool> quantized;    // by layer
    std::vector<ArrayMap> values;   // that differ from the reference's, by sample
    std::vector<ArrayMap> outputs;  // of the model
    bool differs = false;
  };

  void cut();
  void run_reference();
  // In layers_, of a layer or a site; their number: it is not there.
  template <typename Layer>
  size_t position_of(const Layer& layer) const;
  std::unique_ptr<PartLayers> load(size_t part);
  // The values of a part's inputs.
  ValueMap feed(size_t part, size_t sample, const ArrayMap* own) const;
  // Adds values that later parts read, and outputs of the model.
  void keep(size_t part, const ArrayMap& made, ArrayMap& values, ArrayMap& outputs) const;
  void pass(std::vector<Course>& courses);
  size_t fitting() const;

  const SensitivityJob& job_;
  const PartShares shares_;
  RunnerFactory& factory_;
  Logger& log_;
  const WholeModel model_;
  std::vector<ValueMap> feeds_;
  std::vector<NodePart> parts_;
  std::vector<std::vector<std::string>> inputs_;         // of each part
  std::unordered_map<std::string, size_t> last_reader_;  // part
  bool rounds_ = false;
  std::vector<std::vector<ArrayMap>> reference_;  // that a part and later ones read, by sample
  std::vector<ArrayMap> reference_outputs_;
  std::vector<std::map<std::string, ActivationRange>> ranges_;  // of each part
  std::vector<std::vector<size_t>> layers_of_;                  // of each part
  std::vector<LayerSensitivity> layers_;
  std::vector<std::string> notes_;
  std::vector<std::vector<bool>> expected_;
  std::vector<Course> done_;  // of the last pass
  int64_t sessions_ = 0, runs_ = 0;
};

// Rounded activations need operators of a certain opset.
graphsurgeon::Model loaded(const SensitivityJob& job, Logger& log) {
  graphsurgeon::Model model = std::move(*load_onnx(job.model, log));
  if (!job.format.activations || model.opset().value_or(1) >= kQuantizing) return model;
  return graphsurgeon::convert_version(model, kQuantizing);
}

uint64_t bytes_of(const std::vector<ArrayMap>& samples) {
  uint64_t bytes = 0;
  for (const ArrayMap& sample : samples) {
    for (const auto& [name, array] : sample) bytes += static_cast<uint64_t>(array.nbytes());
  }
  return bytes;
}

PartSets::PartSets(const SensitivityJob& job, const PartShares& shares, RunnerFactory& factory,
                   Logger& log)
    : job_(job),
      shares_(shares),
      factory_(factory),
      log_(log),
      model_(loaded(job, log), temporary_folder(),
             factory.reads_links(job.engine) ? DataPlacement::kLinks : DataPlacement::kCopies) {
  require_sense(job.check, *model_.model().graph);
  const std::vector<Site> sites = examined_sites(model_.model(), job.embeddings, notes_);
  rounds_ = job.format.activations && rounds_inputs(sites, notes_);
  if (rounds_ && any_experts(sites)) notes_.emplace_back(kExpertInputsStay);
  feeds_ = samples_of(job, metadata_of_variables(model_.model().graph->inputs()), log);
  cut();
  run_reference();
}

void PartSets::cut() {
  std::vector<NodePart> nodes;
  for (size_t i = 0; i < model_.nodes().size(); ++i) nodes.push_back({i});
  parts_ = node_groups(model_, nodes, feeds_.front(),
                       {.samples = std::ssize(feeds_),
                        .bytes = static_cast<uint64_t>(shares_.part_bytes),
                        .models = true});
  for (size_t part = 0; part < parts_.size(); ++part) {
    std::unordered_set<std::string> made, seen;
    std::vector<std::string>& inputs = inputs_.emplace_back();
    for (const size_t position : parts_[part]) {
      const NodeFacts& node = model_.nodes()[position];
      for (const std::string& name : node.reads) {
        last_reader_[name] = part;
        if (!made.contains(name) && seen.insert(name).second) inputs.push_back(name);
      }
      made.insert(node.makes.begin(), node.makes.end());
    }
  }
}

std::unique_ptr<PartLayers> PartSets::load(size_t part) {
  ++sessions_;
  const ModelSource file = model_.write(part_model(model_.model(), parts_[part], reference_[part]));
  return std::make_unique<PartLayers>(std::move(*load_onnx(file, log_)), job_, factory_, log_);
}

ValueMap PartSets::feed(size_t part, size_t sample, const ArrayMap* own) const {
  ValueMap values;
  const ArrayMap& reference = reference_[part][sample];
  for (const std::string& name : inputs_[part]) {
    const Array* array = own ? own->find(name) : nullptr;
    if (!array) array = reference.find(name);
    if (array) values.set(name, Value(*array));
  }
  return values;
}

void PartSets::keep(size_t part, const ArrayMap& made, ArrayMap& values, ArrayMap& outputs) const {
  ArrayMap left;
  for (const ArrayMap* from : {static_cast<const ArrayMap*>(&values), &made}) {
    for (const auto& [name, array] : *from) {
      const auto reader = last_reader_.find(name);
      if (reader != last_reader_.end() && reader->second > part) left.set(name, array);
    }
  }
  values = std::move(left);
  for (const std::string& name : model_.outputs()) {
    if (const Array* array = made.find(name)) outputs.set(name, *array);
  }
}

// A weight may be a layer of several parts.
template <typename Layer>
size_t PartSets::position_of(const Layer& layer) const {
  const auto same = [&](const LayerSensitivity& one) {
    return one.weight == layer.weight && one.op == layer.op && one.shape == layer.shape;
  };
  return static_cast<size_t>(std::ranges::find_if(layers_, same) - layers_.begin());
}

void PartSets::run_reference() {
  ProgressPhase progress("Running parts in floating point", std::ssize(parts_));
  std::vector<ErrorSums> errors;
  std::string failure;
  std::vector<ArrayMap> values;
  for (const ValueMap& feed : feeds_) values.push_back(tensors_of(feed));
  reference_outputs_.resize(feeds_.size());
  for (size_t part = 0; part < parts_.size(); ++part) {
    reference_.push_back(values);
    const auto layers = load(part);
    std::vector<ValueMap> samples;
    for (size_t i = 0; i < feeds_.size(); ++i) {
      ValueMap& sample = samples.emplace_back();
      for (const auto& [name, array] : values[i]) {
        if (std::ranges::find(inputs_[part], name) != inputs_[part].end())
          sample.set(name, Value(array));
      }
    }
    PartFigures figures = layers->measure(samples, rounds_);
    sessions_ += figures.layers.empty() ? 0 : 2;
    if (!figures.failure.empty()) failure = figures.failure;
    figures.errors.resize(figures.layers.size());
    std::vector<size_t>& positions = layers_of_.emplace_back();
    for (size_t i = 0; i < figures.layers.size(); ++i) {
      LayerSensitivity& layer = figures.layers[i];
      const size_t position = positions.emplace_back(position_of(layer));
      if (position == layers_.size()) {
        layers_.push_back(std::move(layer));
        errors.push_back(figures.errors[i]);
        continue;
      }
      std::vector<std::string>& nodes = layers_[position].nodes;
      nodes.insert(nodes.end(), layer.nodes.begin(), layer.nodes.end());
      errors[position].signal += figures.errors[i].signal;
      errors[position].noise += figures.errors[i].noise;
    }
    ranges_.push_back(std::move(figures.ranges));
    layers->start(ranges_.back(), rounds_);
    const std::vector<bool> none(layers->sites().size(), false);
    for (size_t i = 0; i < feeds_.size(); ++i)
      keep(part, layers->run(none, samples[i]), values[i], reference_outputs_[i]);
    progress.step();
  }
  for (const Site& site : find_sites(model_.model(), job_.embeddings)) {
    const size_t position = position_of(site);
    if (position < layers_.size()) layers_[position].shared |= site.shared;
  }
  for (size_t i = 0; i < layers_.size(); ++i) {
    layers_[i].sqnr =
        failure.empty() ? errors[i].decibels() : std::numeric_limits<double>::quiet_NaN();
  }
  if (!failure.empty()) {
    notes_.push_back(
        fmt::format("Layers do not run alone, so their own errors are not known: {}", failure));
  }
}

void PartSets::pass(std::vector<Course>& courses) {
  for (size_t part = 0; part < parts_.size(); ++part) {
    const std::vector<size_t>& layers = layers_of_[part];
    const auto changed = [&](const Course& course) {
      return course.differs ||
             std::ranges::any_of(layers, [&](size_t layer) { return course.quantized[layer]; });
    };
    if (std::ranges::none_of(courses, changed)) continue;
    const auto session = load(part);
    session->start(ranges_[part], rounds_);
    for (Course& course : courses) {
      if (!changed(course)) continue;
      course.differs = true;
      std::vector<bool> quantized;
      for (const size_t layer : layers) quantized.push_back(course.quantized[layer]);
      for (size_t i = 0; i < feeds_.size(); ++i) {
        const ArrayMap made = session->run(quantized, feed(part, i, &course.values[i]));
        keep(part, made, course.values[i], course.outputs[i]);
      }
    }
    return_freed_memory();  // the next session takes what this one has freed
  }
}

// The values of a set are outputs and what is alive between two parts.
size_t PartSets::fitting() const {
  uint64_t largest = 1;
  for (const auto& values : reference_) largest = std::max(largest, bytes_of(values));
  const uint64_t each = largest + bytes_of(reference_outputs_);
  return static_cast<size_t>(std::max<uint64_t>(shares_.set_bytes / each, 1));
}

ArrayMap PartSets::run(const std::vector<bool>& quantized, size_t sample) {
  const auto find = [&] {
    return std::ranges::find_if(
        done_, [&](const Course& course) { return course.quantized == quantized; });
  };
  auto found = find();
  if (found == done_.end()) {
    std::vector<Course> courses;
    const auto add = [&](const std::vector<bool>& set) {
      courses.push_back({.quantized = set,
                         .values = std::vector<ArrayMap>(feeds_.size()),
                         .outputs = reference_outputs_});
    };
    auto next = std::ranges::find(expected_, quantized);
    if (next == expected_.end()) add(quantized);
    for (const size_t most = fitting(); next != expected_.end() && courses.size() < most; ++next)
      add(*next);
    done_.clear();
    runs_ += std::ssize(courses) * std::ssize(feeds_);
    pass(courses);
    done_ = std::move(courses);
    found = find();
  }
  return found->outputs[sample];
}

// The request that needs the whole model; empty: none does.
std::string needs_whole(const SensitivityJob& job) {
  if (job.quantized) return "A model that is quantised already";
  if (!job.output.path.empty()) return "The mixed model";
  return {};
}

}  // namespace

std::optional<PartShares> forced_part_shares(const SensitivityJob& job) {
  if (job.memory_limit == 0) return std::nullopt;
  Logger quiet;
  const auto model = load_onnx(job.model, quiet);
  const uint64_t weights = weight_bytes(*model);
  // Weights are there as they come, rounded, and in the session.
  if (weights_fit(kCopiesOfParts / kCopiesOfWeights * weights, job.memory_limit, 1))
    return std::nullopt;
  require_parts_suffice(needs_whole(job), weights, job.memory_limit);
  const int64_t bytes = part_bytes_within(job.memory_limit, 1);
  const uint64_t half = bytes_left(job.memory_limit, 1) / 2;
  require_each_fits(*model, half, job.memory_limit);
  return PartShares{.part_bytes = std::max<int64_t>(bytes / 2, 1), .set_bytes = half};
}

SensitivityResult sensitivity_in_parts(const SensitivityJob& job, const PartShares& shares,
                                       RunnerFactory& factory, Logger& log) {
  PartSets sets(job, shares, factory, log);
  SensitivityResult result{.format = job.format.text()};
  if (const auto* limit = std::get_if<ErrorLimit>(&job.check)) result.limit = limit->limit;
  result.layers = sets.layers();
  result.samples = static_cast<int64_t>(sets.samples());
  const ReferenceOutputs reference(sets.reference(), job.check);
  require_outputs(reference);
  const SetCheck check{job.check, reference, sets.feeds()};
  choose_set(sets, check, measure_effects(sets, check, job.most_sets, result), result);
  result.sessions = sets.sessions();
  result.runs = sets.runs();
  result.notes = sets.notes();
  result.notes.push_back(
      fmt::format("The weights do not fit the memory limit of {}: the model ran in {} parts. There "
                  "is no mixed model, so the error was measured on the model with replaced weights",
                  size_text(static_cast<int64_t>(job.memory_limit)), sets.parts()));
  rank_layers(result);
  return result;
}

}  // namespace polygraphy
