// Results of a run besides its log: a folder with everything, intermediate outputs, an error if
// there is nothing to compare. All ours: guides of the tool use them.
#pragma once

#include <string>

#include "cli/session/environment.h"
#include "cli/syntax/parser.h"
#include "polygraphy/comparison/compare/run_and_compare.h"
#include "polygraphy/models/loaders/model_source.h"

namespace polygraphy::cli {

// --output-dir, resolved; empty: not given, or not an option of this command.
std::string output_dir(const ParsedArgs& args, const Environment& env);

// Where an option that was given without a value saves: `name` in --output-dir, else in the current
// folder.
std::string default_save_path(const ParsedArgs& args, const Environment& env,
                              const std::string& name);

// Fills in the outputs of the run and its saved files. Call after resolve_model() and
// resolve_inference().
void resolve_report(const ParsedArgs& args, const Environment& env, ModelSource& source,
                    CompareOptions& options);

}  // namespace polygraphy::cli
