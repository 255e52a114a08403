// Hidden states without the residual: fused layers return both, and add them in the next one.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "polygraphy/comparison/dump_lint/dump_trap.h"

namespace polygraphy {
namespace {

// Distances in parts of the tensor: less than a sum may be away from the same sum of another
// format's engine, and more than that.
constexpr double kSame = 0.15, kOther = 0.2;
// Both summands are needed if the sum is nearer by this factor than either.
constexpr double kNearer = 3;
// Elements that decide most trials, and trials of a dump, at most.
constexpr int64_t kFirst = 8;
constexpr int64_t kTrials = 1'000'000;

// |a + residual - b| / |b|, of elements by index.
template <typename A, typename R, typename B>
double distance(int64_t size, const A& a, const R& residual, const B& b) {
  double difference = 0, norm = 0;
  for (int64_t i = 0; i < size; ++i) {
    const double error = a(i) + residual(i) - b(i);
    difference += error * error;
    norm += b(i) * b(i);
  }
  return norm > 0 ? std::sqrt(difference / norm) : INFINITY;
}

double nothing(int64_t) {
  return 0;
}

// Whether a + residual is the sum, given functions of their elements.
template <typename A, typename R, typename S>
bool is_sum(int64_t size, const A& a, const R& residual, const S& sum) {
  const double limit = kNearer * distance(size, a, residual, sum);
  return limit < kNearer * kSame && limit < distance(size, a, nothing, sum) &&
         limit < distance(size, residual, nothing, sum);
}

auto sample_of(const TensorTraits& tensor) {
  return [&](int64_t i) { return tensor.sample[static_cast<size_t>(i)]; };
}

auto elements_of(const Array& array) {
  return [&](int64_t i) { return array.get_double(i); };
}

bool samples_are_sum(const TensorTraits& a, const TensorTraits& residual, const TensorTraits& sum) {
  const auto size = static_cast<int64_t>(sum.sample.size());
  const double first =
      distance(std::min(kFirst, size), sample_of(a), sample_of(residual), sample_of(sum));
  return first < 1 && is_sum(size, sample_of(a), sample_of(residual), sample_of(sum));
}

bool arrays_are_sum(const Array& a, const Array& residual, const Array& sum) {
  return is_sum(sum.size(), elements_of(a), elements_of(residual), elements_of(sum));
}

// Tensors of either side whose sum with the tensor `a` of `lacking` is `sum` of `whole`.
class Residuals {
 public:
  Residuals(const Dump& lacking, const Dump& whole) : lacking_(lacking), whole_(whole) {}

  std::string find(size_t a, size_t sum) {
    const TensorTraits &from = lacking_.tensors[a], &to = whole_.tensors[sum];
    if (!from.floats || !to.floats || from.zeros || from.size != to.size || to.constant())
      return {};
    const auto size = static_cast<int64_t>(to.sample.size());
    if (!(distance(size, sample_of(from), nothing, sample_of(to)) > kOther)) return {};
    for (const Dump* side : {&lacking_, &whole_}) {
      for (size_t i = 0; i < side->tensors.size() && trials_ < kTrials; ++i) {
        const TensorTraits& residual = side->tensors[i];
        if (side == &lacking_ ? i == a : i == sum) continue;
        if (!residual.floats || residual.size != to.size || residual.zeros) continue;
        ++trials_;
        if (samples_are_sum(from, residual, to) &&
            arrays_are_sum(lacking_.read(a), side->read(i), whole_.read(sum)))
          return fmt::format("{} of {}", quoted(residual.name), side->name);
      }
    }
    return {};
  }

 private:
  const Dump& lacking_;
  const Dump& whole_;
  int64_t trials_ = 0;
};

std::vector<std::string> find(const DumpPair& pair) {
  Residuals here(pair.dump, pair.other), there(pair.other, pair.dump);
  std::vector<std::string> found;
  for (size_t i = 0; i < pair.dump.tensors.size(); ++i) {
    if (!pair.partners[i]) continue;
    const std::string name = quoted(pair.dump.tensors[i].name);
    const std::string lacks = here.find(i, *pair.partners[i]);
    if (!lacks.empty()) {
      found.push_back(fmt::format("{} lacks {}", name, lacks));
      continue;
    }
    // The other way round is the other dump's trap.
    const std::string has = pair.both_dumps ? "" : there.find(*pair.partners[i], i);
    if (!has.empty()) found.push_back(fmt::format("{} has {} in it", name, has));
  }
  return found;
}

}  // namespace

extern constinit const DumpTrap dump_trap_residual = {
    .name = "residual",
    .seen =
        "are those of the other side but for a summand, as a block's output without the "
        "residual",
    .remedy = "They are hardly the same tensor of the model: capture the sum on both sides.",
    .find = find};

}  // namespace polygraphy
