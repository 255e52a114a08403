// Outputs on disk: files and directories, as for inputs (saved_inputs.h).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/log.h"
#include "polygraphy/data/results/results.h"
#include "polygraphy/data/results/torch_reader.h"

namespace polygraphy {

// --save-outputs. `runner_names` fixes the order of the file. add_iteration() takes one result per
// runner, except for runners without further iterations; it skips results of failed runners.
class OutputWriter {
 public:
  OutputWriter(std::string path, std::vector<std::string> runner_names, Logger& log);
  ~OutputWriter();
  void add_iteration(const std::vector<IterationResult>& one_per_runner);
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// One --load-outputs path: a separate run, read iteration by iteration.
class OutputReader {
 public:
  OutputReader(std::string path, Logger& log, TorchReader torch = {});
  ~OutputReader();
  // Runner names in file order.
  const std::vector<std::string>& runner_names() const;
  // One result per runner for the next iteration (a runner that ran out has nullopt), or nullopt
  // after the last.
  std::optional<std::vector<std::optional<IterationResult>>> next();
  // The same with arrays that are read on demand (IterationResult::output), which works until the
  // next call or the end of the reader.
  std::optional<std::vector<std::optional<IterationResult>>> next_deferred();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Whole files at once.
RunResults load_results(const std::string& path, Logger& log, const TorchReader& torch = {});
void save_results(const RunResults& results, const std::string& path, Logger& log);

}  // namespace polygraphy
