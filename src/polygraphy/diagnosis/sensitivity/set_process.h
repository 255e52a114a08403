// A Gaussian process over sets of quantised layers: the errors of sets, expected from others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace polygraphy {

// Quantised layers of a model with up to kListedLayers: bit i is layer i.
using LayerBits = uint32_t;
inline constexpr size_t kListedLayers = 16;

// The error of a set, a vector of unknown numbers, is the sum of one vector for each layer. A
// layer's vector stays the same in two sets as far as the rest of them does: it correlates by
// `persistence` for each layer in which they differ. 1: errors add up as vectors, so that some hide
// others; 0: they are independent, and their squares add up. The expectation of a set follows from
// the layers that it has in common with observed sets.
class SetProcess {
 public:
  // `squares`: of the norm of each layer's vector, at most kListedLayers.
  SetProcess(const std::vector<double>& squares, double persistence);

  // An expectation of one set.
  struct State {
    LayerBits set = 0;
    double known = 0;                // square of the expected vector
    double unknown = 0;              // expected square of what is left
    std::vector<double> parts = {};  // of the vector along `directions` observed so far

    double square() const { return known + unknown; }
  };
  State expect(LayerBits set) const;
  // Takes the observations since then into account. O(observations) for each of them.
  void update(State& state) const;

  // Another set was observed: its products with those observed before it, in their order, and with
  // itself. O(observations^2).
  void observe(LayerBits set, const std::vector<double>& products);
  size_t observations() const { return directions_.size(); }
  // Factors of the observed vectors in the expected one.
  std::vector<double> factors(const State& state) const;
  // How badly the observations suit the process: twice the negative logarithm of their likelihood,
  // for each dimension, without constants.
  double misfit() const { return misfit_; }

 private:
  double covariance(LayerBits one, LayerBits other) const;

  // The vector of an observation without the share of those before it, of length 1 by expectation.
  struct Direction {
    LayerBits set = 0;
    std::vector<double> shares;    // of the earlier directions in its vector
    double length = 1;             // its own
    std::vector<double> products;  // with the earlier directions, and itself
  };

  std::vector<double> sums_;      // of squares, by set
  std::vector<double> persists_;  // by number of differing layers
  std::vector<Direction> directions_;
  double misfit_ = 0;
};

}  // namespace polygraphy
