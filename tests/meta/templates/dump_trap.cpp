// A trap that no dump falls into.
#include "polygraphy/comparison/dump_lint/dump_trap.h"

namespace polygraphy {
namespace {

std::vector<std::string> find(const DumpPair&) {
  return {};
}

}  // namespace

extern constinit const DumpTrap dump_trap_meta_probe = {
    .name = "meta-probe", .seen = "are probes", .remedy = "Remove them.", .find = find};

}  // namespace polygraphy
