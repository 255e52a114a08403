// The picture of a page: its models, with the colours of its tables.
#pragma once

#include <functional>
#include <vector>

#include "cli/session/session.h"
#include "graphsurgeon/ir/graph.h"
#include "pictures/report_page/report_page.h"
#include "polygraphy/model_tools/visual/viewer_page.h"
#include "polygraphy/models/loaders/model_source.h"

namespace polygraphy::cli {

using PartnersOf =
    std::function<TensorPartners(const graphsurgeon::Model& one, const graphsurgeon::Model& other)>;

// Adds the models' graphs side by side (graphs_section()), without the outputs that the command has
// marked. Adds nothing without --report, to a page without rows of nodes, and for models that are
// not of ONNX. `partners_of`: of two models.
void add_graphs(const Session& session, const std::vector<ModelSource>& models, ReportPage& page,
                const PartnersOf& partners_of = {});

}  // namespace polygraphy::cli
