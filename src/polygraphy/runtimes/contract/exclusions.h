// The cases that a back end does not pass, as its authors declare.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "polygraphy/runtimes/contract/contract_case.h"

namespace polygraphy::contract {

enum class Deviation {
  kUnsupported,  // the library says so itself: the case must end in an Error, never in wrong values
  kWrong,        // the library gets it wrong
  kVaries,       // the library gets it wrong on some processors
};

// A line of the file: pattern over names of cases | unsupported, wrong or varies | reason.
struct Exclusion {
  std::string cases;
  Deviation deviation;
  std::string reason;
};

// Lines that are empty or begin with # say nothing. `name`: of the file, for messages. Throws Error
// for another line, with its number, and for a file that is too long.
std::vector<Exclusion> parse_exclusions(std::string_view text, const std::string& name);
// Throws IoError, too.
std::vector<Exclusion> load_exclusions(const std::string& path);
// The first that is about the case; null: none.
const Exclusion* exclusion_of(const std::vector<Exclusion>& exclusions, const std::string& name);

// The meaning of a result, given the declared deviation.
struct Judgement {
  enum class Kind {
    kPassed,
    kExcluded,  // it deviates as declared
    kStale,     // it was declared to deviate, and passes
    kFailed,
  };
  Kind kind;
  std::vector<std::string> lines = {};  // of a failure: its findings
};
Judgement judge(const CaseResult& result, const Exclusion* exclusion);

}  // namespace polygraphy::contract
