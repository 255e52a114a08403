// Checks files of the command line before anything runs: no file is both read and written, and
// outputs are writable.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/os/protected_files.h"
#include "cli/session/environment.h"
#include "cli/syntax/parser.h"

namespace polygraphy::cli {

// The file of SCRIPT:FUNCTION or FILE:NAME:SHAPE:DTYPE; `path` if none of it exists.
std::string existing_part(std::string path);

// `levels`: the parsers from the executable down to the command. The tables declare the use of an
// option's files (Option::files). Throws Error for an output that would overwrite an input, under
// any of its names, for two outputs of one name, and for a folder where a back end reads a file;
// IoError for an unwritable file. Returns the inputs, which must stay: names that only the run
// finds (in folders) are checked against them (ProtectedFiles).
std::vector<FileIdentity> check_files(std::span<const ParsedArgs* const> levels,
                                      const Environment& env);

// The files that the command reads, but for those of the options `without`, with the data files of
// its models: paths. Each once.
std::vector<std::string> files_read(const ParsedArgs& args, const Environment& env,
                                    std::span<const std::string_view> without);

// Whether an output other than the log file is standard output ("-", /dev/stdout), so that nothing
// else may be written there.
bool takes_standard_output(std::span<const ParsedArgs* const> levels);

}  // namespace polygraphy::cli
