// A file of accuracy results that is written while a run goes on.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/log.h"
#include "polygraphy/comparison/compare/accuracy/accuracy_results.h"

namespace polygraphy {

// Writes results of a run as they come. Nothing exists under the file's name before finish().
class AccuracyWriter {
 public:
  // One comparison function per metric. Throws IoError.
  AccuracyWriter(const std::string& path, std::vector<const Metric*> metrics, bool average);
  ~AccuracyWriter();
  // One more pair of runners: they are numbered from 0 on. Throws IoError.
  void add_pair(std::string runner0, std::string runner1);
  // The next iteration of one pair by one function. Throws IoError.
  void add(size_t function, size_t pair,
           const std::vector<std::pair<std::string, OutputResult>>& outputs);
  // Of a function whose metric is null: each output has its own.
  void add(size_t function, size_t pair,
           const std::vector<std::pair<std::string, JudgedOutput>>& outputs);
  void finish(Logger& log);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace polygraphy
