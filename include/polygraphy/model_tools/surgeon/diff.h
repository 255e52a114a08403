// `surgeon diff`: the changes between two model files.
#pragma once

#include <cstdint>
#include <string>

#include "base/log.h"
#include "graphsurgeon/diff/diff.h"
#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

struct DiffModelsOptions {
  std::string before, after;            // paths
  graphsurgeon::DiffOptions what = {};  // the differences that count
  int64_t items = 20;                   // logged entries per list; negative: all
  std::string json = {};                // a file for the whole report; empty: no file
};

// The report's texts are views of the models.
struct ModelsDiff {
  graphsurgeon::Model before, after;
  graphsurgeon::DiffReport report;
};

// Runs graphsurgeon's diff(). INFO: the loaded models, and the report. Throws Error.
ModelsDiff diff(const DiffModelsOptions& options, Logger& log);

}  // namespace polygraphy
