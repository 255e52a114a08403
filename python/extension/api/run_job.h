// The job of a call that runs a model.
#pragma once

#include <optional>
#include <vector>

#include "api/given_arguments.h"
#include "api/given_prompts.h"
#include "api/given_runners.h"
#include "api/job.h"
#include "polygraphy/comparison/run_job/run_job.h"
#include "polygraphy/models/decoder/decoder_feeds.h"

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

// Made in a job; `given` and `factory` outlive it. Its runners have names. Throws Error.
polygraphy::RunJob run_job(const GivenRun& given, const GivenDecoding& decoding,
                           polygraphy::CompareOptions options, JobRunnerFactory& factory, Job& job);

}  // namespace native
