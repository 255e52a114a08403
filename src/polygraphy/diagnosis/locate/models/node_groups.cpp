#include "polygraphy/diagnosis/locate/models/node_groups.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace polygraphy {
namespace {

// The assumed size of a tensor of unknown size.
constexpr uint64_t kUnknownBytes = uint64_t{1} << 20;

}  // namespace

std::vector<NodePart> node_groups(const WholeModel& model, const std::vector<NodePart>& chains,
                                  const ValueMap& feed, int64_t samples, uint64_t budget) {
  std::vector<std::string> names;
  for (const NodeFacts& node : model.nodes())
    names.insert(names.end(), node.makes.begin(), node.makes.end());
  const std::vector<uint64_t> sizes = model.bytes_of(names, feed, kUnknownBytes);
  std::unordered_map<std::string_view, uint64_t> size_of;
  for (size_t i = 0; i < names.size(); ++i)
    size_of[names[i]] = sizes[i] * static_cast<uint64_t>(samples);

  std::vector<NodePart> groups(1);
  std::unordered_set<std::string_view> inside;
  uint64_t total = 0;
  const auto add = [&](const NodePart& part) {
    uint64_t more = 0;
    std::vector<std::string_view> fresh;
    const auto count = [&](const std::string& name) {
      const auto size = size_of.find(name);
      if (size == size_of.end() || inside.contains(name)) return;
      if (std::find(fresh.begin(), fresh.end(), name) != fresh.end()) return;
      fresh.push_back(name);
      more += size->second;
    };
    for (const size_t position : part) {
      for (const std::string& name : model.nodes()[position].reads) count(name);
      for (const std::string& name : model.nodes()[position].makes) count(name);
    }
    const bool splits = part.size() > 1 || !groups.back().empty();
    if (splits && total + more > budget) return false;
    inside.insert(fresh.begin(), fresh.end());
    total += more;
    groups.back().insert(groups.back().end(), part.begin(), part.end());
    return true;
  };
  const auto begin_group = [&] {
    groups.emplace_back();
    inside.clear();
    total = 0;
  };
  for (const NodePart& chain : chains) {
    if (add(chain)) continue;
    begin_group();
    if (add(chain)) continue;
    for (const size_t position : chain) {
      if (add({position})) continue;
      begin_group();
      add({position});
    }
  }
  std::erase_if(groups, [](const NodePart& group) { return group.empty(); });
  for (NodePart& group : groups) std::sort(group.begin(), group.end());
  return groups;
}

}  // namespace polygraphy
