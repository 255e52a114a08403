// Runs of language models token by token.
#pragma once

#include <cstdint>
#include <string>

namespace polygraphy {

// A run of the prompt in one inference (the prefill), then of one token after the other with the
// cache of the step before. Outputs of such a run are the logits of all tokens, the tokens
// ("tokens", int64[batch, prompt + steps + 1]), and the cache after the last step.
struct DecodeOptions {
  int64_t steps = 0;  // behind the prefill
  // Each runner goes on with the tokens that it prefers itself; else with those of the first one,
  // so that all see the same tokens.
  bool free_run = false;
  // A JSON file that says which inputs and outputs are which (models/decoder/decoder_names.h);
  // empty: their names and shapes do.
  std::string names = {};
};

}  // namespace polygraphy
