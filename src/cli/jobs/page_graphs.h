// The picture of a page: its models, with the colours of its tables.
#pragma once

#include <vector>

#include "cli/session/session.h"
#include "pictures/report_page/report_page.h"
#include "polygraphy/models/loaders/model_source.h"

namespace polygraphy::cli {

// Adds the models' graphs side by side (graphs_section()), without the outputs that the command has
// marked. Adds nothing without --report, to a page without rows of nodes, and for models that are
// not of ONNX.
void add_graphs(const Session& session, const std::vector<ModelSource>& models, ReportPage& page);

}  // namespace polygraphy::cli
