#include "polygraphy/data/results/results.h"

#include "base/error.h"
#include "base/near_names.h"
#include "polygraphy/data/results/saved_outputs.h"

namespace polygraphy {

const std::vector<IterationResult>& RunResults::at(std::string_view runner) const {
  for (const auto& [name, iterations] : runners) {
    if (name == runner) return iterations;
  }
  std::vector<std::string_view> known;
  for (const auto& [name, iterations] : runners) known.push_back(name);
  throw Error("Runner: " + std::string(runner) + " does not exist in this run.",
              known.empty() ? "Runners: none." : unknown_name_hint(runner, known, "Runners"));
}

std::vector<IterationResult>& RunResults::at(std::string_view runner) {
  return const_cast<std::vector<IterationResult>&>(std::as_const(*this).at(runner));
}

void RunResults::add(std::vector<ArrayMap> outputs, const std::string& runner) {
  auto& [name, iterations] = runners.emplace_back(runner, std::vector<IterationResult>());
  for (ArrayMap& one : outputs) {
    IterationResult& result = iterations.emplace_back();
    result.outputs = std::move(one);
    result.runner_name = runner;
  }
}

void RunResults::save(const std::string& path) const {
  Logger silent;
  save_results(*this, path, silent);
}

RunResults RunResults::load(const std::string& path) {
  Logger silent;
  return load_results(path, silent);
}

}  // namespace polygraphy
