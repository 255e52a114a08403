// Results of a reduction for programs: `debug reduce --json`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/record.h"
#include "polygraphy/diagnosis/reduce/reduce.h"

namespace polygraphy {

struct FailingNode {
  std::string name, op;
  int64_t place = 0;
  std::vector<std::string> inputs, outputs;
};

constexpr auto record_of(RecordOf<FailingNode>) {
  return record<FailingNode>("FailingNode", "A node of the reduced model.",
                             member("name", &FailingNode::name, "Its name; may be empty."),
                             member("operator", &FailingNode::op, "Its operator."),
                             count("index", &FailingNode::place, "Its place in its graph, from 0."),
                             member("inputs", &FailingNode::inputs, "Tensors that it reads."),
                             member("outputs", &FailingNode::outputs, "Tensors that it makes."));
}

// Of the smallest failing model, inner graphs first. Empty without one.
std::vector<FailingNode> failing_nodes(const ReduceResult& result);

constexpr auto record_of(RecordOf<ReduceResult>) {
  return record<ReduceResult>(
      "ReductionFigures", "The smallest model that fails.",
      member("summary", &ReduceResult::summary, "The result in a line; empty: no model failed."),
      member("interrupted", &ReduceResult::interrupted, "Whether a smaller model is possible."),
      member("failure", &ReduceResult::failure,
             "The kind of the first failure, or null: not known.")
          .or_null(),
      count("checks", &ReduceResult::checks, "How often the check ran."),
      count("cached", &ReduceResult::cached, "Verdicts that equal candidates had given."),
      derived("nodes", failing_nodes, "Of the model, those of inner graphs first."));
}

}  // namespace polygraphy
