// The contract: named cases that every engine passes, but for what engines.cpp declares.
#pragma once

#include <functional>
#include <span>
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
  kUnsupported,  // the engine says so itself: the case must end in an Error, never in wrong values
  kWrong,        // the engine gets it wrong; will shrink
};

// What one engine does not do. `cases` is a pattern over case names.
struct Exclusion {
  const char* cases;
  Deviation deviation;
  const char* reason;
};

struct Engine {
  const char* name;
  std::span<const Exclusion> exclusions;
};

std::span<const Engine> engines();

}  // namespace polygraphy::contract
