#include "graphsurgeon/pattern/pattern_mapping.h"

#include <algorithm>

#include "base/error.h"

namespace graphsurgeon {

namespace {

// "'conv', 'relu'"
template <typename List, typename Name>
std::string quoted(const List& list, Name name) {
  std::string text;
  for (const auto& item : list) {
    text += (text.empty() ? "'" : ", '") + std::string(name(item)) + "'";
  }
  return text.empty() ? "nothing" : text;
}

}  // namespace

const PatternMapping::Member* PatternMapping::find(std::string_view name) const {
  const auto found = std::find_if(members_.begin(), members_.end(),
                                  [&](const Member& member) { return member.name == name; });
  return found == members_.end() ? nullptr : &*found;
}

const PatternMapping::Member& PatternMapping::at(std::string_view name) const {
  if (const Member* member = find(name)) return *member;
  throw polygraphy::Error(
      "the pattern has no node '" + std::string(name) + "'",
      "It has " + quoted(members_, [](const Member& member) { return member.name; }) + ".");
}

Node& PatternMapping::node(std::string_view name) const {
  const Member& member = at(name);
  if (member.node) return *member.node;
  throw polygraphy::Error("'" + member.name + "' is a pattern, not a node",
                          "Use sub(\"" + member.name + "\").");
}

const PatternMapping& PatternMapping::sub(std::string_view name) const {
  const Member& member = at(name);
  if (!member.node) return member.sub;
  throw polygraphy::Error("'" + member.name + "' is a node, not a pattern",
                          "Use node(\"" + member.name + "\").");
}

Tensor& PatternMapping::constant(std::string_view name) const {
  for (const auto& [known, tensor] : constants_) {
    if (known == name) return *tensor;
  }
  throw polygraphy::Error(
      "the pattern has no constant '" + std::string(name) + "'",
      "It has " + quoted(constants_, [](const auto& entry) { return entry.first; }) + ".");
}

std::string PatternMapping::text() const {
  std::string text = "{";
  for (const Member& member : members_) {
    if (text.size() > 1) text += ", ";
    text += member.name + ": ";
    text += member.node ? std::string(member.node->name()) : member.sub.text();
  }
  return text + "}";
}

}  // namespace graphsurgeon
