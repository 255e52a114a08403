// Where a run's inputs come from (spec C.9).
#pragma once

#include <string>
#include <vector>

#include "base/log.h"
#include "cli/arg_group.h"
#include "cli/environment.h"
#include "cli/parser.h"
#include "polygraphy/data/data_loader.h"

namespace polygraphy::cli {

extern const ArgGroup args_data_loader;

struct DataLoaderArgs {
  DataLoaderOptions options;             // for generated inputs
  std::vector<std::string> load_inputs;  // not empty: saved ones instead
};

// Warns of options that saved inputs make pointless. Throws Error for ranges that are none.
DataLoaderArgs resolve_data_loader(const ParsedArgs& args, const Environment& env,
                                   const Metadata& shapes, Logger& log);

}  // namespace polygraphy::cli
