// A pattern made ready for searching: patterns within it split into their operators, and an order
// in which to match these, each reached from one matched before.
#pragma once

#include <string>
#include <vector>

#include "graphsurgeon/pattern/graph_pattern.h"

namespace graphsurgeon {

class PatternPlan {
 public:
  enum class Reach : uint8_t {
    kStart,     // any node of the graph
    kProducer,  // the producer of a tensor that is known by then
    kConsumer,  // one of its consumers
  };
  struct Step {
    int node;
    int via;  // tensor; -1 for the start
    Reach reach;
  };
  struct FlatNode {
    const std::string* op;
    const NodeCheck* check;
    std::vector<int> inputs, outputs;  // tensors
  };
  struct FlatTensor {
    bool produced = false;
    bool must_be_constant = false;
    bool internal = true;      // no consumers outside, not an output of the graph
    size_t num_consumers = 0;  // nodes, not slots
  };
  // A pattern within the pattern, or the whole one.
  struct Scope {
    const GraphPattern* pattern;
    std::vector<int> tensors;                 // which one each tensor of `pattern` is
    std::vector<int> nodes, scopes;           // the kind of each member: one of the two is -1
    std::vector<int> order;                   // of the members, as they are matched
    std::vector<int> producers;               // member that makes each tensor of `pattern`, or -1
    std::vector<std::vector<int>> consumers;  // members, each once
    std::vector<bool> reached;                // members
  };

  // Views `pattern`. Throws Error as GraphPattern::match_all() says. O(pattern) where each node is
  // reached along tensors produced in the pattern or along the first variable.
  explicit PatternPlan(const GraphPattern& pattern);

  const std::vector<Step>& steps() const { return steps_; }
  const std::vector<FlatNode>& nodes() const { return nodes_; }
  const std::vector<FlatTensor>& tensors() const { return tensors_; }
  const Scope& scope(int i) const { return scopes_[i]; }  // 0: the whole pattern

 private:
  struct Place {  // a member of a scope
    int scope, member;
  };
  int add_tensor(FlatTensor tensor);
  int flatten(const GraphPattern& pattern, std::vector<int> variables);
  void count_consumers();
  void take(Step step);
  bool reach(Place place, int tensor, Reach how);
  bool reach_within(int scope, size_t slot, Reach how);
  void reach_around(Place place);
  void reach_consumers(int scope, int tensor);
  void reach_the_rest();

  std::vector<FlatNode> nodes_;
  std::vector<FlatTensor> tensors_;
  std::vector<Scope> scopes_;
  std::vector<Step> steps_;
  std::vector<bool> taken_;  // nodes
  std::vector<bool> known_;  // tensors of these
};

}  // namespace graphsurgeon
