// No name in common: outputs are paired by guesses.
#include <fmt/format.h>

#include <algorithm>

#include "polygraphy/comparison/dump_lint/dump_trap.h"

namespace polygraphy {
namespace {

// Names that are only numbers, as of numpy.savez: arr_0.
bool numbered(const Dump& dump) {
  return std::all_of(dump.tensors.begin(), dump.tensors.end(), [](const TensorTraits& tensor) {
    return tensor.name.starts_with("arr_") || tensor.name.starts_with("output_");
  });
}

std::vector<std::string> find(const DumpPair& pair) {
  const auto &mine = pair.dump.tensors, &others = pair.other.tensors;
  // A single output needs no name.
  if (mine.size() < 2 || others.size() < 2 || numbered(pair.dump) || numbered(pair.other))
    return {};
  std::vector<std::string> found;
  for (size_t i = 0; i < mine.size(); ++i) {
    const TensorTraits* partner = pair.partner(i);
    if (partner && partner->name == mine[i].name) return {};
    found.push_back(
        partner ? fmt::format("{}, compared with {}", quoted(mine[i].name), quoted(partner->name))
                : quoted(mine[i].name));
  }
  return found;
}

}  // namespace

extern constinit const DumpTrap dump_trap_no_common_names = {
    .name = "no-common-names",
    .seen = "have no name that the other side has",
    .remedy =
        "Outputs are paired by similar names or places, which may be wrong: give them the "
        "names of the other side.",
    .find = find};

}  // namespace polygraphy
