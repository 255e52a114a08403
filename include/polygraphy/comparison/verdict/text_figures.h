// How well runners predict a text, and how far their predictions are apart.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace polygraphy {

// A figure with its standard error; NaN where there are too few tokens.
struct Estimate {
  double value = 0, error = 0;
};

struct TextFigures {
  struct Runner {
    std::string name = {};
    Estimate perplexity = {};  // e to the power of the mean cross entropy of the next token
  };
  // Of neighbours among the runners.
  struct Pair {
    std::string reference = {}, target = {};
    Estimate divergence = {};        // Kullback-Leibler, mean, in nats
    Estimate same_top1 = {};         // share of tokens whose largest logit is the same
    Estimate perplexity_ratio = {};  // of the target by that of the reference
  };
  int64_t windows = 0, tokens = 0;  // that were scored
  std::vector<Runner> runners = {};
  std::vector<Pair> pairs = {};
};

// A line for each runner and each pair.
std::vector<std::string> lines_of(const TextFigures& figures);

}  // namespace polygraphy
