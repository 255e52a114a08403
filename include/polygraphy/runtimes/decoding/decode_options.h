// Runs of language models token by token.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/log.h"
#include "polygraphy/models/loaders/model_source.h"
#include "polygraphy/runtimes/runner_factory/runner_factory.h"

namespace polygraphy {

// A run of the prompt in one inference (the prefill), then of one token after the other with the
// cache of the step before. Outputs of such a run are the logits of all tokens, the tokens
// ("tokens", int64[batch, prompt + steps + 1]), and the cache after the last step.
struct DecodeOptions {
  int64_t steps = 0;  // behind the prefill
  // Each runner goes on with the tokens that it prefers itself; else with those of the first one,
  // so that all see the same tokens.
  bool free_run = false;
  // A JSON file that says which inputs and outputs are which: {"tokens": "input_ids", "mask": ...,
  // "positions": ..., "logits": ..., "caches": {"past": "present"}, "sizes": {"head_size": 64}},
  // all of them optional. Empty: names and shapes say it.
  std::string names = {};
};

// A way to decode, for RunJob::decoding: runners that share it see the same tokens.
class Decoding;

// Of RunnerFactory::onnx() of the model; says in the log how inputs and outputs match. Throws
// Error: the model has no cache, no input of tokens or no logits, a name in the file that it lacks;
// IoError, FormatError.
std::shared_ptr<Decoding> decoding_of(const ModelSource& model, DecodeOptions options,
                                      RunnerFactory& factory, Logger& log);

}  // namespace polygraphy
