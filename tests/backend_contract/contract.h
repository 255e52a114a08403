// The contract: named cases that every back end passes, but for those that its folder declares
// (backends/<name>/contract/exclusions.txt).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench.h"

namespace polygraphy::contract {

// `run` uses GoogleTest's EXPECT macros, and may throw.
struct Case {
  std::string name;  // "types/identity_float8e5m2"
  std::function<void(Bench&)> run;
};

std::vector<Case> types_cases();
std::vector<Case> shapes_cases();
std::vector<Case> values_cases();
std::vector<Case> errors_cases();
std::vector<Case> lifecycle_cases();
std::vector<Case> models_cases();

enum class Deviation {
  kUnsupported,  // the library says so itself: the case must end in an Error, never in wrong values
  kWrong,        // the library gets it wrong
};

// A line of exclusions.txt: pattern over case names | unsupported or wrong | reason.
struct Exclusion {
  std::string cases;
  Deviation deviation;
  std::string reason;
};

struct BackEnd {
  std::string name;
  std::vector<Exclusion> exclusions;
};

// Those whose plugins lie in the folder of the build, in order of name. Throws Error for a line of
// exclusions that says nothing.
std::vector<BackEnd> back_ends();

}  // namespace polygraphy::contract
