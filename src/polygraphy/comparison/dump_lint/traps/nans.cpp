// All NaN: memory that nothing was written to, or a model that overflowed before.
#include "polygraphy/comparison/dump_lint/dump_trap.h"

namespace polygraphy {
namespace {

std::vector<std::string> find(const DumpPair& pair) {
  std::vector<std::string> found;
  for (const TensorTraits& tensor : pair.dump.tensors) {
    if (tensor.nans) found.push_back(quoted(tensor.name));
  }
  return found;
}

}  // namespace

extern constinit const DumpTrap dump_trap_nans = {
    .name = "nans",
    .seen = "are all NaN",
    .remedy =
        "Nothing was captured there, or the model computed NaNs already: look at the first "
        "of them in the model's order.",
    .find = find};

}  // namespace polygraphy
