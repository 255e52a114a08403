// How many tokens of a language model change, for verdicts.
#pragma once

#include <cstdint>
#include <string>

namespace polygraphy {

// A token is the largest logit of a row. It flips if it is another one on the other side.
struct TokenCounts {
  int64_t tokens = 0;            // compared
  int64_t flips = 0;             // of them
  int64_t wrong = 0;             // flips that noise does not explain, and rows that are no logits
  std::string first_wrong = {};  // "logits[0, 811]"; empty: none
  std::string also = {};         // a further reason for a failure: the divergence
  bool noise_known = false;      // false: all flips are wrong, unless a margin was given

  int64_t near_ties() const { return flips > wrong ? flips - wrong : 0; }
};

// "37 of 4096 tokens flip, 35 at near ties, 2 are wrong, the first is logits[0, 811]".
std::string to_text(const TokenCounts& counts);
// The sum; the first wrong token is that of `whole`, if it has one.
void add(TokenCounts& whole, const TokenCounts& part);

}  // namespace polygraphy
