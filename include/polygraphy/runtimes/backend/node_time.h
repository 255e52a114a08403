// The time of one node of a model, if the runtime reports it.
#pragma once

#include <cstdint>
#include <string>

#include "base/record.h"

namespace polygraphy {

struct NodeTime {
  std::string node, op, kernel;
  double microseconds = 0;
  int64_t order = 0;
};
constexpr auto record_of(RecordOf<NodeTime>) {
  using Of = NodeTime;
  return record<Of>("NodeTime", "The time of one node.",
                    member("node", &Of::node, "Its name in the model, if the engine knows it."),
                    member("op", &Of::op, "Its operator, likewise.").python("op_type"),
                    member("kernel", &Of::kernel, "The engine's name of the implementation."),
                    member("microseconds", &Of::microseconds, "The median of the measured runs."),
                    count("order", &Of::order, "Its place among the nodes as they ran, from 0."));
}

}  // namespace polygraphy
