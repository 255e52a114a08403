// Whether one side agrees with another, or a model is right: the result of every command that
// compares or checks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "polygraphy/comparison/verdict/text_figures.h"
#include "polygraphy/comparison/verdict/token_counts.h"

namespace polygraphy {

// Worst first.
enum class Agreement : uint8_t {
  kFailed,       // a side has no results
  kDiffers,      // an error is larger than the measure allows
  kTooCoarse,    // rounding errors of the number format alone are as large as the results
  kNotFinite,    // all numbers are NaN or infinite on both sides
  kAgrees,       // all that was compared is within the measure
  kNotCompared,  // there was nothing to compare
};

// "failed", "differs", "precision too low", "not finite", "agrees", "not compared".
std::string_view name_of(Agreement agreement);

// Compared things are counted in units: outputs, tensors, nodes, checks.
struct Verdict {
  Agreement agreement = Agreement::kNotCompared;
  std::string target = {}, reference = {};  // names of both sides; of several pairs, the worst
  int64_t pairs = 1;                        // of sides, each with separate units
  // The files behind these names: of saved results, or of the model beside these. Empty: the sides
  // run one model, or it is not known.
  std::string target_file = {}, reference_file = {};
  // The limits that decide: "simple", "3 times the noise of bfloat16".
  std::string measure = {};
  std::string unit = "output";
  bool comparison = true;  // false: units pass or fail by themselves, such as nodes of a model
  int64_t total = 0;       // units that both sides could have
  int64_t compared = 0;    // units with a verdict
  int64_t empty = 0;       // units that are equal since they have no elements: not compared
  int64_t off = 0;         // units beyond the measure
  int64_t samples = 0;     // inputs for which they were compared
  std::string place = {};  // the part of a run that was compared: "step 5"; empty: all of it
  std::string worst = {};  // the unit with the largest error beyond the measure
  // The largest error in parts of what the measure allows; nullopt: not known.
  std::optional<double> excess = {};
  std::string reason = {};                 // a sentence; may be empty
  std::optional<TokenCounts> tokens = {};  // of all outputs and samples that were judged by tokens
  std::optional<TextFigures> text = {};    // of a run of a text in windows

  // Something was compared, and all of it agrees.
  bool passed() const { return agreement == Agreement::kAgrees; }
  // Neither this nor passed() if nothing was compared.
  bool failed() const { return agreement < Agreement::kAgrees; }
};

// Behind "agrees" or "differs": "within 3 times the noise of bfloat16", "by more than the
// tolerances"
// ("simple"), "by tokens". `measure`: Verdict::measure, not empty.
std::string by_measure(std::string_view measure, bool agrees);
// The verdict in one line: how much was compared, with which result.
std::string headline(const Verdict& verdict);

// The verdict on two parts of one job: the worse one, with the sums of units.
Verdict joined(const Verdict& one, const Verdict& other);

// Likewise, on two pairs of sides.
Verdict joined_pairs(const Verdict& one, const Verdict& other);

}  // namespace polygraphy
