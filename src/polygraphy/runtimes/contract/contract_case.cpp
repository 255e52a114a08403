#include "polygraphy/runtimes/contract/contract_case.h"

#include "base/error.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"
#include "polygraphy/runtimes/contract/workbench.h"

namespace polygraphy::contract {

bool takes_onnx(const pgb_backend_options& backend) {
  return takes_format(backend, kOnnxFormat);
}

bool takes_anything(const pgb_backend_options&) {
  return true;
}

const std::vector<Case>& all_cases() {
  static const std::vector<Case> all = [] {
    std::vector<Case> made;
    for (const CaseGroup* group : case_groups()) {
      for (Case& each : group->cases()) made.push_back(std::move(each));
    }
    return made;
  }();
  return all;
}

const Case& find_case(std::string_view name) {
  for (const Case& each : all_cases()) {
    if (each.name == name) return each;
  }
  throw Error("the contract has no case '" + std::string(name) + "'");
}

CaseResult run_case(const Case& each, Workbench& bench) {
  CaseResult result;
  try {
    each.run(bench);
  } catch (const Error& error) {
    result.refusal = error.what();
    if (!error.hint().empty()) result.refusal += "\n" + error.hint();
  } catch (const std::exception& failed) {  // CaseFailed, and errors of vectors of a wrong size
    bench.holds(failed.what(), false);
  }
  result.failures = bench.failures();
  return result;
}

}  // namespace polygraphy::contract
