// A copy of a command's model with its report in the metadata of nodes: viewers of models show it.
#pragma once

#include "cli/session/session.h"
#include "pictures/report_page/report_page.h"

namespace polygraphy::cli {

// Whether the option is given. Throws Error if the command has no model.
bool wants_annotated_model(const Session& session);

// Writes the model to the option's file: each node that a table of the page has gets
// "polygraphy.Verdict" and the figures ("polygraphy.Times noise") as metadata_props, and the model
// the headline. Throws Error.
void write_annotated_model(Session& session, const ReportPage& page);

}  // namespace polygraphy::cli
