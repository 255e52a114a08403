// Where a run's inputs come from.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/log.h"
#include "cli/session/environment.h"
#include "cli/syntax/parser.h"
#include "cli/syntax/value_parsing.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/data/inputs/calibration_feeds.h"
#include "polygraphy/data/inputs/data_loader.h"
#include "polygraphy/data/inputs/feed_source.h"
#include "polygraphy/data/user_python/user_python.h"
#include "polygraphy/models/loaders/model_source.h"
#include "polygraphy/runtimes/backend/session_options.h"

namespace polygraphy::cli {

struct DataLoaderArgs {
  DataLoaderOptions options;             // for generated inputs
  std::optional<IndexRange> samples;     // of the inputs; nullopt: all
  bool valid = false;                    // --data-loader valid
  std::vector<std::string> load_inputs;  // not empty: saved ones instead
  bool torch = false;                    // torch's random numbers
  std::optional<ScriptSymbol> script;    // a function that gives them instead
};

// Warns of options that have no effect with saved inputs. Throws Error for invalid ranges.
DataLoaderArgs resolve_data_loader(const ParsedArgs& args, const Environment& env,
                                   const Metadata& shapes, Logger& log);

// The ranges of --val-range by the names of inputs; "" is that of all others. Throws Error.
OrderedMap<std::pair<double, double>> resolve_val_range(const ParsedArgs& args);

// The two ends of a range of --val-range, as numbers. Throws Error.
std::vector<Value> parse_val_range(const std::string& input, const std::string& text);

// For `valid`: the graph that constrains the values. The model must outlive the feeds.
void use_graph_of(const ModelSource& source, DataLoaderArgs& inputs);
void use_graph_of(const graphsurgeon::Model& model, DataLoaderArgs& inputs);

// The feeds that they are. A script runs here. Throws Error.
std::unique_ptr<FeedSource> make_feeds(const DataLoaderArgs& inputs,
                                       const std::shared_ptr<UserPython>& python, Logger& log);

// The same feeds to calibrate with, made when a build asks for the first. `log` outlives it.
CalibrationBatch make_calibration(DataLoaderArgs inputs, std::shared_ptr<UserPython> python,
                                  CalibrationFeeds::Random random, Logger& log);

// Before long work. Throws IoError for a missing script or file of inputs.
void require_inputs(const DataLoaderArgs& inputs);

// For commands that calibrate with inputs, or else have no use for them.
void warn_of_unused_inputs(const ParsedArgs& args, Logger& log);

}  // namespace polygraphy::cli
