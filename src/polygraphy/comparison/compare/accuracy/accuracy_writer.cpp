#include "polygraphy/comparison/compare/accuracy/accuracy_writer.h"

#include "base/os/atomic_file.h"
#include "polygraphy/comparison/compare/accuracy/accuracy_json.h"
#include "polygraphy/data/results/iteration_files.h"

namespace polygraphy {

// Iterations of one function and pair wait on disk until their turn.
struct AccuracyWriter::State {
  struct Part {
    explicit Part(const std::string& beside)
        : spill(beside), json(JsonWriter::inside_array(spill, kJudgedIterationDepth)) {}
    SpillFile spill;
    JsonWriter json;
  };
  AtomicFile file;
  std::vector<const Metric*> metrics;
  bool average;
  std::vector<std::pair<std::string, std::string>> pairs = {};
  std::vector<std::unique_ptr<Part>> parts = {};  // pair by pair

  Part& part(size_t function, size_t pair) { return *parts[pair * metrics.size() + function]; }
};

AccuracyWriter::AccuracyWriter(const std::string& path, std::vector<const Metric*> metrics,
                               bool average)
    : state_(new State{AtomicFile(path), std::move(metrics), average}) {}

AccuracyWriter::~AccuracyWriter() = default;

void AccuracyWriter::add_pair(std::string runner0, std::string runner1) {
  state_->pairs.emplace_back(std::move(runner0), std::move(runner1));
  for (size_t i = 0; i < state_->metrics.size(); ++i) {
    state_->parts.push_back(std::make_unique<State::Part>(state_->file.path()));
  }
}

void AccuracyWriter::add(size_t function, size_t pair,
                         const std::vector<std::pair<std::string, OutputResult>>& outputs) {
  JsonWriter& json = state_->part(function, pair).json;
  json.begin_object();
  for (const auto& [name, result] : outputs) {
    if (result.left) continue;
    json.key(name);
    write_judged_output(json, *state_->metrics[function], result);
  }
  json.end_object();
}

void AccuracyWriter::add(size_t function, size_t pair,
                         const std::vector<std::pair<std::string, JudgedOutput>>& outputs) {
  write_judged_iteration(state_->part(function, pair).json, outputs);
}

void AccuracyWriter::finish(Logger& log) {
  AtomicFile& file = state_->file;
  announce_file(log, kAccuracyResults, file.path());
  AtomicFileSink sink(file);
  JsonWriter json(sink);
  begin_accuracy_results(json);
  for (size_t function = 0; function < state_->metrics.size(); ++function) {
    begin_accuracy_result(json);
    for (size_t pair = 0; pair < state_->pairs.size(); ++pair) {
      begin_judged_pair(json, state_->pairs[pair].first, state_->pairs[pair].second);
      SpillFile& spill = state_->part(function, pair).spill;
      if (!spill.empty()) {
        json.external_elements();
        spill.copy_to(file);
      }
      end_judged_pair(json);
    }
    end_accuracy_result(json, state_->average);
  }
  end_accuracy_results(json);
  file.commit();
}

}  // namespace polygraphy
