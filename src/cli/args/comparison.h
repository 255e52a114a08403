// Options of comparisons.
#pragma once

#include <memory>

#include "base/log.h"
#include "cli/session/environment.h"
#include "cli/syntax/parser.h"
#include "polygraphy/comparison/compare/run_and_compare.h"
#include "polygraphy/comparison/output_check/output_check.h"
#include "polygraphy/data/user_python/user_python.h"

namespace polygraphy::cli {

// The values of --compare, aliases and repetitions as typed; "simple" when it was not given.
std::vector<std::string> selected_functions(const ParsedArgs& args);

// Whether a comparison function or one of its options was given.
bool gives_comparison(const ParsedArgs& args);

// Whether an option was given that this comparison function reads.
bool has_options_of(const ParsedArgs& args, std::string_view function);

// The comparison functions alone, with their options. Throws Error.
void resolve_functions(const ParsedArgs& args, const Environment& env, CompareOptions& options);

// The comparison functions, or the task metric (--metric), for jobs that judge a model many times.
// `python` runs scripts. Throws Error.
OutputCheck resolve_output_check(const ParsedArgs& args, const Environment& env,
                                 const std::shared_ptr<UserPython>& python);
// Whether the option belongs to that.
bool is_of_output_check(const Syntax& syntax, const Syntax::Entry& entry);

// Fills what concerns comparing and validating. Warns of options that none of the selected
// functions reads.
void resolve_comparison(const ParsedArgs& args, const Environment& env, CompareOptions& options,
                        Logger& log);

// Loads the parts that run in Python into `options`: the functions of --compare-func-script and
// --postprocess-func-script, whose scripts run here, and LPIPS. Throws Error.
void load_scripts(const ParsedArgs& args, const Environment& env,
                  const std::shared_ptr<UserPython>& python, CompareOptions& options);

}  // namespace polygraphy::cli
