// Errors of tensors, judged by their noise and by what makes them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "polygraphy/diagnosis/locate/judging/judged_error.h"
#include "polygraphy/diagnosis/locate/judging/noise.h"
#include "polygraphy/diagnosis/locate/judging/step_results.h"
#include "polygraphy/models/parts/whole_model.h"

namespace polygraphy {

// The inputs that a node's result was computed on.
enum class JudgedInputs : uint8_t {
  kGiven,         // the reference's
  kOfNeighbours,  // computed by the target, of the reference's values before the neighbours
  kOfTarget       // in place: computed by the target
};

// Where a tensor was computed, and how exactly it can be.
struct JudgedPlace {
  int64_t sample = 0;
  Noise noise = {};
  Accumulation accumulation = {};
  JudgedInputs inputs = JudgedInputs::kGiven;
  bool exact_inputs = false;  // in place, they are bitwise equal on both sides
};

// The arguments outlive it.
class TensorJudge {
 public:
  // The right value of a tensor or an input of the model, if it is to be judged behind these
  // inputs; null: not known.
  using Values =
      std::function<const Array*(int64_t sample, const std::string& name, JudgedInputs inputs)>;
  // The noise of a tensor in place; null: not known.
  using Noises = std::function<const Noise*(int64_t sample, const std::string& name)>;

  TensorJudge(const WholeModel& model, NumberFormat format, double threshold, Values values,
              Noises noises);

  // Sets `by_tie`, if not null, where the result differs and ties explain each difference.
  JudgedError judge(const std::string& tensor, const Array& reference, const Array& observed,
                    const JudgedPlace& place, bool* by_tie = nullptr) const;
  // Tensors whose noise decides whether a result of this one is a tie.
  std::vector<std::string> decided_by(const std::string& tensor) const;

 private:
  std::vector<StepInput> inputs_of(const graphsurgeon::Node& node, const JudgedPlace& place) const;
  void judge_steps(const graphsurgeon::Node& node, size_t output, const Array& reference,
                   const Array& observed, const JudgedPlace& place, JudgedError& judged,
                   bool* by_tie) const;

  const WholeModel& model_;
  const NumberFormat format_;
  const double threshold_;
  const Values values_;
  const Noises noises_;
  // Node and output that make a tensor.
  std::unordered_map<std::string, std::pair<const graphsurgeon::Node*, size_t>> makers_;
};

}  // namespace polygraphy
