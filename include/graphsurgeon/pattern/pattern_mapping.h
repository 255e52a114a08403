// One place in a graph that a pattern matched.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graphsurgeon/ir/node.h"
#include "graphsurgeon/ir/tensor.h"

namespace graphsurgeon {

// Maps each node of the pattern to a node of the graph. Keeps its nodes and tensors alive, so
// matches may be edited one after the other; the caller checks whether an earlier edit changed a
// later match.
class PatternMapping {
 public:
  // By the name given to GraphPattern::add(). Throw Error listing the names for an unknown
  // name, for a pattern in place of a node, and for a node in place of a pattern.
  Node& node(std::string_view name) const;
  const PatternMapping& sub(std::string_view name) const;
  bool contains(std::string_view name) const { return find(name) != nullptr; }

  // In the order in which they were matched: the node that consumes the first variable comes first.
  struct Member;
  const std::vector<Member>& members() const { return members_; }

  // The tensors of the pattern's variables and output tensors, in the order of their declaration.
  // Null for one that no node of the pattern uses.
  const std::vector<TensorRef>& inputs() const { return inputs_; }
  const std::vector<TensorRef>& outputs() const { return outputs_; }
  // By name, in the order of their declaration; constants of this pattern, not of nested ones.
  const std::vector<std::pair<std::string, TensorRef>>& constants() const { return constants_; }
  Tensor& constant(std::string_view name) const;  // throws Error listing the names

  // "{conv: conv_12, act: {sigmoid: s1, mul: m1}}".
  std::string text() const;

 private:
  friend class PatternSearch;
  const Member* find(std::string_view name) const;
  const Member& at(std::string_view name) const;

  std::vector<Member> members_;
  std::vector<TensorRef> inputs_, outputs_;
  std::vector<std::pair<std::string, TensorRef>> constants_;
};

struct PatternMapping::Member {
  std::string name;
  NodeRef node;        // null: a pattern
  PatternMapping sub;  // empty: a node
};

}  // namespace graphsurgeon
