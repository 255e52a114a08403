// A job as a command line.
#pragma once

#include <string>
#include <vector>

#include "cli/syntax/job.h"

namespace polygraphy::cli {

// The command line behind "polygraphy". `syntax`: of the job's command. A value never becomes an
// option, whatever its text. `further`: options that are added to the job's. Throws Error for
// arguments that the command does not have, and for values that it does not take.
std::vector<std::string> words_of(const JobDocument& job, const Syntax& syntax,
                                  const std::vector<std::string>& further = {});

}  // namespace polygraphy::cli
