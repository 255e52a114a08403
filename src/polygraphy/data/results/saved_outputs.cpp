#include "polygraphy/data/results/saved_outputs.h"

#include <algorithm>
#include <deque>
#include <span>
#include <utility>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "formats/array_json.h"
#include "polygraphy/data/results/iteration_files.h"
#include "polygraphy/data/results/output_files.h"
#include "polygraphy/data/results/result_store.h"
#include "polygraphy/data/results/results_json.h"
#include "polygraphy/data/results/saved_document.h"
#include "polygraphy/data/tensors/raw_input.h"

namespace polygraphy {
namespace {

constexpr std::string_view kDescription = "inference results";

// Which of `names` each result is of. One per runner is in order, since names may occur twice;
// fewer are those of runners that have not run out.
std::vector<size_t> places_of(const std::vector<std::string>& names,
                              const std::vector<IterationResult>& results) {
  std::vector<size_t> places;
  size_t at = 0;
  for (const IterationResult& result : results) {
    if (results.size() != names.size()) {
      while (at < names.size() && names[at] != result.runner_name) ++at;
    }
    if (at >= names.size()) {
      throw Error("Cannot save results of runner '" + result.runner_name +
                  "': it is not one of the runners given at the start.");
    }
    places.push_back(at++);
  }
  return places;
}

// A single file: the first runner's iterations go into it as they come, those of the others wait on
// disk until their turn, because the file has all iterations of one runner before the next.
struct SingleFile {
  SingleFile(const std::string& path, const std::vector<std::string>& names) : out(path) {
    begin_results(out.json);
    for (size_t i = 1; i < names.size(); ++i)
      spills.push_back(std::make_unique<SpillFile>(path, kIterationDepth));
    if (!names.empty()) begin_runner(out.json, names.front());
  }

  void add(size_t runner, const IterationResult& result) {
    write_iteration(runner == 0 ? out.json : spills[runner - 1]->json(), result);
  }

  void finish(const std::vector<std::string>& names) {
    if (!names.empty()) end_runner(out.json);
    for (size_t i = 1; i < names.size(); ++i) {
      begin_runner(out.json, names[i]);
      spills[i - 1]->copy_to(out);
      end_runner(out.json);
    }
    end_results(out.json);
    out.file.commit();
  }

  JsonFile out;
  std::vector<std::unique_ptr<SpillFile>> spills;
};

void add_result(StoreWriter& store, size_t runner, const IterationResult& result) {
  store.begin_result(runner, result.runtime, result.outputs.size());
  for (const auto& [name, array] : result.outputs) store.add(name, array);
}

// A runner with its results.
using Run = std::pair<std::string, std::span<const IterationResult>>;

// The contents of a file of one iteration. A failed runner is left out, unless another one would be
// mistaken for it.
std::vector<Run> runs_of_file(const std::vector<std::string>& names,
                              const std::vector<IterationResult>& results) {
  const std::vector<size_t> places = places_of(names, results);
  std::vector<Run> kept;
  for (size_t i = 0; i < results.size(); ++i) {
    const std::string& name = names[places[i]];
    const auto later = names.begin() + static_cast<std::ptrdiff_t>(places[i]) + 1;
    if (results[i].failed && std::find(later, names.end(), name) == names.end()) continue;
    kept.emplace_back(name, std::span(&results[i], 1));
  }
  return kept;
}

// Without failed results.
void write_runs(const std::vector<Run>& runs, const std::string& path, Durability durability) {
  if (is_store_target(path)) {
    std::vector<std::string> names;
    for (const auto& [name, results] : runs) names.push_back(name);
    StoreWriter store(path, std::move(names));
    for (size_t i = 0; i < runs.size(); ++i) {
      for (const IterationResult& result : runs[i].second) {
        if (!result.failed) add_result(store, i, result);
      }
    }
    store.finish();
    return;
  }
  JsonFile out(path, durability);
  begin_results(out.json);
  for (const auto& [name, results] : runs) {
    begin_runner(out.json, name);
    for (const IterationResult& result : results) {
      if (!result.failed) write_iteration(out.json, result);
    }
    end_runner(out.json);
  }
  end_results(out.json);
  out.file.commit();
}

}  // namespace

struct OutputWriter::State {
  std::string path;
  std::vector<std::string> names;
  Logger& log;
  std::optional<SingleFile> single;  // neither: a directory
  std::optional<StoreWriter> store;  // a binary file
  int64_t written = 0;
};

OutputWriter::OutputWriter(std::string path, std::vector<std::string> runner_names, Logger& log)
    : state_(new State{std::move(path), std::move(runner_names), log, {}, {}}) {
  const bool directory = is_directory_target(state_->path);
  announce_saving(log, kDescription, state_->path, directory);
  if (directory) {
    prepare_directory(state_->path, kDescription);
  } else if (is_store_target(state_->path)) {
    state_->store.emplace(state_->path, state_->names);
  } else {
    state_->single.emplace(state_->path, state_->names);
  }
}

OutputWriter::~OutputWriter() = default;

void OutputWriter::add_iteration(const std::vector<IterationResult>& one_per_runner) {
  State& state = *state_;
  if (state.single || state.store) {
    const std::vector<size_t> places = places_of(state.names, one_per_runner);
    for (size_t i = 0; i < places.size(); ++i) {
      if (one_per_runner[i].failed) continue;
      if (state.store) {
        add_result(*state.store, places[i], one_per_runner[i]);
      } else {
        state.single->add(places[i], one_per_runner[i]);
      }
    }
  } else {
    const std::string path = iteration_file(state.path, state.written);
    announce_file(state.log, kDescription, path);
    write_runs(runs_of_file(state.names, one_per_runner), path, Durability::kNone);
  }
  ++state.written;
}

void OutputWriter::finish() {
  if (!state_->single && !state_->store) return;
  announce_file(state_->log, kDescription, state_->path);
  if (state_->store) {
    state_->store->finish();
    state_->store.reset();
    return;
  }
  state_->single->finish(state_->names);
  state_->single.reset();
}

struct OutputReader::State {
  Logger& log;
  std::deque<OutputFiles> files;
  size_t next_file = 0;
  std::vector<std::string> names = {};
  std::optional<SavedDocument> document = {};
  std::vector<size_t> places = {};  // of the document's runners in `names`
  size_t next_iteration = 0;
  std::string name;  // of outputs that no runner of ours has made
  TorchReader torch;

  void open_next() {
    const OutputFiles& parts = files[next_file++];
    for (const std::string& file : parts) announce_loading(log, kDescription, file);
    if (parts.size() == 1 && !parse_raw_input(parts.front())) {
      document.emplace(parts.front());
    } else {
      document.emplace(parts);
    }
    document->read_torch_with(torch);
    if (document->made_elsewhere()) document->take_as_outputs(name);
    document->require_results();
    next_iteration = 0;
    // Later files of a directory may lack a runner that ran out, or have another.
    places.clear();
    for (const SavedDocument::Runner& runner : document->runners()) {
      size_t at = places.empty() ? 0 : places.back() + 1;
      while (at < names.size() && names[at] != runner.name) ++at;
      if (at == names.size()) names.push_back(runner.name);
      places.push_back(at);
    }
  }

  bool exhausted() const {
    for (const SavedDocument::Runner& runner : document->runners()) {
      if (next_iteration < runner.iterations.size()) return false;
    }
    return true;
  }
};

OutputReader::OutputReader(std::string path, Logger& log, TorchReader torch)
    : state_(new State{.log = log,
                       .files = list_output_files(path),
                       .name = name_of_outputs(path),
                       .torch = std::move(torch)}) {
  state_->open_next();
}

OutputReader::~OutputReader() = default;

const std::vector<std::string>& OutputReader::runner_names() const {
  return state_->names;
}

std::optional<std::vector<std::optional<IterationResult>>> OutputReader::next() {
  auto results = next_deferred();
  if (!results) return results;
  for (std::optional<IterationResult>& result : *results) {
    if (!result) continue;
    for (size_t i = 0; i < result->outputs.size(); ++i) {
      result->outputs.at_index(i).second = result->read(i);
    }
    result->read = nullptr;
  }
  state_->document->release();
  return results;
}

std::optional<std::vector<std::optional<IterationResult>>> OutputReader::next_deferred() {
  State& state = *state_;
  while (state.exhausted()) {
    if (state.next_file == state.files.size()) return std::nullopt;
    state.open_next();
  }
  std::vector<std::optional<IterationResult>> results(state.names.size());
  for (size_t i = 0; i < state.places.size(); ++i) {
    if (state.next_iteration >= state.document->runners()[i].iterations.size()) continue;
    IterationResult result = SavedIteration::deferred(
        state.document->iteration(i, state.next_iteration), *state.document);
    result.saved = true;
    result.made_elsewhere = state.document->made_elsewhere();
    results[state.places[i]] = std::move(result);
  }
  ++state.next_iteration;
  return results;
}

RunResults load_results(const std::string& path, Logger& log, const TorchReader& torch) {
  OutputReader reader(path, log, torch);
  RunResults results;
  while (auto iteration = reader.next()) {
    for (size_t i = 0; i < iteration->size(); ++i) {
      if (!(*iteration)[i]) continue;
      if (results.runners.size() <= i) results.runners.resize(i + 1);
      results.runners[i].second.push_back(std::move(*(*iteration)[i]));
    }
  }
  results.runners.resize(reader.runner_names().size());
  for (size_t i = 0; i < results.runners.size(); ++i) {
    results.runners[i].first = reader.runner_names()[i];
  }
  return results;
}

void save_results(const RunResults& results, const std::string& path, Logger& log) {
  announce_file(log, kDescription, path);
  write_runs({results.runners.begin(), results.runners.end()}, path, Durability::kFsync);
}

}  // namespace polygraphy
