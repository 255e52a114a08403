// All zero: a buffer that was copied before the model wrote to it, or a hook that never ran.
#include "polygraphy/comparison/dump_lint/dump_trap.h"

namespace polygraphy {
namespace {

// Models have outputs that are zero, too: masks, caches without tokens. So a tensor is suspicious
// where the other side has values; without another side, where most tensors are zero.
std::vector<std::string> find(const DumpPair& pair) {
  std::vector<std::string> found, alone;
  size_t floats = 0;
  for (size_t i = 0; i < pair.dump.tensors.size(); ++i) {
    const TensorTraits& tensor = pair.dump.tensors[i];
    floats += tensor.floats ? 1 : 0;
    if (!tensor.zeros) continue;
    const TensorTraits* partner = pair.partner(i);
    if (!partner) {
      alone.push_back(quoted(tensor.name));
    } else if (partner->floats && !partner->zeros) {
      found.push_back(quoted(tensor.name));
    }
  }
  if (alone.size() > 1 && 2 * alone.size() > floats)
    found.insert(found.end(), alone.begin(), alone.end());
  return found;
}

}  // namespace

extern constinit const DumpTrap dump_trap_zeros = {
    .name = "zeros",
    .seen = "are all zeros, unlike the other side's",
    .remedy =
        "They were probably captured before the model had run, as in a run for memory "
        "profiling, or by a hook that was never called: capture them again.",
    .find = find};

}  // namespace polygraphy
