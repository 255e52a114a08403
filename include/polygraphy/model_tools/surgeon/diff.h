// `surgeon diff`: what changed between two model files.
#pragma once

#include <cstdint>
#include <string>

#include "base/log.h"
#include "graphsurgeon/diff/diff.h"
#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

struct DiffModelsOptions {
  std::string before, after;            // paths
  graphsurgeon::DiffOptions what = {};  // what counts as a difference
  int64_t items = 20;                   // shown of each list; negative: all
  std::string json = {};                // a file for the whole report; empty: none
};

// The report's texts are views of the models.
struct ModelsDiff {
  graphsurgeon::Model before, after;
  graphsurgeon::DiffReport report;
};

// graphsurgeon's diff(). INFO: which models are loaded, and the report. Throws Error.
ModelsDiff diff(const DiffModelsOptions& options, Logger& log);

}  // namespace polygraphy
