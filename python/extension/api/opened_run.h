// The runners and the feeds of a call that runs a model.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/given_arguments.h"
#include "api/given_prompts.h"
#include "api/given_runners.h"
#include "api/job.h"
#include "polygraphy/data/inputs/feed_source.h"
#include "polygraphy/models/decoder/decoder_feeds.h"
#include "polygraphy/runtimes/backend/runners.h"

namespace native {

// Whether runners decode, and what.
struct GivenDecoding {
  // Of `decode` (steps, or None), `free_run`, `tokens` (int64[rows, tokens] of each prompt, which
  // runners get in place of those that they prefer), `text` (a path, or empty), `window` (tokens of
  // each part of it) and the options of GivenPrompts. Throws Error.
  explicit GivenDecoding(const Keywords& keywords);

  std::optional<int64_t> steps;
  bool free_run = false;
  std::vector<polygraphy::TokenRows> tokens;
  GivenPrompts prompts;
};

using MakeFeeds = std::function<std::unique_ptr<polygraphy::FeedSource>()>;

// The feeds of results, as the model takes them; the same each time.
struct ModelFeeds {
  MakeFeeds make = {};
  std::vector<std::string> caches = {};  // Decoding::caches()
};

struct OpenedRun {
  std::vector<polygraphy::RunnerSpec> specs;  // with names
  polygraphy::Runners runners;
  std::unique_ptr<polygraphy::FeedSource> feeds;
  // As the model takes them, once the runners have run: all tokens of a prompt in one inference.
  ModelFeeds model_feeds;
};

// Made in a job; `given` and `factory` outlive it. Throws Error.
OpenedRun opened_run(const GivenRun& given, const GivenDecoding& decoding,
                     JobRunnerFactory& factory, Job& job);
// OpenedRun::model_feeds of runs that have decoded `decoding.tokens`.
ModelFeeds feeds_of_results(const GivenRun& given, const GivenDecoding& decoding,
                            JobRunnerFactory& factory, Job& job);

}  // namespace native
