#include "polygraphy/diagnosis/sensitivity/set_prediction.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

namespace polygraphy {
namespace {

// Four sums side by side do not wait for each other.
double product(const Differences& a, const Differences& b) {
  const size_t size = std::min(a.size(), b.size());
  double sums[4] = {};
  size_t i = 0;
  for (; i + 4 <= size; i += 4) {
    for (size_t k = 0; k < 4; ++k) sums[k] += double{a[i + k]} * double{b[i + k]};
  }
  for (; i < size; ++i) sums[0] += double{a[i]} * double{b[i]};
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

void add_to(Differences& sum, float factor, const Differences& differences) {
  for (size_t i = 0; i < sum.size(); ++i) sum[i] += factor * differences[i];
}

// A function of a set: `constant`, with `linear` of each of its members, and `pairs` of each
// ordered pair of them (a symmetric table).
struct Quadratic {
  Quadratic(size_t layers, double alone, std::vector<double> each)
      : constant(alone), linear(std::move(each)), pairs(layers, std::vector<double>(layers)) {}

  // Of all sets, by their bits.
  std::vector<double> values() const {
    std::vector<double> result(size_t{1} << linear.size());
    result[0] = constant;
    for (size_t layer = 0; layer < linear.size(); ++layer) {
      const size_t begin = size_t{1} << layer;
      for (size_t others = 0; others < begin; ++others) {
        double change = linear[layer] + pairs[layer][layer];
        for (size_t rest = others; rest != 0; rest &= rest - 1)
          change += 2 * pairs[layer][static_cast<size_t>(std::countr_zero(rest))];
        result[begin + others] = result[others] + change;
      }
    }
    return result;
  }

  double constant;
  std::vector<double> linear;
  std::vector<std::vector<double>> pairs;
};

// Layers without an effect have one that is too small to count.
std::vector<double> squares_of(const std::vector<Differences>& alone) {
  std::vector<double> squares;
  for (const Differences& layer : alone) squares.push_back(product(layer, layer));
  const double least = std::max(*std::ranges::max_element(squares) * 1e-12, 1e-30);
  for (double& square : squares) square = std::max(square, least);
  return squares;
}

}  // namespace

SetPrediction::SetPrediction(MeasuredSets measured)
    : measured_(std::move(measured)), squares_(squares_of(measured_.alone)), process_(squares_, 0) {
  const auto all = static_cast<LayerBits>((size_t{1} << layers()) - 1);
  for (size_t i = 0; i < layers(); ++i) add(LayerBits{1} << i, measured_.alone[i]);
  // Of one or two layers, these sets are the same.
  if (!measured_.all.empty() && layers() > 1) add(all, measured_.all);
  for (size_t i = 0; i < measured_.all_but.size() && layers() > 2; ++i)
    add(all & ~(LayerBits{1} << i), measured_.all_but[i]);
  process_ = likeliest_process();
}

SetProcess SetPrediction::likeliest_process() const {
  std::optional<SetProcess> best;
  for (const double persistence : {0.3, 0.5, 0.7, 0.8, 0.87, 0.92, 0.95, 0.97, 0.985}) {
    SetProcess process(squares_, persistence);
    for (size_t i = 0; i < sets_.size(); ++i) process.observe(sets_[i], products_[i]);
    if (!best || process.misfit() < best->misfit()) best = std::move(process);
  }
  return *std::move(best);
}

std::vector<double> SetPrediction::sums_of_squares() const {
  return Quadratic(layers(), 0, squares_).values();
}

std::vector<double> SetPrediction::sums_of_vectors() const {
  const size_t n = layers();
  const std::vector<Differences>& first = measured_.alone;
  Differences all = measured_.all, rest;
  if (all.empty()) {
    all.resize(first.front().size());
    for (const Differences& layer : first) add_to(all, 1, layer);
  }
  rest = all;
  std::vector<Differences> last(n, all);
  for (size_t i = 0; i < n; ++i) {
    if (measured_.all_but.empty()) {
      last[i] = first[i];
    } else {
      add_to(last[i], -1, measured_.all_but[i]);
    }
    add_to(rest, -1, last[i]);
  }
  const std::vector<double> none(n);
  Quadratic early(n, 0, none), late(n, product(rest, rest), none), both(n, 0, none);
  for (size_t i = 0; i < n; ++i) {
    late.linear[i] = 2 * product(rest, last[i]);
    both.linear[i] = product(rest, first[i]);
    for (size_t k = 0; k < n; ++k) {
      early.pairs[i][k] = product(first[i], first[k]);
      late.pairs[i][k] = product(last[i], last[k]);
      both.pairs[i][k] = (product(first[i], last[k]) + product(first[k], last[i])) / 2;
    }
  }
  const std::vector<double> a = early.values(), b = late.values(), c = both.values();
  std::vector<double> result(a.size());
  for (size_t set = 0; set < result.size(); ++set) {
    const double part = static_cast<double>(std::popcount(set)) / static_cast<double>(n);
    result[set] = std::max(0.0, (1 - part) * (1 - part) * a[set] + part * part * b[set] +
                                    2 * part * (1 - part) * c[set]);
  }
  return result;
}

void SetPrediction::add(LayerBits set, Differences differences) {
  std::vector<double>& products = products_.emplace_back();
  for (const Differences& known : known_) products.push_back(product(differences, known));
  products.push_back(product(differences, differences));
  sets_.push_back(set);
  known_.push_back(std::move(differences));
}

void SetPrediction::learn(LayerBits set, Differences observed) {
  const size_t begin = observed.size(), size = known_.front().size();
  if (begin < size) {
    const std::vector<double> factors = process_.factors(process_.expect(set));
    observed.resize(size);
    for (size_t k = 0; k < factors.size(); ++k) {
      const auto factor = static_cast<float>(factors[k]);
      for (size_t i = begin; i < size; ++i) observed[i] += factor * known_[k][i];
    }
  }
  add(set, std::move(observed));
  process_.observe(set, products_.back());
}

}  // namespace polygraphy
