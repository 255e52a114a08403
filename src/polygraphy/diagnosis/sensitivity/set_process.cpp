#include "polygraphy/diagnosis/sensitivity/set_process.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace polygraphy {

SetProcess::SetProcess(const std::vector<double>& squares, double persistence)
    : sums_(size_t{1} << squares.size()), persists_(squares.size() + 1, 1) {
  for (size_t i = 0; i < squares.size(); ++i) {
    const size_t begin = size_t{1} << i;
    for (size_t rest = 0; rest < begin; ++rest) sums_[begin + rest] = sums_[rest] + squares[i];
    persists_[i + 1] = persists_[i] * persistence;
  }
}

double SetProcess::covariance(LayerBits one, LayerBits other) const {
  return sums_[one & other] * persists_[static_cast<size_t>(std::popcount(one ^ other))];
}

SetProcess::State SetProcess::expect(LayerBits set) const {
  State state{.set = set, .unknown = sums_[set]};
  update(state);
  return state;
}

void SetProcess::update(State& state) const {
  for (size_t i = state.parts.size(); i < directions_.size(); ++i) {
    const Direction& direction = directions_[i];
    double part = covariance(state.set, direction.set), product = 0;
    for (size_t k = 0; k < i; ++k) {
      part -= direction.shares[k] * state.parts[k];
      product += direction.products[k] * state.parts[k];
    }
    part /= direction.length;
    state.parts.push_back(part);
    state.known += part * (2 * product + part * direction.products[i]);
    state.unknown = std::max(0.0, state.unknown - part * part);
  }
}

void SetProcess::observe(LayerBits set, const std::vector<double>& products) {
  const State state = expect(set);
  // Products of its vector with the directions.
  std::vector<double> along;
  for (size_t i = 0; i < directions_.size(); ++i) {
    double product = products[i];
    for (size_t k = 0; k < i; ++k) product -= directions_[i].shares[k] * along[k];
    along.push_back(product / directions_[i].length);
  }
  constexpr double kSmallest = 1e-9;  // of a square that rounding leaves
  const double square = std::max(state.unknown, kSmallest * sums_.back());
  Direction made{.set = set, .shares = state.parts, .length = std::sqrt(square), .products = {}};
  double rest = products.back();
  for (size_t i = 0; i < directions_.size(); ++i) {
    double product = along[i];
    for (size_t k = 0; k < directions_.size(); ++k) {
      const std::vector<double>& known = directions_[std::max(i, k)].products;
      product -= state.parts[k] * known[std::min(i, k)];
    }
    made.products.push_back(product / made.length);
    rest -= state.parts[i] * (along[i] + product);
  }
  made.products.push_back(std::max(0.0, rest) / square);
  misfit_ += std::log(square) + made.products.back();
  directions_.push_back(std::move(made));
}

std::vector<double> SetProcess::factors(const State& state) const {
  std::vector<double> factors = state.parts;
  for (size_t i = factors.size(); i-- > 0;) {
    factors[i] /= directions_[i].length;
    for (size_t k = 0; k < i; ++k) factors[k] -= directions_[i].shares[k] * factors[i];
  }
  return factors;
}

}  // namespace polygraphy
