// What is kept of a run besides its log: a folder with everything, intermediate outputs, a verdict
// that there was something to compare. All ours: guides of the tool use them.
#pragma once

#include <string>

#include "cli/session/environment.h"
#include "cli/syntax/arg_group.h"
#include "cli/syntax/parser.h"
#include "polygraphy/comparison/compare/run_and_compare.h"
#include "polygraphy/models/loaders/model_source.h"

namespace polygraphy::cli {

extern const ArgGroup args_report;

// --output-dir, resolved; empty: not given, or not an option of this command.
std::string output_dir(const ParsedArgs& args, const Environment& env);

// Where an option that was given without a value saves: `name` in --output-dir, else in the current
// folder.
std::string default_save_path(const ParsedArgs& args, const Environment& env,
                              const std::string& name);

// Fills what the model is run for and what is saved of it. After resolve_model_source() and
// resolve_inference().
void resolve_report(const ParsedArgs& args, const Environment& env, ModelSource& source,
                    CompareOptions& options);

}  // namespace polygraphy::cli
