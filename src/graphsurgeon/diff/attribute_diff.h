// Changes of the attributes of a node.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "graphsurgeon/diff/diff.h"

namespace graphsurgeon {

// Adds the differences in the order of names; the contents of graphs are not compared here.
void put_attribute_changes(std::vector<Change>& changes, const Node& a, const Node& b,
                           const DiffOptions& options);

// compare_weights() with the options of the diff.
std::optional<WeightDiff> weight_diff(const Payload& a, const Payload& b, std::string_view tensor,
                                      const DiffOptions& options);

// "3 of 12 elements differ, by 0.5 at most (4 ulp), first at [0, 2]: 1.0 -> 1.5"
std::string to_text(const WeightDiff& values);

}  // namespace graphsurgeon
