// Most outputs are zero on both sides: they agree, and nothing was compared.
#include "polygraphy/comparison/dump_lint/dump_trap.h"

namespace polygraphy {
namespace {

std::vector<std::string> find(const DumpPair& pair) {
  std::vector<std::string> found;
  size_t compared = 0;
  for (size_t i = 0; i < pair.dump.tensors.size(); ++i) {
    const TensorTraits* partner = pair.partner(i);
    if (!partner || !pair.dump.tensors[i].floats) continue;
    ++compared;
    if (pair.dump.tensors[i].zeros && partner->zeros)
      found.push_back(quoted(pair.dump.tensors[i].name));
  }
  // A few are masks, and the like.
  if (2 * found.size() <= compared) found.clear();
  return found;
}

}  // namespace

extern constinit const DumpTrap dump_trap_zeros_on_both_sides = {
    .name = "zeros-on-both-sides",
    .seen = "are all zero on both sides",
    .remedy = "They agree whatever the models compute: capture them in a run with real inputs.",
    .find = find};

}  // namespace polygraphy
