// Whether a metric is worse by more than a limit over a whole data set, decided after as few of its
// draws as possible: sequential tests, right at any time at which one looks.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace polygraphy {

// A draw (an iteration) as a part of the drop of the whole set, which is the sum of all `loss`
// divided by the sum of all `weight`. Positive: the target is worse.
struct PairedLoss {
  double loss = 0, weight = 1;
};

class DropDecision {
 public:
  struct Options {
    double limit = 0;          // the largest drop that is allowed
    double confidence = 0.95;  // of the answer, and of each end of the interval; 1: no answer
    // How many draws the whole set has; they come without replacement, in random order. nullopt:
    // they are draws from something without end.
    std::optional<int64_t> draws = {};
    // True: no loss is larger than its weight, and the answer holds for any number of draws. False:
    // it holds in the limit of many, and does not come before kFewest.
    bool bounded = true;
    // Of other losses: one per weight that a draw may have though none has shown it yet. "Within"
    // waits until it would have shown.
    double unseen = 0;
  };
  enum class Answer : uint8_t { kOpen, kWithin, kBeyond };
  static constexpr int64_t kFewest = 30;

  explicit DropDecision(const Options& options);

  // O(1).
  void add(PairedLoss draw);
  // Once given, an answer stays.
  Answer answer() const { return answer_; }
  int64_t draws() const { return static_cast<int64_t>(draws_.size()); }
  // Of the draws up to now.
  double drop() const;
  // The ends of the interval of the whole set's drop, each with the confidence. O(draws).
  double upper() const;
  double lower() const;

 private:
  enum Side : uint8_t { kWithin, kBeyond };  // what a bet is on
  struct Bets {
    std::vector<double> stakes = {};  // of each draw
    double wealth = 0;                // logarithm
  };
  // Draws with about the same loss per weight.
  struct Bin {
    double count = 0, loss = 0, weight = 0;
  };
  struct Sums {
    double loss = 0, weight = 0;                     // of all draws
    double loss2 = 0, loss_weight = 0, weight2 = 0;  // of their products
    double drifted_loss = 0, drifted_weight = 0;     // against what was to be expected
    double largest = 0;                              // loss of a draw
  };

  double gain(Side side, double limit, PairedLoss draw) const;
  double largest_loss(Side side, double limit, double weight) const;
  double expected(double total, size_t before) const;
  double stake(Side side, double weight) const;
  void bet(Side side, PairedLoss draw);
  bool is_certain(Side side) const;
  bool outwagers(Side side, double limit) const;
  bool outweighs(Side side, double limit) const;
  bool rejects(Side side, double limit) const;
  double end(Side side) const;

  Options options_;
  double needed_;  // wealth, as a logarithm
  std::vector<PairedLoss> draws_;
  std::vector<Bin> bins_;
  Bets bets_[2];
  Sums sums_;
  Answer answer_ = Answer::kOpen;
};

}  // namespace polygraphy
