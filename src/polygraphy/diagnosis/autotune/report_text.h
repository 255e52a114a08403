// Results of autotuning as text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "polygraphy/diagnosis/autotune/search.h"

namespace polygraphy {

// The result of a candidate.
struct Attempt {
  std::string replacements = {};  // "relu 0, relu 2"; of greedy, the one that was added
  std::optional<Duel> duel = {};  // none: refused, …
  std::string refusal = {};       // … for this reason
};

struct AutotuneReport {
  std::string model, runner, inputs, mode;  // inputs: "x:[1,3]"; empty: it has none
  int64_t warm_up = 0, runs = 0;
  std::vector<std::string> found;  // all replacements: "relu 0 (a -> b)"
  std::vector<Attempt> attempts;   // in their order
  std::vector<std::string> kept;   // of `found`
  // The unmodified model and the best, side by side; none: interrupted.
  std::optional<Duel> result;
  std::string output;  // where the best was saved
};

// "3.21 ms".
std::string milliseconds(double seconds);
// "12.3 % less", "1.2 % more".
std::string change_text(double before, double after);
// Lines, each with its end.
std::string report_text(const AutotuneReport& report);

}  // namespace polygraphy
