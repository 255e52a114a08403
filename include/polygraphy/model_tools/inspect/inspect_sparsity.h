// `inspect sparsity`: which weights have 2:4 structured sparsity.
#pragma once

#include <string>
#include <vector>

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "pictures/report_page/report_page.h"
#include "polygraphy/models/loaders/model_source.h"

namespace polygraphy {

struct InspectedSparsity {
  graphsurgeon::Model model;
  std::vector<std::string> sparse;  // names of the sparse weights
};

// Loads the model and logs for each candidate weight whether it is sparse: two of each four
// elements along its reduced dimension are zero. Throws Error.
InspectedSparsity inspect_sparsity(const ModelSource& source, Logger& log);

// The number of sparse weights, and a row for each node that reads a candidate.
std::vector<ReportSection> sparsity_sections(const InspectedSparsity& result);

}  // namespace polygraphy
