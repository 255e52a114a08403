// A file of accuracy results that is written while a run goes on.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/log.h"
#include "polygraphy/comparison/compare/accuracy/accuracy_json.h"
#include "polygraphy/comparison/compare/metric_result.h"
#include "polygraphy/data/results/iteration_files.h"

namespace polygraphy {

// Writes results of a run as they come. Nothing exists under the file's name before finish().
class AccuracyWriter {
 public:
  // `functions`: how many there are. Throws IoError.
  AccuracyWriter(const std::string& path, size_t functions, bool average)
      : out_(path), functions_(functions), average_(average), empty_(functions) {}
  // One more pair of runners: they are numbered from 0 on. Throws IoError.
  void add_pair(std::string runner0, std::string runner1);
  // The next iteration of one pair by one function. Throws IoError.
  void add(size_t function, size_t pair, const OutputResults& outputs);
  void finish(Logger& log);

 private:
  // Iterations of one function and pair wait on disk until their turn.
  SpillFile& part(size_t function, size_t pair) { return *parts_[pair * functions_ + function]; }

  JsonFile out_;
  size_t functions_;
  bool average_;
  std::vector<std::pair<std::string, std::string>> pairs_;
  std::vector<std::unique_ptr<SpillFile>> parts_;  // pair by pair
  std::vector<std::vector<EmptyOutputs>> empty_;   // by function and pair
};

}  // namespace polygraphy
