// How many tokens of a language model change, for verdicts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/record.h"

namespace polygraphy {

struct TokenFlip {
  int64_t sample = 0;
  std::string place = {};
  std::optional<int64_t> token = {}, instead = {};
  double margin = 0, allowed = 0;
  bool wrong = false;
  std::string text = {}, instead_text = {};

  friend bool operator==(const TokenFlip&, const TokenFlip&) = default;
};

constexpr auto record_of(RecordOf<TokenFlip>) {
  return record<TokenFlip>(
      "TokenFlip", "A row of logits with different tokens on both sides, or without valid logits.",
      count("sample", &TokenFlip::sample, "From 0."),
      member("place", &TokenFlip::place, "\"logits[0, 811]\"."),
      member("token", &TokenFlip::token, "The reference's; null: the row has no valid logits."),
      member("instead", &TokenFlip::instead, "The token of the other side, likewise."),
      member("margin", &TokenFlip::margin, "By how much the reference prefers its token."),
      member("allowed", &TokenFlip::allowed, "The margin that noise may turn."),
      member("wrong", &TokenFlip::wrong, "Whether noise does not explain it."),
      member("text", &TokenFlip::text, "Of the token, by the model's tokenizer.").if_set(),
      member("instead_text", &TokenFlip::instead_text, "Of the other token.").if_set());
}

// A token is the largest logit of a row. It flips if it is another one on the other side.
struct TokenCounts {
  int64_t tokens = 0, flips = 0, wrong = 0;
  std::string first_wrong = {}, also = {};
  bool noise_known = false;
  std::vector<TokenFlip> all_flips = {};
  // Of rows that are distributions: their number, and sums of their Kullback-Leibler divergences,
  // in nats, and of the squares of these.
  int64_t distributions = 0;
  double divergences = 0, squared_divergences = 0;

  int64_t near_ties() const { return flips > wrong ? flips - wrong : 0; }
  // nullopt: too few rows.
  std::optional<double> mean_divergence() const;
  std::optional<double> divergence_error() const;
};

constexpr auto record_of(RecordOf<TokenCounts>) {
  return record<TokenCounts>(
      "TokenCounts", "The tokens that two sides prefer (a comparison by tokens).",
      count("compared", &TokenCounts::tokens, "Rows of logits."),
      count("flips", &TokenCounts::flips, "Rows with different tokens."),
      derived("near_ties", &TokenCounts::near_ties, "Flips that noise or the margin excuses."),
      count("wrong", &TokenCounts::wrong, "The others, and rows without valid logits."),
      member("first_wrong", &TokenCounts::first_wrong,
             "Where the first of these is (\"logits[0, 5]\"), or \"\"."),
      member("noise_known", &TokenCounts::noise_known,
             "Whether noise was measured: without it, only a margin excuses."),
      member("also", &TokenCounts::also,
             "A difference beside single tokens, such as a mean divergence beyond its limit.")
          .if_set(),
      internal("distributions", &TokenCounts::distributions),
      internal("divergences", &TokenCounts::divergences),
      internal("squared_divergences", &TokenCounts::squared_divergences),
      derived("mean_divergence", &TokenCounts::mean_divergence,
              "Kullback-Leibler, in nats, over all rows.")
          .if_set(),
      derived("divergence_error", &TokenCounts::divergence_error, "The standard error of that.")
          .if_set(),
      member("all_flips", &TokenCounts::all_flips, "In their order."));
}

// "37 of 4096 tokens flip, 35 at near ties, 2 are wrong, the first is logits[0, 811]".
std::string to_text(const TokenCounts& counts);
// The sum; the first wrong token is from `whole`, if it has one.
void add(TokenCounts& whole, const TokenCounts& part);

}  // namespace polygraphy
