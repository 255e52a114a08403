// The changes between two models, for programs (docs/diff.md).
#pragma once

#include <string>

#include "formats/json_writer.h"
#include "graphsurgeon/diff/diff.h"

namespace polygraphy {

// Everything in the report, and a line break. `before` and `after`: the models' paths. The layout
// is documented; later versions only add keys; "version" counts other changes.
void write_diff_json(const graphsurgeon::DiffReport& report, const std::string& before,
                     const std::string& after, TextSink& sink);

// The same into a file, which is replaced at once when it is complete. Throws IoError.
void save_diff_json(const graphsurgeon::DiffReport& report, const std::string& before,
                    const std::string& after, const std::string& path);

}  // namespace polygraphy
