// `run --benchmark`: from the command line to the library, and what was measured to where it is
// wanted.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/log.h"
#include "cli/args/benchmark.h"
#include "cli/args/data_loader.h"
#include "polygraphy/backend/runner.h"

namespace polygraphy::cli {

using Runners = std::vector<std::unique_ptr<Runner>>;

// What a benchmark is made of, beside the runners.
struct BenchmarkSources {
  std::function<Runners()> profiled;  // the runners once more, with the option "profile"
  const DataLoaderArgs& inputs;
  std::function<std::unique_ptr<FeedSource>()> feeds;  // for inputs that are not generated
  const std::function<bool()>& cancelled;
};

// False when a runner failed.
bool benchmark(const Runners& runners, const BenchmarkArgs& args, const BenchmarkSources& sources,
               Logger& log);

}  // namespace polygraphy::cli
