// The search for a planned pattern in a graph: depth first, with backtracking.
#pragma once

#include <vector>

#include "graphsurgeon/pattern/pattern_index.h"
#include "graphsurgeon/pattern/pattern_mapping.h"
#include "graphsurgeon/pattern/pattern_plan.h"

namespace graphsurgeon {

class PatternSearch {
 public:
  // Views both.
  PatternSearch(const PatternPlan& plan, const PatternIndex& index);

  std::vector<PatternMapping> run();

 private:
  // A step of the current search: the nodes that may still match, and the bindings at its
  // beginning.
  struct Frame {
    NodeUses::const_iterator next;  // up to the end of the tensor's uses
    size_t bound_tensors = 0;
  };

  bool hopeless() const;
  bool match_from(Node& start);
  void begin(size_t step);
  bool advance(size_t step);
  bool bind(int n, Node& node);
  bool bind(const std::vector<int>& slots, const TensorList& tensors);
  bool may_be(const PatternPlan::FlatTensor& wanted, Tensor& tensor) const;
  void unbind_to(size_t bound_tensors);
  PatternMapping mapping(int scope) const;

  const PatternPlan& plan_;
  const PatternIndex& index_;
  std::vector<Node*> nodes_;      // by node of the plan; null: not bound
  std::vector<Tensor*> tensors_;  // by tensor of the plan
  std::vector<int> trail_;        // tensors in the order of their binding
  std::vector<Frame> frames_;     // by step
};

}  // namespace graphsurgeon
