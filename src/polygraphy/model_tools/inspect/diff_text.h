// The changes between two models, for people (docs/diff.md).
#pragma once

#include <cstdint>
#include <string>

#include "graphsurgeon/diff/diff.h"

namespace polygraphy {

struct DiffTextOptions {
  int64_t items = 20;  // shown of each list; negative: all
};

// Sections for the differences, then the summary. The same for the same models.
std::string diff_text(const graphsurgeon::DiffReport& report, const DiffTextOptions& options = {});

// One line: "nodes: 1 added, 2 changed; initializers: 1 removed", or "nothing".
std::string diff_summary(const graphsurgeon::DiffReport& report);

}  // namespace polygraphy
