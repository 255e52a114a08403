// Runs of a model with sets of its layers quantised, part by part: a pass through the parts runs
// many sets, and each part is in memory once in a pass.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/log.h"
#include "polygraphy/diagnosis/sensitivity/parts/part_layers.h"
#include "polygraphy/diagnosis/sensitivity/set_runs.h"
#include "polygraphy/models/parts/exploded_model.h"
#include "polygraphy/models/parts/whole_model.h"

namespace polygraphy {

// Shares of a memory limit.
struct PartShares {
  int64_t part_bytes = 0;  // weights and tensors of a part
  uint64_t set_bytes = 0;  // values of all sets of a pass
};

class PartSets : public SetRuns {
 public:
  // Runs all parts in floating point. All arguments outlive it. Throws Error (kNothingToQuantize,
  // kNotCut), RunnerFailure, Interrupted.
  PartSets(const SensitivityJob& job, const PartShares& shares, RunnerFactory& factory,
           Logger& log);

  const std::vector<ValueMap>& feeds() const { return feeds_; }
  const std::vector<ArrayMap>& reference() const { return reference_outputs_; }
  // Of each layer, without effects, in the order of nodes.
  const std::vector<LayerSensitivity>& layers() const { return layers_; }
  const std::vector<std::string>& notes() const { return notes_; }
  size_t parts() const { return parts_.size(); }
  int64_t sessions() const { return sessions_; }
  int64_t runs() const { return runs_; }  // of sets, through all parts that they change

  // The sets of the next calls of run(), in this order: it runs as many in a pass as fit.
  void expect(std::vector<std::vector<bool>> sets) { expected_ = std::move(sets); }
  size_t samples() const override { return feeds_.size(); }
  ArrayMap run(const std::vector<bool>& quantized, size_t sample) override;

 private:
  // A set on its way through the parts.
  struct Course {
    std::vector<bool> quantized;    // by layer
    std::vector<ArrayMap> values;   // that differ from the reference's, by sample
    std::vector<ArrayMap> outputs;  // of the model
    bool differs = false;
  };

  void read_feeds();
  void cut();
  void run_reference();
  // Layers that the part has, as positions in layers_.
  std::vector<size_t> layers_in(const PartLayers& part);
  std::unique_ptr<PartLayers> load(size_t part);
  // The values of a part's inputs.
  ValueMap feed(size_t part, size_t sample, const ArrayMap* own) const;
  // Adds values that later parts read, and outputs of the model.
  void keep(size_t part, const ArrayMap& made, ArrayMap& values, ArrayMap& outputs) const;
  void pass(std::vector<Course>& courses);
  size_t fitting() const;

  const SensitivityJob& job_;
  const PartShares shares_;
  RunnerFactory& factory_;
  Logger& log_;
  const WholeModel model_;
  std::vector<ValueMap> feeds_;
  std::vector<NodePart> parts_;
  std::vector<std::vector<std::string>> inputs_;         // of each part
  std::unordered_map<std::string, size_t> last_reader_;  // part
  bool rounds_ = false;
  std::vector<std::vector<ArrayMap>> reference_;  // that a part and later ones read, by sample
  std::vector<ArrayMap> reference_outputs_;
  std::vector<std::map<std::string, ActivationRange>> ranges_;  // of each part
  std::vector<std::vector<size_t>> layers_of_;                  // of each part
  std::vector<LayerSensitivity> layers_;
  std::vector<std::string> notes_;
  std::vector<std::vector<bool>> expected_;
  std::vector<Course> done_;  // of the last pass
  int64_t sessions_ = 0, runs_ = 0;
};

}  // namespace polygraphy
