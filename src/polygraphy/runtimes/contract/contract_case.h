// The contract: named cases that every back end passes, but for those that its makers declare
// (exclusions.h).
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "polygraphy/backend.h"

namespace polygraphy::contract {

class Workbench;

// Whether it runs the models that most cases are made of.
bool takes_onnx(const pgb_backend_options& backend);
bool takes_anything(const pgb_backend_options& backend);

// `run` notes its findings in the bench. It may throw: an Error has the library's text.
struct Case {
  std::string name;  // "types/identity_float8e5m2"
  std::function<void(Workbench&)> run;
  bool (*applies)(const pgb_backend_options&) = takes_onnx;
  bool needs_model = false;  // of the library's own format (Workbench::use_model)
};

// Cases of one subject, each named after the file that defines the group: cases/<group>.cpp.
struct CaseGroup {
  std::vector<Case> (*cases)();
};

// In alphabetical order.
std::span<const CaseGroup* const> case_groups();

// The cases of all groups.
const std::vector<Case>& all_cases();
// The case that says whether there is a library: the others need it.
inline constexpr std::string_view kOpeningCase = "plugin/tells_about_its_library";
// Throws Error if no case has that name.
const Case& find_case(std::string_view name);

// The outcome of a case; it passed if all of these are empty.
struct CaseResult {
  std::vector<std::string> failures = {};  // found and expected values
  std::string refusal = {};                // the text of the Error in which it ended
  std::string crash = {};                  // how the process ended, or that it had to be ended

  bool passed() const { return failures.empty() && refusal.empty() && crash.empty(); }
};

// In this process.
CaseResult run_case(const Case& each, Workbench& bench);

}  // namespace polygraphy::contract
