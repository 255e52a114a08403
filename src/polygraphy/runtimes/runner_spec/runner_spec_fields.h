// The fields of a RunnerSpec that its text and its JSON have in common.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "polygraphy/runtimes/runner_spec/runner_spec.h"

namespace polygraphy {

// A field that is true or false.
struct RunnerSpecFlag {
  std::string_view word;    // of the text, behind "--"
  std::string_view member;  // of the JSON object
  bool& (*field)(RunnerSpec& spec);

  bool& of(RunnerSpec& spec) const { return field(spec); }
  bool of(const RunnerSpec& spec) const { return field(const_cast<RunnerSpec&>(spec)); }
};

inline constexpr RunnerSpecFlag kRunnerSpecFlags[] = {
    {"bundled", "bundled", [](RunnerSpec& spec) -> bool& { return spec.bundled; }},
    {"isolated", "isolated", [](RunnerSpec& spec) -> bool& { return spec.isolated; }},
    {"profile", "profile", [](RunnerSpec& spec) -> bool& { return spec.session.profile; }},
    {"single-run", "single_run", [](RunnerSpec& spec) -> bool& { return spec.session.single_run; }},
    {"verbatim", "verbatim", [](RunnerSpec& spec) -> bool& { return spec.session.verbatim; }},
};

// NAME:[SHAPE]:TYPE, as parse_metadata() reads it. Throws Error.
void add_input(std::string_view text, Metadata& inputs);
std::vector<std::string> input_texts(const Metadata& inputs);

// "2.5", "10": the shortest text that reads as the same number.
std::string shortest_number(double value);

}  // namespace polygraphy
