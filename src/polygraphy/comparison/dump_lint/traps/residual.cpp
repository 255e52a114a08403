// Hidden states without the residual: fused layers return both, and add them in the next one.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "polygraphy/comparison/dump_lint/dump_trap.h"

namespace polygraphy {
namespace {

// Distances in parts of the tensor: that of a sum to a tensor with the same meaning on another
// engine, and that of tensors with another meaning.
constexpr double kSame = 0.02, kOther = 0.1;
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

auto sample_of(const TensorTraits& tensor) {
  return [&](int64_t i) { return tensor.sample[static_cast<size_t>(i)]; };
}

// By samples.
bool may_be_sum(const TensorTraits& a, const TensorTraits& residual, const TensorTraits& sum) {
  const auto size = static_cast<int64_t>(sum.sample.size());
  const auto within = [&](int64_t count, double limit) {
    return distance(count, sample_of(a), sample_of(residual), sample_of(sum)) < limit;
  };
  return within(std::min(kFirst, size), 0.5) && within(size, kSame);
}

bool is_sum(const Array& a, const Array& residual, const Array& sum) {
  const auto element = [](const Array& array) {
    return [&](int64_t i) { return array.get_double(i); };
  };
  return distance(sum.size(), element(a), element(residual), element(sum)) < kSame;
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
        // The sum alone, under another name.
        if (residual.sample == to.sample) continue;
        ++trials_;
        if (may_be_sum(from, residual, to) &&
            is_sum(lacking_.read(a), side->read(i), whole_.read(sum)))
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

extern const DumpTrap dump_trap_residual;
constinit const DumpTrap dump_trap_residual = {
    .name = "residual",
    .seen =
        "are those of the other side but for a summand, as a block's output without the "
        "residual",
    .remedy = "They are not the same tensor of the model: capture the sum on both sides.",
    .find = find};

}  // namespace polygraphy
