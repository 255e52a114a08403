// Results of autotuning as text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "polygraphy/diagnosis/autotune/search.h"

namespace polygraphy {

struct Attempt {
  std::string replacements = {};
  std::optional<Duel> duel = {};
  std::string refusal = {};
};
constexpr auto record_of(RecordOf<Attempt>) {
  using Of = Attempt;
  return record<Of>(
      "AutotuneAttempt", "A candidate.",
      member("replacements", &Of::replacements,
             "\"relu 0, relu 2\"; of the greedy search: the new one."),
      member("duel", &Of::duel, "Beside the best model before it; null: the runner rejects it."),
      member("refusal", &Of::refusal, "The reason for a rejection.").if_set());
}

struct AutotuneReport {
  std::string model, runner, inputs, mode;  // inputs: "x:[1,3]"; empty: it has none
  int64_t warm_up = 0, runs = 0;
  std::vector<std::string> found;
  std::vector<Attempt> attempts;
  std::vector<std::string> kept;
  std::optional<Duel> result;
  std::string output;
};
constexpr auto record_of(RecordOf<AutotuneReport>) {
  using Of = AutotuneReport;
  return record<Of>("AutotuneFigures", "The replacements by plugins that make a model faster.",
                    member("output", &Of::output, "The file of the fastest model."),
                    member("found", &Of::found, "All replacements: \"relu 0 (a -> b)\"."),
                    member("kept", &Of::kept, "Those of the fastest model."),
                    member("attempts", &Of::attempts, "The candidates, in their order."),
                    member("result", &Of::result,
                           "The unmodified model beside the fastest one; null: interrupted."));
}

// "3.21 ms".
std::string milliseconds(double seconds);
// "12.3 % less", "1.2 % more".
std::string change_text(double before, double after);
// Lines, each with its end.
std::string report_text(const AutotuneReport& report);

}  // namespace polygraphy
