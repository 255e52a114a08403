// A copy of a model whose weights are inputs, so that one session runs any choice of them.
#pragma once

#include <string>
#include <vector>

#include "graphsurgeon/ir/graph.h"
#include "polygraphy/diagnosis/sensitivity/models/sites.h"

namespace polygraphy {

// The inputs of one site.
struct SiteInputs {
  std::string weight;
  // With activations: whether the nodes read them quantised (a bool); empty: they cannot be.
  std::string quantizes;
};

// The rounding of a tensor that nodes of sites read.
struct RangeInputs {
  std::string tensor;
  std::string scale, zero_point;  // a float32, and an int8
};

struct OverridableModel {
  graphsurgeon::Model model;
  std::vector<SiteInputs> sites;    // as they were given
  std::vector<RangeInputs> ranges;  // with activations only
};

// The sites are those of this model. With `activations`, the factor of a site's node is rounded
// where the site's input `quantizes` is true. O(model).
OverridableModel overridable(const graphsurgeon::Model& model, const std::vector<Site>& sites,
                             bool activations);

}  // namespace polygraphy
