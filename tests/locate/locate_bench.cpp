#include "locate_bench.h"

#include <algorithm>
#include <utility>

namespace polygraphy {
namespace {

class Given : public FeedSource {
 public:
  explicit Given(const std::vector<ArrayMap>& samples) : samples_(samples) {}
  std::optional<ValueMap> next(const Metadata&) override {
    if (at_ == samples_.size()) return std::nullopt;
    return values_of(samples_[at_++]);
  }

 private:
  const std::vector<ArrayMap>& samples_;
  size_t at_ = 0;
};

// An engine of which every n-th run is wrong.
class Unsteady : public Runner {
 public:
  Unsteady(std::shared_ptr<Runner> engine, int wrong_every, int& runs)
      : Runner(engine->name(), nullptr),
        engine_(std::move(engine)),
        wrong_every_(wrong_every),
        runs_(runs) {}
  ~Unsteady() override {
    if (active()) deactivate();
  }

 private:
  void activate_impl() override { engine_->activate(); }
  void deactivate_impl() noexcept override { engine_->deactivate(); }
  Metadata input_metadata_impl() override { return engine_->input_metadata(); }
  Inference infer_impl(const ValueMap& feeds) override {
    Inference result{.outputs = engine_->infer(feeds)};
    if (runs_++ % wrong_every_ != 0) return result;
    for (auto& [name, value] : result.outputs) {
      Array array = value.tensor().clone();
      auto* numbers = reinterpret_cast<float*>(array.mutable_data());
      for (int64_t i = 0; i < array.size(); ++i) numbers[i] *= 2;
      value = Value(std::move(array));
    }
    return result;
  }

  const std::shared_ptr<Runner> engine_;
  const int wrong_every_;
  int& runs_;
};

}  // namespace

FaultyEngines::FaultyEngines(std::vector<Fault> faults, std::optional<NumberFormat> format)
    : RunnerFactory({.paths = built_paths()}, silent_),
      faults_(std::move(faults)),
      format_(format) {}

std::shared_ptr<Runner> FaultyEngines::make(const RunnerSpec& spec, const ModelSource& model,
                                            Logger& log) {
  ++made;
  if (spec.name == "target") {
    auto engine = faulty_engine(model, faults_, format_, most_outputs);
    if (sessions_++ == wrong_session) return std::make_shared<Unsteady>(std::move(engine), 1, runs);
    if (wrong_every == 0) return engine;
    return std::make_shared<Unsteady>(std::move(engine), wrong_every, runs);
  }
  if (spec.name == "reference") return faulty_engine(model, faults_of_reference, {});
  if (spec.name == "noise") return faulty_engine(model, {}, {});
  return RunnerFactory::make(spec, model, log);
}

FaultyJob faulty_job(const graphsurgeon::Model& model, const std::vector<ArrayMap>& samples,
                     std::vector<Fault> faults, std::optional<NumberFormat> format) {
  FaultyJob job;
  job.factory = std::make_shared<FaultyEngines>(std::move(faults), format);
  job.model.model = &model;
  job.model.path = "network";
  job.reference = RunnerSpec{.backend = "onnxrt", .name = "reference"};
  job.target = RunnerSpec{.backend = "onnxrt", .library = "faulty", .name = "target"};
  job.make_feeds = [&samples] { return std::make_unique<Given>(samples); };
  job.format = format.value_or(NumberFormat::kFloat32);
  return job;
}

LocateResult locate(const FaultyJob& job, Logger& log) {
  return locate(job, *job.factory, log);
}

ArrayMap run_side(const FaultyJob& job, const LocateSide& side, const ArrayMap& sample) {
  Logger silent;
  const auto runner = job.factory->make(std::get<RunnerSpec>(side), job.model, silent);
  const ActiveRunner active(*runner);
  return tensors_of(runner->infer(values_of(sample)));
}

SavedSide saved_side(const std::string& name, std::vector<ArrayMap> samples) {
  auto results = std::make_shared<RunResults>();
  results->add(std::move(samples), name);
  return {std::move(results), 0};
}

SavedSide golden_side(const graphsurgeon::Model& model, const std::vector<ArrayMap>& samples) {
  FaultyJob marked = faulty_job(model, samples, {}, std::nullopt);
  for (const auto& node : model.graph->nodes())
    marked.model.outputs.emplace_back(node->outputs().front()->name());
  std::vector<ArrayMap> saved;
  for (const ArrayMap& sample : samples)
    saved.push_back(run_side(marked, marked.reference, sample));
  return saved_side("golden", std::move(saved));
}

const NodeFinding& node_named(const LocateResult& result, const std::string& name) {
  return *std::ranges::find(result.in_order, name, &NodeFinding::node);
}

std::vector<std::string> first_verdicts(const LocateResult& result, size_t count) {
  std::vector<std::string> verdicts;
  for (const NodeFinding& finding : result.nodes) {
    if (verdicts.size() == count) break;
    verdicts.push_back(std::string(name_of(finding.verdict)) + ": " + finding.node);
  }
  return verdicts;
}

}  // namespace polygraphy
