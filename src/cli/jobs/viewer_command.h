// Shows a model in a browser, or writes what a browser shows.
#pragma once

#include "cli/args/visualization.h"
#include "cli/session/session.h"
#include "polygraphy/model_tools/visual/visual_model.h"

namespace polygraphy::cli {

// Serves until Ctrl-C, or writes the file. Throws Error.
void show_in_viewer(Session& session, const VisualizationArgs& args, VisualModel model);

}  // namespace polygraphy::cli
