// Warnings of traps of dumps before results from files are compared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/log.h"
#include "polygraphy/comparison/dump_lint/dump_trap.h"
#include "polygraphy/data/results/results.h"

namespace polygraphy {

// The traits of a result's outputs, read one after the other.
Dump dump_of(const IterationResult& result);

class DumpLint {
 public:
  explicit DumpLint(Logger& log) : log_(log) {}

  // Warns of each trap that `pair.dump` fell into: once for a dump and trap, whatever later
  // iterations have.
  void check(const DumpPair& pair);

  // Counts pairs of tensors that are all zero on both sides, in every iteration: they agree
  // whatever the models do.
  void count_zeros(const DumpPair& pair);
  // "3 of 5 outputs are all zero on both sides"; empty: none.
  std::string zeros_text() const;
  // No pair is anything else.
  bool only_zeros() const;

 private:
  Logger& log_;
  std::set<std::pair<std::string, const DumpTrap*>> warned_;
  std::map<std::string, bool> zeros_;  // by names of both sides and of the tensor
};

}  // namespace polygraphy
