#include "polygraphy/comparison/task_metrics/drop_decision.h"

#include <algorithm>
#include <cmath>
#include <limits>

// Bounded losses: a bet against each of both answers. Under the claim that the set's drop is beyond
// the limit, the gains of a draw have no positive expectation, so a bettor who stakes a part of the
// wealth on them before each draw becomes 1/alpha times as rich with a probability of at most alpha
// (Ville), whenever one looks. Draws without replacement: what was drawn changes what the rest must
// be for the claim to hold (Waudby-Smith and Ramdas, 2020). The stake is the one of the largest
// growth on the draws before.
//
// Other losses: the same sum of gains against the boundary of an asymptotic confidence sequence
// (Waudby-Smith et al., 2021).

namespace polygraphy {
namespace {

constexpr int kBins = 65;
constexpr double kMostStake = 0.999;  // of the wealth
// Before the first draw, the bettor has seen one part of a draw with the largest loss, and as many
// without any loss as the limit takes to show.
constexpr double kPriorLoss = 0.25, kMostPriorDraws = 1000;
constexpr double kTunedDraws = 200;  // for which the boundary is narrowest
constexpr int kHalvings = 60;

// The root of a decreasing function between two places, else the place where it ends.
template <typename Function>
double root(Function&& function, double low, double high, int halvings) {
  if (function(low) <= 0) return low;
  if (function(high) >= 0) return high;
  for (int i = 0; i < halvings; ++i) {
    const double middle = (low + high) / 2;
    (function(middle) > 0 ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace

DropDecision::DropDecision(const Options& options)
    : options_(options), needed_(-std::log(1 - options.confidence)), bins_(kBins) {}

// Of a bet on this side: what the draw is better or worse than the limit.
double DropDecision::gain(Side side, double limit, PairedLoss draw) const {
  const double beyond = draw.loss - limit * draw.weight;
  return side == kBeyond ? beyond : -beyond;
}

double DropDecision::largest_loss(Side side, double limit, double weight) const {
  return weight * (side == kBeyond ? 1 + limit : 1 - limit);
}

// The mean gain of the draws that are left, if that of the whole set is zero.
double DropDecision::expected(double total, size_t before) const {
  if (!options_.draws) return 0;
  const int64_t left = std::max<int64_t>(*options_.draws - static_cast<int64_t>(before), 1);
  return -total / static_cast<double>(left);
}

double DropDecision::stake(Side side, double weight) const {
  const double limit = options_.limit;
  const double shift =
      expected(gain(side, limit, {sums_.loss, sums_.weight}), draws_.size()) / weight;
  const double worst = largest_loss(side, limit, 1) + shift;
  if (worst <= 0) return 0;  // is_certain()
  const double prior_draws =
      side == kWithin ? std::min(1 / std::max(limit, 1e-12), kMostPriorDraws) : 1;
  const auto growth = [&](double stake) {
    const auto of = [&](double count, double excess) {
      return count * excess / (1 + stake * excess);
    };
    double sum = of(kPriorLoss, -worst) + of(prior_draws, gain(side, limit, {0, 1}) - shift);
    for (const Bin& bin : bins_) {
      if (bin.count == 0) continue;
      sum += of(bin.count, gain(side, limit, {bin.loss / bin.weight, 1}) - shift);
    }
    return sum;
  };
  return root(growth, 0, kMostStake / worst, 30) / weight;
}

// All draws that are left cannot change the answer.
bool DropDecision::is_certain(Side side) const {
  if (!options_.draws || !options_.bounded) return false;
  const double total = gain(side, options_.limit, {sums_.loss, sums_.weight});
  const auto left = static_cast<double>(*options_.draws - draws());
  return left > 0 && total > left * largest_loss(side, options_.limit, draws_.front().weight);
}

void DropDecision::bet(Side side, PairedLoss draw) {
  Bets& bets = bets_[side];
  const double total = gain(side, options_.limit, {sums_.loss, sums_.weight});
  bets.stakes.push_back(stake(side, draw.weight));
  const double excess = gain(side, options_.limit, draw) - expected(total, draws_.size());
  bets.wealth += std::log1p(std::max(bets.stakes.back() * excess, -kMostStake));
}

void DropDecision::add(PairedLoss draw) {
  if (options_.bounded && draw.weight > 0) {
    bet(kWithin, draw);
    bet(kBeyond, draw);
    const double place = (draw.loss / draw.weight + 1) / 2 * (kBins - 1);
    Bin& bin = bins_[static_cast<size_t>(std::clamp(std::lround(place), 0L, long{kBins - 1}))];
    bin.count += 1;
    bin.loss += draw.loss;
    bin.weight += draw.weight;
  } else {
    for (Bets& bets : bets_) bets.stakes.push_back(0);
  }
  sums_.drifted_loss += draw.loss - expected(sums_.loss, draws_.size());
  sums_.drifted_weight += draw.weight - expected(sums_.weight, draws_.size());
  sums_.loss += draw.loss;
  sums_.weight += draw.weight;
  sums_.loss2 += draw.loss * draw.loss;
  sums_.loss_weight += draw.loss * draw.weight;
  sums_.weight2 += draw.weight * draw.weight;
  sums_.largest = std::max(sums_.largest, std::abs(draw.loss));
  draws_.push_back(draw);
  if (answer_ != Answer::kOpen || options_.confidence >= 1) return;
  for (const Side side : {kWithin, kBeyond}) {
    const bool found = options_.bounded ? bets_[side].wealth >= needed_ || is_certain(side)
                                        : outweighs(side, options_.limit);
    if (found) answer_ = side == kWithin ? Answer::kWithin : Answer::kBeyond;
  }
}

double DropDecision::drop() const {
  return sums_.weight > 0 ? sums_.loss / sums_.weight : 0;
}

// Whether the same stakes would have won against another limit.
bool DropDecision::outwagers(Side side, double limit) const {
  double wealth = 0, total = 0;
  for (size_t i = 0; i < draws_.size(); ++i) {
    if (draws_[i].weight <= 0) continue;
    const double shift = expected(total, i), now = gain(side, limit, draws_[i]);
    const double worst = largest_loss(side, limit, draws_[i].weight) + shift;
    if (worst <= 0) return true;
    wealth += std::log1p(std::min(bets_[side].stakes[i], kMostStake / worst) * (now - shift));
    if (wealth >= needed_) return true;
    total += now;
  }
  return false;
}

bool DropDecision::outweighs(Side side, double limit) const {
  if (draws() < kFewest) return false;
  const auto count = static_cast<double>(draws());
  const double mean = gain(side, limit, {sums_.loss, sums_.weight}) / count;
  const double squares =
      sums_.loss2 - 2 * limit * sums_.loss_weight + limit * limit * sums_.weight2;
  // Losses may be rare: one draw more, with twice the largest loss, or the one not seen yet.
  const double unseen = side == kWithin ? options_.unseen * sums_.weight / count : 0;
  const double rare = std::max(2 * sums_.largest, unseen);
  const double variance = std::max(squares / count - mean * mean, 0.0) + rare * rare / count;
  const double alpha = 1 - options_.confidence;
  const double tuned = std::max(-2 * std::log(2 * alpha), 1.0);
  const double rho2 = (tuned + std::log(tuned + 1)) / kTunedDraws;
  const double spread = (count * rho2 + 1) / rho2;
  const double boundary =
      std::sqrt(2 * variance * spread * std::log1p(std::sqrt(count * rho2 + 1) / (2 * alpha)));
  return gain(side, limit, {sums_.drifted_loss, sums_.drifted_weight}) > boundary;
}

bool DropDecision::rejects(Side side, double limit) const {
  return options_.bounded ? outwagers(side, limit) : outweighs(side, limit);
}

// The limit at which a bet on this side begins to win.
double DropDecision::end(Side side) const {
  const double here = drop();
  if (options_.draws && draws() >= *options_.draws) return here;
  const double away = side == kWithin ? 1 : -1;
  double far = options_.bounded ? 1 - away * here : std::max(std::abs(here), 1e-6);
  for (int i = 0; !options_.bounded && i < kHalvings && !rejects(side, here + away * far); ++i)
    far *= 2;
  if (!rejects(side, here + away * far))
    return options_.bounded ? away : away * std::numeric_limits<double>::infinity();
  double near = 0;
  for (int i = 0; i < kHalvings && far - near > 1e-9 * far; ++i) {
    const double middle = (near + far) / 2;
    (rejects(side, here + away * middle) ? far : near) = middle;
  }
  return here + away * far;
}

double DropDecision::upper() const {
  return end(kWithin);
}

double DropDecision::lower() const {
  return end(kBeyond);
}

}  // namespace polygraphy
