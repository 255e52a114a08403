// A rule that never applies.
#include "graphsurgeon/fold/rule.h"

namespace graphsurgeon {
namespace {

constexpr std::string_view kOps[] = {"MetaProbe"};

bool apply(Node&, FoldContext&) {
  return false;
}

}  // namespace

extern constinit const FoldRule fold_rule_meta_probe = {
    .name = "meta-probe", .summary = "nothing at all", .ops = kOps, .apply = apply};

}  // namespace graphsurgeon
