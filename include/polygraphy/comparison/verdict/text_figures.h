// How well runners predict a text, and how far their predictions are apart.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/record.h"

namespace polygraphy {

// A figure with its standard error; NaN where there are too few tokens.
struct Estimate {
  double value = 0, error = 0;
};

struct TextRunner {
  std::string name = {};
  Estimate perplexity = {};
};

constexpr auto record_of(RecordOf<TextRunner>) {
  return record<TextRunner>(
      "TextRunner", "How well a runner predicts a text.",
      member("name", &TextRunner::name, "Of the runner."),
      member(
          "perplexity", [](auto& of) -> auto& { return of.perplexity.value; },
          "e to the power of the mean cross entropy of the next token."),
      member(
          "perplexity_error", [](auto& of) -> auto& { return of.perplexity.error; },
          "The standard error of that."));
}

// Of neighbours among the runners.
struct TextPair {
  std::string reference = {}, target = {};
  Estimate divergence = {}, same_top1 = {}, perplexity_ratio = {};
};

constexpr auto record_of(RecordOf<TextPair>) {
  return record<TextPair>(
      "TextPair", "How far the predictions of two runners are apart.",
      member("reference", &TextPair::reference, "The reference's name."),
      member("target", &TextPair::target, "The target's name."),
      member(
          "divergence", [](auto& of) -> auto& { return of.divergence.value; },
          "Mean Kullback-Leibler divergence, in nats."),
      member(
          "divergence_error", [](auto& of) -> auto& { return of.divergence.error; },
          "Its standard error."),
      member(
          "same_top1", [](auto& of) -> auto& { return of.same_top1.value; },
          "Share of tokens with the same largest logit."),
      member(
          "same_top1_error", [](auto& of) -> auto& { return of.same_top1.error; },
          "Its standard error."),
      member(
          "perplexity_ratio", [](auto& of) -> auto& { return of.perplexity_ratio.value; },
          "The target's perplexity / the reference's."),
      member(
          "perplexity_ratio_error", [](auto& of) -> auto& { return of.perplexity_ratio.error; },
          "Its standard error."));
}

struct TextFigures {
  int64_t windows = 0, tokens = 0;
  std::vector<TextRunner> runners = {};
  std::vector<TextPair> pairs = {};
};

constexpr auto record_of(RecordOf<TextFigures>) {
  return record<TextFigures>(
      "TextFigures", "The figures of a text: of the second half of each of its windows.",
      count("windows", &TextFigures::windows, "How many there are."),
      count("tokens", &TextFigures::tokens, "How many were scored."),
      member("runners", &TextFigures::runners, "In their order."),
      member("pairs", &TextFigures::pairs, "Of neighbours among the runners."));
}

// A line for each runner and each pair.
std::vector<std::string> lines_of(const TextFigures& figures);

}  // namespace polygraphy
