// Files that a command line names for reading and for writing: that none is both, and that what is
// to be written can be, before anything runs.
#pragma once

#include <span>
#include <vector>

#include "base/os/protected_files.h"
#include "cli/session/environment.h"
#include "cli/syntax/parser.h"

namespace polygraphy::cli {

// `levels`: the parsers from the executable down to the command. The tables say what happens to the
// files of an option (Option::files). Throws Error for a file that would be written over one that
// is read, by any name of it, for two outputs of one name, and for a folder where a back end reads
// a file; IoError for one that cannot be written. Returns what is read and must stay: what only the
// run finds out (names in folders) is checked against it (ProtectedFiles).
std::vector<FileIdentity> check_files(std::span<const ParsedArgs* const> levels,
                                      const Environment& env);

// Whether an output other than the log file is standard output ("-", /dev/stdout), so that nothing
// else may be written there.
bool takes_standard_output(std::span<const ParsedArgs* const> levels);

}  // namespace polygraphy::cli
