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
#include "polygraphy/models/loaders/model_source.h"
#include "polygraphy/runtimes/runner_factory/runner_factory.h"

namespace polygraphy {

// The benchmark has no runners.
inline constexpr ErrorCode kNothingToMeasure{"nothing-to-measure"};

struct BenchmarkJob {
  std::vector<RunnerSpec> runners;
  ModelSource model;
  BenchmarkOptions options;
  // Inputs are generated, for every set of shapes with every batch size (generated_cases()) …
  DataLoaderOptions inputs;
  std::vector<Metadata> shapes;
  std::vector<int64_t> batches;
  // … or are the first feed of this source. Empty: generated.
  std::function<std::unique_ptr<FeedSource>()> make_feeds;
  int64_t nodes = 0;  // how many of the slowest nodes are logged; 0: single nodes are not timed
  std::string save, save_plot;  // paths of a JSON and an SVG file; empty: not saved
};

// Throws Error (kNothingToMeasure), IoError, Interrupted. Runners that fail are in the report.
BenchmarkReport benchmark(const BenchmarkJob& job, RunnerFactory& factory, Logger& log);

}  // namespace polygraphy
