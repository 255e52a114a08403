// Outputs of a model in groups that fit into memory (--mem-limit): a model that is run once per
// group, with only that group's tensors as outputs, needs no more at a time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "polygraphy/models/parts/output_sizes.h"

namespace polygraphy {

class OutputGroups {
 public:
  // `budget`: bytes of outputs that one run may return.
  OutputGroups(std::vector<OutputSize> outputs, uint64_t budget);

  // Outputs in order, as many as fit; one that does not fit is alone. Empty after the last. Those
  // of unknown size are taken to be as large as the largest of them that was measured, before that
  // as an eighth of the budget.
  std::vector<std::string> next();
  // Records the actual size of an output.
  void measured(const std::string& name, uint64_t bytes);

  // A run of the last group took `used` bytes at its peak, of `limit`: makes the budget larger, by
  // twice at most, or smaller, so that about a sixth of the limit stays free.
  void adapt(uint64_t used, uint64_t limit);
  size_t outputs() const { return outputs_.size(); }
  size_t given() const { return given_; }  // of these by next()
  uint64_t known_bytes() const;
  uint64_t largest() const;  // of known size
  bool all_known() const;

 private:
  std::vector<OutputSize> outputs_;
  uint64_t budget_;
  uint64_t unknown_;  // the assumed size of one of unknown size
  bool seen_unknown_ = false;
  size_t given_ = 0;
};

}  // namespace polygraphy
