// A group of cases of the contract of back ends.
#include "polygraphy/runtimes/contract/contract_case.h"
#include "polygraphy/runtimes/contract/workbench.h"

namespace polygraphy::contract {
namespace {

void has_a_name(Workbench& bench) {
  bench.holds("the back end has a name", !bench.runtime().empty());
}

std::vector<Case> cases() {
  return {{"meta_probe/has_a_name", has_a_name, takes_anything}};
}

}  // namespace

extern constinit const CaseGroup case_group_meta_probe = {.cases = cases};

}  // namespace polygraphy::contract
