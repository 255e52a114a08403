// Tensors that a part of a model makes and later parts read, as each side computes them.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "polygraphy/diagnosis/locate/locate_run.h"
#include "polygraphy/diagnosis/locate/measuring/measure_in_place.h"
#include "polygraphy/models/parts/whole_model.h"

namespace polygraphy {

// The inputs of a part, by sample, that each side has computed with few outputs (Borders).
struct FusedFeeds {
  std::vector<ValueMap> reference = {}, target = {};
};

class SideValues {
 public:
  // `feeds`: those of the whole model, by sample. All arguments outlive it.
  SideValues(const LocateRun& run, const WholeModel& model, const std::vector<NodePart>& parts,
             const std::vector<ValueMap>& feeds);

  // The tensors that the part makes and others read, or that are outputs of the model.
  const std::unordered_set<std::string>& borders(size_t part) const { return borders_[part]; }
  // The reference's values of all that has been computed and will be read, by sample.
  const std::vector<ArrayMap>& reference() const { return values_.reference; }
  // The values that each side reads as inputs with these names.
  SideFeeds feeds(const std::vector<std::string>& inputs);
  // The same where only borders are outputs.
  FusedFeeds fused_feeds(const std::vector<std::string>& inputs) const;
  // Adds those that the part has made, and forgets what no later part reads.
  void add(size_t part, ValuesInPlace made, Borders borders);

 private:
  std::vector<ValueMap> named(const std::vector<std::string>& inputs,
                              const std::vector<ArrayMap>& values) const;

  const LocateRun& run_;
  const std::vector<ValueMap>& feeds_;
  ValuesInPlace values_;
  std::vector<ArrayMap> fused_reference_, fused_target_;
  std::vector<std::unordered_set<std::string>> borders_;
  std::unordered_map<std::string, size_t> last_reader_;        // part
  std::unordered_set<std::string> of_model_;                   // inputs
  std::vector<ValueMap> of_reference_, of_target_, of_exact_;  // of the last feeds()
};

}  // namespace polygraphy
