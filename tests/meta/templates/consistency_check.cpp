// A check that applies to no engine.
#include "polygraphy/diagnosis/consistency/consistency_check.h"

namespace polygraphy {
namespace {

void run(const CheckSubject& subject) {
  subject.not_applicable("it is a probe");
}

}  // namespace

extern constinit const ConsistencyCheck consistency_check_meta_probe = {
    .name = "meta-probe", .summary = "nothing at all", .order = 999, .run = run};

}  // namespace polygraphy
