// Results of running models in the original's JSON, piece by piece.
#pragma once

#include <string>

#include "formats/json_writer.h"
#include "polygraphy/data/results/results.h"
#include "polygraphy/data/results/saved_document.h"

namespace polygraphy {

void begin_results(JsonWriter& json);
void begin_runner(JsonWriter& json, const std::string& name);
// A runner's iterations follow here, at this depth: the object, `lst`, the runner's pair, its list.
constexpr int kIterationDepth = 4;
void write_iteration(JsonWriter& json, const IterationResult& result);
// One that lies in another file.
void write_saved_iteration(JsonWriter& json, const SavedIteration& iteration);
void end_runner(JsonWriter& json);
void end_results(JsonWriter& json);

}  // namespace polygraphy
