#include "polygraphy/compare/accuracy_results.h"

#include <algorithm>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "formats/array_json.h"
#include "polygraphy/compare/accuracy_json.h"
#include "polygraphy/results/iteration_files.h"
#include "polygraphy/results/saved_document.h"

namespace polygraphy {
namespace {

using Type = JsonReader::Type;

constexpr std::string_view kDescription = "accuracy results";

bool iteration_matched(const JudgedIteration& outputs) {
  return std::all_of(outputs.begin(), outputs.end(),
                     [](const auto& entry) { return entry.second.result.passed; });
}

JudgedIteration read_iteration(JsonReader& json) {
  JudgedIteration outputs;
  json.enter_object();
  for (std::string name; json.next_key(name);) outputs.set(name, read_judged_output(json));
  return outputs;
}

JudgedPair read_pair(JsonReader& json) {
  JudgedPair pair;
  json.enter_array();
  for (size_t i = 0; json.next_element(); ++i) {
    if (i > 1) {
      json.skip_value();
      continue;
    }
    json.enter_array();
    for (size_t k = 0; json.next_element(); ++k) {
      if (i == 1) {
        pair.iterations.push_back(read_iteration(json));
      } else if (k < 2) {
        (k == 0 ? pair.runner0 : pair.runner1) = json.read_string();
      } else {
        json.skip_value();
      }
    }
  }
  return pair;
}

AccuracyResult read_result(JsonReader& json) {
  AccuracyResult result;
  std::string marker;
  json.enter_object();
  for (std::string key; json.next_key(key);) {
    const Type type = json.peek();
    if (read_marker(json, key, marker)) continue;
    if (key == "lst" && type == Type::kArray) {
      json.enter_array();
      while (json.next_element()) result.pairs.push_back(read_pair(json));
    } else if (key == "aggregation" && type == Type::kString) {
      result.average = json.read_string() == "average";
    } else {
      json.skip_value();
    }
  }
  return result;
}

template <typename Outputs>
void write_outputs(JsonWriter& json, const Outputs& outputs) {
  static constexpr Metric kVerdictOnly{};
  json.begin_object();
  for (const auto& [name, output] : outputs) {
    json.key(name);
    write_judged_output(json, output.metric == nullptr ? kVerdictOnly : *output.metric,
                        output.result);
  }
  json.end_object();
}

}  // namespace

int64_t JudgedPair::matched() const {
  return std::count_if(iterations.begin(), iterations.end(), iteration_matched);
}

const Metric* AccuracyResult::metric() const {
  for (const JudgedPair& pair : pairs) {
    for (const JudgedIteration& outputs : pair.iterations) {
      for (const auto& [name, output] : outputs) {
        if (output.metric != nullptr) return output.metric;
      }
    }
  }
  return nullptr;
}

namespace {

// The verdict on the means of all outputs over the iterations.
bool means_passed(const JudgedPair& pair) {
  FigureMeans means;
  OrderedMap<const JudgedOutput*> last;  // with the threshold, which is the same in all iterations
  for (const JudgedIteration& outputs : pair.iterations) {
    for (const auto& [name, output] : outputs) {
      means.add(name, output.result.figures);
      last.set(name, &output);
    }
  }
  return std::all_of(last.begin(), last.end(), [&](const auto& entry) {
    const auto& [name, output] = entry;
    return output->metric != nullptr && output->metric->judge != nullptr &&
           output->metric->judge(means.mean(name), output->result.threshold);
  });
}

}  // namespace

AccuracyResults::operator bool() const {
  for (const AccuracyResult& result : comparisons) {
    for (const JudgedPair& pair : result.pairs) {
      const bool passed = result.average
                              ? means_passed(pair)
                              : pair.matched() == static_cast<int64_t>(pair.iterations.size());
      if (!passed) return false;
    }
  }
  return true;
}

AccuracyStats AccuracyResults::stats(size_t pair) const {
  AccuracyStats stats;
  std::vector<bool> matched;
  for (const AccuracyResult& result : comparisons) {
    if (pair >= result.pairs.size()) {
      throw Error("There is no pair " + std::to_string(pair) +
                  " of runners: " + std::to_string(result.pairs.size()) + " were compared.");
    }
    const auto& iterations = result.pairs[pair].iterations;
    matched.resize(std::max(matched.size(), iterations.size()), true);
    for (size_t i = 0; i < iterations.size(); ++i) {
      if (!iteration_matched(iterations[i])) matched[i] = false;
    }
  }
  stats.total = static_cast<int64_t>(matched.size());
  stats.matched = std::count(matched.begin(), matched.end(), true);
  stats.mismatched = stats.total - stats.matched;
  return stats;
}

double AccuracyResults::percentage(size_t pair) const {
  const AccuracyStats counts = stats(pair);
  return counts.total == 0
             ? 1
             : static_cast<double>(counts.matched) / static_cast<double>(counts.total);
}

void AccuracyResults::save(const std::string& path) const {
  Logger silent;
  save_accuracy_results(*this, path, silent);
}

AccuracyResults AccuracyResults::load(const std::string& path) {
  Logger silent;
  return load_accuracy_results(path, silent);
}

AccuracyResults read_accuracy_results(JsonReader json) {
  AccuracyResults results;
  json.enter_array();
  while (json.next_element()) results.comparisons.push_back(read_result(json));
  return results;
}

AccuracyResults load_accuracy_results(const std::string& path, Logger& log) {
  announce_loading(log, kDescription, path);
  const SavedDocument document(path);
  document.require_accuracy();
  return read_accuracy_results(document.accuracy());
}

void save_accuracy_results(const AccuracyResults& results, const std::string& path, Logger& log) {
  announce_file(log, kDescription, path);
  AtomicFile file(path);
  AtomicFileSink sink(file);
  JsonWriter json(sink);
  begin_accuracy_results(json);
  for (const AccuracyResult& result : results.comparisons) {
    begin_accuracy_result(json);
    for (const JudgedPair& pair : result.pairs) {
      begin_judged_pair(json, pair.runner0, pair.runner1);
      for (const JudgedIteration& outputs : pair.iterations) write_outputs(json, outputs);
      end_judged_pair(json);
    }
    end_accuracy_result(json, result.average);
  }
  end_accuracy_results(json);
  file.commit();
}

void FigureMeans::add(const std::string& output, const Figures& figures) {
  Sums& sums = sums_[output];
  sums.comparable &= !figures.empty();
  if (sums.iterations++ == 0) {
    sums.sums = figures;
    return;
  }
  for (size_t i = 0; i < sums.sums.size() && i < figures.size(); ++i) {
    if (sums.sums[i] && figures[i]) {
      *sums.sums[i] += *figures[i];
    } else {
      sums.sums[i].reset();
    }
  }
}

Figures FigureMeans::mean(const std::string& output) const {
  const Sums& sums = *sums_.find(output);
  if (!sums.comparable) {
    throw Error(
        "Output: " + output +
        " | Cannot compute an averaged comparison because at least one iteration produced no "
        "comparable metrics (e.g. a shape mismatch). Averaging over only the comparable iterations "
        "would be misleading, so the comparison cannot be evaluated with check_average=True. "
        "Re-run "
        "without check_average to see the per-iteration results.");
  }
  Figures means = sums.sums;
  for (auto& mean : means) {
    if (mean) *mean /= static_cast<double>(sums.iterations);
  }
  return means;
}

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
    json.key(name);
    write_judged_output(json, *state_->metrics[function], result);
  }
  json.end_object();
}

void AccuracyWriter::add(size_t function, size_t pair,
                         const std::vector<std::pair<std::string, JudgedOutput>>& outputs) {
  write_outputs(state_->part(function, pair).json, outputs);
}

void AccuracyWriter::finish(Logger& log) {
  AtomicFile& file = state_->file;
  announce_file(log, kDescription, file.path());
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
