// Scores runners on the windows of a text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "polygraphy/comparison/verdict/text_figures.h"
#include "polygraphy/data/results/results.h"

namespace polygraphy {

// The tokens of the second half of each window count, each by the logits of the one before: those
// of the first half have too little text before them. So llama-perplexity does.
class TextScores {
 public:
  // Results of all runners for the next window: "tokens" (the window, and one more) and logits of
  // all of its positions. Runners that failed have none. Throws Error: one of them is missing, or
  // has another form; runners have other tokens. O(logits).
  void add(const std::vector<IterationResult>& results);
  TextFigures figures() const;

 private:
  struct Sums {
    int64_t number = 0;
    double sum = 0, squares = 0;

    void add(double value);
    Estimate mean() const;
  };
  struct Loss {
    std::string name = {};
    Sums losses = {};
  };
  struct Difference {
    std::string reference = {}, target = {};
    bool turned = false;  // the second one was saved, and is the reference
    Sums divergences = {}, same = {}, losses = {};
  };

  std::vector<Loss> runners_;
  std::vector<Difference> pairs_;
  int64_t windows_ = 0;
};

}  // namespace polygraphy
