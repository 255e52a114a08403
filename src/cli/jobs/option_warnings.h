// Options that are understood, but do not do what their user may expect.
#pragma once

#include <span>
#include <string_view>

#include "base/log.h"
#include "cli/syntax/parser.h"

namespace polygraphy::cli {

// With their new form.
void warn_of_removed_options(const ParsedArgs& args, Logger& log);

// Options without one that they need (Option::needs): one of ours, or for a file that would not be
// written, is an Error; scripts for the original may rely on others, so they are warned of.
void check_needed_options(const ParsedArgs& args, Logger& log);

// Throws Error if one of `others` was given beside `option`, which was; others that the command
// lacks do not count.
void refuse_together(const ParsedArgs& args, std::string_view option,
                     std::span<const std::string_view> others);
// Warns of options of comparison functions, which have no effect with `option`, but for those of
// the function `read`.
void warn_of_function_options(const ParsedArgs& args, std::string_view option,
                              std::string_view read, Logger& log);

// Warns of options of ours for a back end whose runner is not selected; the original's are ignored
// in silence, as there.
void warn_of_unused_backend_options(const ParsedArgs& args, Logger& log);

// Warns of files that several runners of a back end would overwrite. Caches, to which runners add,
// are exempt.
void warn_of_files_of_several_runners(const ParsedArgs& args, Logger& log);

}  // namespace polygraphy::cli
