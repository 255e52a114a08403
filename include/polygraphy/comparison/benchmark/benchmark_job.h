// The job behind `run --benchmark`: measures runners, logs and saves the figures.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "polygraphy/comparison/benchmark/benchmark.h"
#include "polygraphy/data/inputs/data_loader.h"
#include "polygraphy/data/inputs/feed_source.h"
#include "polygraphy/data/tensors/metadata.h"
#include "polygraphy/runtimes/backend/runners.h"

namespace polygraphy {

// The benchmark has no runners.
inline constexpr ErrorCode kNothingToMeasure{"nothing-to-measure"};

struct BenchmarkJob {
  Runners runners;
  BenchmarkOptions options;
  // Inputs are generated, for every set of shapes with every batch size (generated_cases()) …
  DataLoaderOptions inputs;
  std::vector<Metadata> shapes;
  std::vector<int64_t> batches;
  // … or are the first feed of this source. Empty: generated.
  std::function<std::unique_ptr<FeedSource>()> make_feeds;
  int64_t nodes = 0;  // number of slowest nodes to log; 0: do not time single nodes
  // Makes the same runners with the option "profile"; called to time nodes.
  std::function<Runners()> make_profiled;
  std::string save, save_plot;  // paths of a JSON and an SVG file; empty: not saved
};

// Throws Error (kNothingToMeasure), IoError, Interrupted. Runners that fail are in the report.
BenchmarkReport benchmark(const BenchmarkJob& job, Logger& log);

}  // namespace polygraphy
