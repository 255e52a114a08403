// One tensor under the names of several layers: a hook that keeps a reference to a buffer that is
// used again, or that is bound to the last layer.
#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "polygraphy/comparison/dump_lint/dump_trap.h"

namespace polygraphy {
namespace {

// "layers.#.out" for "layers.11.out".
std::string numberless(std::string_view name) {
  std::string text;
  for (const char c : name) {
    if (c < '0' || c > '9') {
      text += c;
    } else if (text.empty() || text.back() != '#') {
      text += '#';
    }
  }
  return text;
}

// Which has no order.
bool has_nan(const TensorTraits& tensor) {
  return std::any_of(tensor.sample.begin(), tensor.sample.end(),
                     [](double value) { return std::isnan(value); });
}

using Group = std::vector<size_t>;

// Tensors whose names differ in numbers only, and whose samples are equal. Constants are left out.
std::vector<Group> candidates(const Dump& dump) {
  std::map<std::tuple<std::string, DataType, Shape, std::vector<double>>, Group> groups;
  for (size_t i = 0; i < dump.tensors.size(); ++i) {
    const TensorTraits& tensor = dump.tensors[i];
    if (!tensor.floats || tensor.constant() || has_nan(tensor)) continue;
    groups[{numberless(tensor.name), tensor.dtype, tensor.shape, tensor.sample}].push_back(i);
  }
  std::vector<Group> result;
  for (auto& [key, group] : groups) {
    if (group.size() > 1) result.push_back(std::move(group));
  }
  return result;
}

// Models have such tensors, too: tables of positions, masks. So a group is suspicious if the other
// side's are not all equal, or if it is most of the dump.
bool suspicious(const Group& group, const DumpPair& pair, size_t floats) {
  const TensorTraits* first = nullptr;
  for (const size_t tensor : group) {
    const TensorTraits* partner = pair.partner(tensor);
    if (!partner || !partner->floats) continue;
    if (first && (first->shape != partner->shape || first->sample != partner->sample)) return true;
    first = partner;
  }
  return group.size() > 2 && 2 * group.size() > floats;
}

std::vector<std::string> find(const DumpPair& pair) {
  size_t floats = 0;
  for (const TensorTraits& tensor : pair.dump.tensors) floats += tensor.floats ? 1 : 0;
  std::vector<std::string> found;
  for (const Group& group : candidates(pair.dump)) {
    if (!suspicious(group, pair, floats)) continue;
    const Array first = pair.dump.read(group.front());
    Group equal = {group.front()};
    for (size_t i = 1; i < group.size(); ++i) {
      if (bitwise_equal(first, pair.dump.read(group[i]))) equal.push_back(group[i]);
    }
    if (equal.size() < 2) continue;
    for (const size_t tensor : equal) found.push_back(quoted(pair.dump.tensors[tensor].name));
  }
  return found;
}

}  // namespace

extern constinit const DumpTrap dump_trap_one_for_all = {
    .name = "one-for-all",
    .seen = "are one and the same tensor, bit for bit",
    .remedy =
        "Their hooks probably kept a buffer that the program uses again, or all belong to "
        "one layer: copy a tensor when it is captured.",
    .find = find};

}  // namespace polygraphy
