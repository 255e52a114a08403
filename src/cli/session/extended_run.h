// Packages of the user's Python that add options and runners to `run`: entry points
// `polygraphy.run.plugins`, as in the original.
#pragma once

#include <string>
#include <vector>

#include "cli/session/environment.h"

namespace polygraphy::cli {

// The options that the packages add.
struct RunExtensions {
  std::vector<std::string> options = {};  // spellings
  std::string help = {};                  // its sections, as of argparse
};

// Starts Python only if a package has the entry points, or the folders of packages are not known.
RunExtensions run_extensions(const Environment& env);

// Becomes the Python tool of the same name with the options of the packages, and does not return.
// Returns a sentence about `ours`, the given options that the tool lacks, if there are any.
std::string become_extended_run(Environment& env, const std::vector<std::string>& argv,
                                const std::vector<std::string>& ours);

}  // namespace polygraphy::cli
