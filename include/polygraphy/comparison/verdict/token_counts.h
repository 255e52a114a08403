// How many tokens of a language model change, for verdicts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace polygraphy {

// A token that flips, or a row that is no logits.
struct TokenFlip {
  int64_t sample = 0;
  std::string place = {};  // "logits[0, 811]"
  // Of the reference, and of the other side; nullopt: the row is no distribution.
  std::optional<int64_t> token = {}, instead = {};
  // By how much the reference prefers its token, and what noise may move of that.
  double margin = 0, allowed = 0;
  bool wrong = false;
  std::string text = {}, instead_text = {};  // of the tokens; empty: not known

  friend bool operator==(const TokenFlip&, const TokenFlip&) = default;
};

// A token is the largest logit of a row. It flips if it is another one on the other side.
struct TokenCounts {
  int64_t tokens = 0;            // compared
  int64_t flips = 0;             // of them
  int64_t wrong = 0;             // flips that noise does not explain, and rows that are no logits
  std::string first_wrong = {};  // "logits[0, 811]"; empty: none
  std::string also = {};         // a further reason for a failure: the divergence
  bool noise_known = false;      // false: all flips are wrong, unless a margin was given
  std::vector<TokenFlip> all_flips = {};  // in their order
  // Of rows that are distributions: their number, and sums of their Kullback-Leibler divergences,
  // in nats, and of the squares of these.
  int64_t distributions = 0;
  double divergences = 0, squared_divergences = 0;

  int64_t near_ties() const { return flips > wrong ? flips - wrong : 0; }
  // The mean of the divergences, and the standard error of that; nullopt: too few.
  std::optional<double> mean_divergence() const;
  std::optional<double> divergence_error() const;
};

// "37 of 4096 tokens flip, 35 at near ties, 2 are wrong, the first is logits[0, 811]".
std::string to_text(const TokenCounts& counts);
// The sum; the first wrong token is that of `whole`, if it has one.
void add(TokenCounts& whole, const TokenCounts& part);

}  // namespace polygraphy
