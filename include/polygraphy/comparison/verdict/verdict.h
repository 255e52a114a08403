// Whether one side agrees with another, or a model is right: the result of every command that
// compares or checks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/record.h"
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
constexpr auto all_of(RecordOf<Agreement>) {
  return values_up_to<Agreement::kNotCompared>();
}

// Compared things are counted in units: outputs, tensors, nodes, checks.
struct Verdict {
  Agreement agreement = Agreement::kNotCompared;
  std::string target = {}, reference = {};
  int64_t pairs = 1;
  std::string target_file = {}, reference_file = {};
  std::string measure = {}, unit = "output";
  bool comparison = true;  // false: units pass or fail by themselves, such as nodes of a model
  int64_t total = 0, compared = 0, empty = 0, off = 0, samples = 0;
  std::string place = {};
  std::string first_empty = {};
  std::string worst = {};  // empty: none
  std::optional<double> excess = {};
  std::string reason = {};
  std::optional<TokenCounts> tokens = {};
  std::optional<TextFigures> text = {};

  // Something was compared, and all of it agrees: the only pass of a comparison.
  bool passed() const { return agreement == Agreement::kAgrees; }
  // Neither this nor passed() if nothing was compared.
  bool failed() const { return agreement < Agreement::kAgrees; }
  // passed(), or nothing was to be compared, such as the outputs of one runner.
  bool acceptable() const {
    return passed() || (pairs == 0 && agreement == Agreement::kNotCompared);
  }
};

// Behind "agrees" or "differs": "within 3× the bfloat16 noise", "by more than the
// tolerances"
// ("simple"), "by tokens". `measure`: Verdict::measure, not empty.
std::string by_measure(std::string_view measure, bool agrees);
// The verdict in one line: how much was compared, with which result.
std::string headline(const Verdict& verdict);

constexpr auto record_of(RecordOf<Verdict>) {
  return record<Verdict>(
      "Verdict", "Whether two sides agree.",
      member(
          "agreement", &Verdict::agreement,
          "\"agrees\", \"differs\", \"precision too low\" (rounding errors of the number format "
          "alone are as large as the results), \"not finite\" (all numbers are NaN or infinite on "
          "both sides), \"failed\" (a side has no results), \"not compared\"."),
      derived(
          "headline", [](const Verdict& of) { return headline(of); }, "The verdict in a line."),
      member("target", &Verdict::target, "The name of a side; of several pairs, of the worst one."),
      member("reference", &Verdict::reference, "The name of the other side, likewise."),
      member("target_file", &Verdict::target_file,
             "The file behind the name: of saved results, or of the model beside them.")
          .if_set(),
      member("reference_file", &Verdict::reference_file, "Likewise.").if_set(),
      count("pairs", &Verdict::pairs,
            "How many pairs of sides there are, each with separate units; 0: one side alone.")
          .if_set(),
      member("measure", &Verdict::measure, "The limits that decide: \"3× the bfloat16 noise\"."),
      member("unit", &Verdict::unit, "The counted things: \"output\", \"check\"."),
      count("total", &Verdict::total, "Units that both sides could have."),
      count("compared", &Verdict::compared, "Units with a verdict."),
      count("empty", &Verdict::empty,
            "Units that are equal since they have no elements: they are not among the compared."),
      member("first_empty", &Verdict::first_empty,
             "The first of these by name; missing if all have elements.")
          .if_set(),
      count("off", &Verdict::off, "Units beyond the measure."),
      count("samples", &Verdict::samples, "Inputs for which they were compared."),
      member("place", &Verdict::place,
             "The part of a run that was compared (\"step 5\"); missing: all of it.")
          .if_set(),
      member("worst", &Verdict::worst,
             "The unit with the largest error beyond the measure, or null.")
          .or_null(),
      member("excess", &Verdict::excess, "Its error as a multiple of the limit; null: not known."),
      member("reason", &Verdict::reason, "A sentence that says more.").if_set(),
      member("tokens", &Verdict::tokens, "Of all outputs that were compared by tokens.").if_set(),
      member("text", &Verdict::text, "The figures of a text, if one was run.").if_set());
}

// The verdict on two parts of one job: the worse one, with the sums of units.
Verdict joined(const Verdict& one, const Verdict& other);

// Likewise, on two pairs of sides.
Verdict joined_pairs(const Verdict& one, const Verdict& other);

}  // namespace polygraphy
