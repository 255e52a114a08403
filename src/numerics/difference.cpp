#include "numerics/difference.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <complex>
#include <limits>

#include "numerics/block_reader.h"
#include "numerics/difference_kernels.h"
#include "numerics/equal_arrays.h"
#include "numerics/type_promotion.h"

namespace polygraphy {
namespace {

bool is_complex(DataType type) {
  return kind_of(type) == Kind::kComplex;
}

DataType absolute_type(Arithmetic arithmetic, DataType a, DataType b) {
  switch (arithmetic) {
    case Arithmetic::kBool:
      return DataType::kBool;
    case Arithmetic::kSigned:
      // Differences of up to 32 bits fit; those of int64 need all 64 bits for the magnitude.
      return bit_width(a) <= 32 && bit_width(b) <= 32 ? DataType::kInt64 : DataType::kUint64;
    case Arithmetic::kUnsigned:
      return DataType::kUint64;
    case Arithmetic::kFloat:
      return DataType::kFloat32;
    case Arithmetic::kDouble:
      return DataType::kFloat64;
    case Arithmetic::kComplex:
      return needs_double(a, b) ? DataType::kFloat64 : DataType::kFloat32;
  }
  return DataType::kFloat64;
}

DataType relative_type(Arithmetic arithmetic, DataType absolute) {
  return arithmetic == Arithmetic::kFloat || arithmetic == Arithmetic::kComplex
             ? absolute
             : DataType::kFloat64;
}

// The largest float that is not above `value`: x > value is x > round_down(value) for every float
// x.
float round_down(double value) {
  const float nearest = static_cast<float>(value);
  return static_cast<double>(nearest) > value
             ? std::nextafter(nearest, -std::numeric_limits<float>::infinity())
             : nearest;
}

uint64_t magnitude(int64_t value) {
  return value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
}
uint64_t magnitude(uint64_t value) {
  return value;
}

bool exceeds(double value, double tolerance) {
  return value > tolerance || std::isnan(value);
}

}  // namespace

struct Difference::State {
  class Output : public BlockSource {
   public:
    Output(State& state, DataType type, bool absolute)
        : BlockSource(type, state.array_a.shape()), state_(state), absolute_(absolute) {}
    const void* read(int64_t start, int64_t count) override {
      state_.produce(start, count);
      return absolute_ ? state_.absolute_block.data() : state_.relative_block.data();
    }

   private:
    State& state_;
    bool absolute_;
  };

  State(const Array& first, const Array& second, Tolerances t, bool equal)
      : array_a(first),
        array_b(second),
        arithmetic(arithmetic_of(first.dtype(), second.dtype())),
        tolerances(t),
        infinities_equal(equal),
        floating_reference(is_floating(second.dtype()) || is_complex(second.dtype())),
        absolute(*this, absolute_type(arithmetic, first.dtype(), second.dtype()), true),
        relative(*this, relative_type(arithmetic, absolute.dtype()), false) {
    const auto block = static_cast<size_t>(std::min(first.size(), BlockSource::kBlockElements));
    for (auto* buffer : {&converted_a, &converted_b, &absolute_block, &relative_block}) {
      buffer->resize(block);
    }
    if (has_compute_type(first.dtype())) source_a = std::make_unique<CachedBlockSource>(first);
    if (has_compute_type(second.dtype())) source_b = std::make_unique<CachedBlockSource>(second);
    if (arithmetic == Arithmetic::kComplex) {
      array_a = first.contiguous_aligned();
      array_b = second.contiguous_aligned();
    }
  }

  template <typename T>
  DifferenceCounts produce_real(int64_t start, int64_t count, T atol, T rtol) {
    DifferenceParameters<T> parameters;
    parameters.atol = atol;
    parameters.rtol = rtol;
    parameters.epsilon = floating_reference ? std::numeric_limits<double>::epsilon() : 0;
    parameters.infinities_equal = infinities_equal;
    const T* a = read_as<T>(*source_a, start, count, converted_a);
    const T* b = read_as<T>(*source_b, start, count, converted_b);
    return difference_kernel<T>()(a, b, static_cast<int>(count),
                                  reinterpret_cast<T*>(absolute_block.data()),
                                  reinterpret_cast<T*>(relative_block.data()), parameters);
  }

  template <typename T>
  DifferenceCounts produce_integers(int64_t start, int64_t count) {
    const T* a = read_as<T>(*source_a, start, count, converted_a);
    const T* b = read_as<T>(*source_b, start, count, converted_b);
    double* out = reinterpret_cast<double*>(relative_block.data());
    DifferenceCounts counts;
    for (int64_t i = 0; i < count; ++i) {
      // 0 / 0 is NaN and n / 0 infinity, as in the original.
      const uint64_t difference = distance(a[i], b[i]);
      absolute_block[i] = difference;
      out[i] = static_cast<double>(difference) / static_cast<double>(magnitude(b[i]));
      counts.mismatches += exceeds(static_cast<double>(difference), tolerances.absolute) &&
                           exceeds(out[i], tolerances.relative);
    }
    return counts;
  }

  template <typename T>
  DifferenceCounts produce_complex(int64_t start, int64_t count) {
    DifferenceCounts counts;
    T* absolutes = reinterpret_cast<T*>(absolute_block.data());
    T* relatives = reinterpret_cast<T*>(relative_block.data());
    for (int64_t i = 0; i < count; ++i) {
      const std::complex<double> a = complex_at(array_a, start + i),
                                 b = complex_at(array_b, start + i);
      const bool infinite = std::isinf(a.real()) || std::isinf(a.imag());
      absolutes[i] = static_cast<T>(infinities_equal && infinite && a == b ? 0 : std::abs(a - b));
      double reference = std::abs(b);
      if (reference == 0 && floating_reference) {
        reference = std::numeric_limits<double>::epsilon();
        ++counts.zeros;
      }
      relatives[i] = static_cast<T>(absolutes[i] / reference);
      counts.mismatches +=
          exceeds(absolutes[i], tolerances.absolute) && exceeds(relatives[i], tolerances.relative);
    }
    return counts;
  }

  DifferenceCounts compute(int64_t start, int64_t count) {
    switch (arithmetic) {
      case Arithmetic::kBool:
      case Arithmetic::kSigned:
        return produce_integers<int64_t>(start, count);
      case Arithmetic::kUnsigned:
        return produce_integers<uint64_t>(start, count);
      case Arithmetic::kFloat:
        return produce_real<float>(start, count, round_down(tolerances.absolute),
                                   round_down(tolerances.relative));
      case Arithmetic::kDouble:
        return produce_real<double>(start, count, tolerances.absolute, tolerances.relative);
      case Arithmetic::kComplex:
        return absolute.dtype() == DataType::kFloat32 ? produce_complex<float>(start, count)
                                                      : produce_complex<double>(start, count);
    }
    return {};
  }

  void produce(int64_t start, int64_t count) {
    if (start == block_start && count == block_count) return;
    const DifferenceCounts counts = compute(start, count);
    block_start = start;
    block_count = count;
    // Only the first reading counts.
    if (start == counted) {
      counted += count;
      mismatches += counts.mismatches;
      zeros += counts.zeros;
    }
  }

  // Of integers, 0 / 0 is NaN.
  bool may_be_zero() const {
    return array_a.size() > 0 && is_floating(array_a.dtype()) && same_bytes(array_a, array_b);
  }

  void set_to_zero(bool zeros_in_both) {
    counted = array_a.size();
    zeros = zeros_in_both;
    const bool mismatch = exceeds(0, tolerances.absolute) && exceeds(0, tolerances.relative);
    mismatches = mismatch ? counted : 0;
  }

  Array array_a, array_b;
  Arithmetic arithmetic;
  Tolerances tolerances;
  bool infinities_equal;
  bool floating_reference;
  std::unique_ptr<CachedBlockSource> source_a, source_b;
  // One block each; most outputs of most models are smaller.
  std::vector<uint64_t> converted_a, converted_b, absolute_block, relative_block;
  int64_t block_start = -1, block_count = -1;
  int64_t counted = 0, mismatches = 0, zeros = 0;
  Output absolute, relative;
};

bool Difference::possible(DataType a, DataType b) {
  const auto numeric = [](DataType type) { return has_compute_type(type) || is_complex(type); };
  return numeric(a) && numeric(b);
}

Difference::Difference(const Array& a, const Array& b, Tolerances tolerances, bool infinities_equal)
    : state_(std::make_unique<State>(a, b, tolerances, infinities_equal)) {
  assert(possible(a.dtype(), b.dtype()) && "strings have no difference");
  assert(a.size() == b.size() && "differences need equal numbers of elements");
}
Difference::~Difference() = default;

BlockSource& Difference::absolute() {
  return state_->absolute;
}
BlockSource& Difference::relative() {
  return state_->relative;
}
BlockSource* Difference::a() {
  return state_->source_a.get();
}
BlockSource* Difference::b() {
  return state_->source_b.get();
}

std::vector<Statistics> Difference::statistics(bool arrays,
                                               std::span<const double> extra_quantiles) {
  State& s = *state_;
  if (s.may_be_zero()) {
    const Statistics of_both = compute_statistics(*s.source_a, extra_quantiles);
    if (std::isfinite(of_both.min) && std::isfinite(of_both.max)) {
      s.set_to_zero(has_zeros(s.array_a, of_both));
      std::vector<Statistics> all;
      for (const BlockSource* source : {&absolute(), &relative()}) {
        all.push_back(
            statistics_of_zeros(source->dtype(), source->shape(), extra_quantiles.size()));
      }
      if (arrays) all.insert(all.end(), 2, of_both);
      return all;
    }
  }
  std::vector<BlockSource*> sources{&absolute(), &relative()};
  if (arrays) sources.insert(sources.end(), {a(), b()});
  return compute_statistics(sources, extra_quantiles);
}

int64_t Difference::mismatches() const {
  return state_->mismatches;
}
bool Difference::zeros_in_reference() const {
  return state_->floating_reference && state_->zeros > 0;
}

}  // namespace polygraphy
