// A profiling run: as many tokens as fit, all of them alike.
#include <fmt/format.h>

#include "base/arrays/py_repr.h"
#include "polygraphy/comparison/dump_lint/dump_trap.h"

namespace polygraphy {
namespace {

// All tokens of such a run are the same, and so are its hidden states, if they are not zero.
std::vector<std::string> find(const DumpPair& pair) {
  std::vector<std::string> found;
  for (size_t i = 0; i < pair.dump.tensors.size(); ++i) {
    const TensorTraits* partner = pair.partner(i);
    const TensorTraits& tensor = pair.dump.tensors[i];
    if (!partner || !tensor.floats) continue;
    const auto tokens = longer_axis(tensor, *partner);
    if (!tokens || !alike_behind(pair.dump.read(i), *tokens)) continue;
    found.push_back(fmt::format("{} {}, on the other side {}", quoted(tensor.name),
                                py_list_repr(std::span<const int64_t>(tensor.shape)),
                                py_list_repr(std::span<const int64_t>(partner->shape))));
  }
  return found;
}

}  // namespace

extern constinit const DumpTrap dump_trap_profiling_run = {
    .name = "profiling-run",
    .seen = "have more tokens than those of the other side, and the same values for all of them",
    .remedy =
        "Servers such as vLLM run the model on dummy tokens first, to measure memory: skip "
        "the calls before the first request.",
    .find = find};

}  // namespace polygraphy
