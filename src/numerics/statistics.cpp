#include "numerics/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <type_traits>

#include "base/arrays/convert.h"
#include "base/arrays/py_repr.h"
#include "numerics/pairwise_sum.h"
#include "numerics/simd_kernels.h"
#include "numerics/streaming_quantiles.h"

namespace polygraphy {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// One stream on its way through the passes.
class Stream {
 public:
  virtual ~Stream() = default;
  virtual void first_pass(const void* x, int64_t start, int64_t count) = 0;
  virtual void end_first_pass() = 0;
  virtual bool wants_second_pass() const = 0;
  virtual void second_pass(const void* x, int64_t count) = 0;
  virtual void end_second_pass() = 0;
  virtual bool wants_further_pass() const = 0;
  virtual void further_pass(const void* x, int64_t count) = 0;
  virtual void end_further_pass() = 0;
  virtual void store(Statistics& into) = 0;
};

// Where NumPy's linear interpolation looks for a quantile among `size` ordered elements. `q` in [0,
// 1].
struct Place {
  int64_t previous, next;
  double gamma;
};

Place quantile_place(double q, int64_t size) {
  const double place = static_cast<double>(size - 1) * q;
  if (place >= static_cast<double>(size - 1)) {
    return {size - 1, size - 1, place + 1};  // NumPy subtracts its index -1
  }
  const double previous = std::floor(place);
  return {static_cast<int64_t>(previous), static_cast<int64_t>(previous) + 1, place - previous};
}

float rounded_to_half(float x) {
  return float16_to_float(float_to_float16(x));
}

// NumPy's _lerp, every step rounded to the array's type as there.
double interpolate(float a, float b, double t, bool half) {
  const auto r = [half](float x) { return half ? rounded_to_half(x) : x; };
  const float difference = r(b - a);
  const auto weight = [&](double w) {
    return half ? float16_to_float(double_to_float16(w)) : static_cast<float>(w);
  };
  if (t >= 0.5) return r(b - r(difference * weight(1 - t)));
  return r(a + r(difference * weight(t)));
}

double interpolate(double a, double b, double t, bool) {
  return t >= 0.5 ? b - (b - a) * (1 - t) : a + (b - a) * t;
}

// Integers: the difference is exact here; NumPy lets it wrap in narrow types.
template <typename T>
  requires std::is_integral_v<T>
double interpolate(T a, T b, double t, bool) {
  const auto difference = static_cast<double>(static_cast<uint64_t>(b) - static_cast<uint64_t>(a));
  return t >= 0.5 ? static_cast<double>(b) - difference * (1 - t)
                  : static_cast<double>(a) + difference * t;
}

template <typename T>
class StreamOf final : public Stream {
  // The type for computing variance and median.
  using Wide = std::conditional_t<std::is_same_v<T, float>, float, double>;
  static constexpr bool kIsFloating = std::is_floating_point_v<T>;
  static constexpr int64_t kBuffer = PairwiseSum<float, 2>::kNumpyBuffer;

 public:
  StreamOf(DataType dtype, int64_t size, std::span<const double> extra_quantiles)
      : dtype_(dtype),
        size_(size),
        // float32 is summed as it lies; everything else is cast to float32 on the way.
        mean_sum_(size, dtype == DataType::kFloat32 ? 0 : kBuffer, simd_kernels<float>().leaf_sums,
                  0, simd_kernels<float>().eight_sums),
        wide_sum_(size, kIsFloating ? 0 : kBuffer, simd_kernels<Wide>().leaf_sums, 0,
                  simd_kernels<Wide>().eight_sums),
        quantiles_{0.9, 0.95, 0.99} {
    if (dtype == DataType::kBool) quantiles_.clear();
    quantiles_.insert(quantiles_.end(), extra_quantiles.begin(), extra_quantiles.end());
    ranks_ = {(size - 1) / 2, size / 2};
    for (double q : quantiles_) {
      const Place place = quantile_place(q, size);
      ranks_.push_back(place.previous);
      ranks_.push_back(place.next);
    }
    std::sort(ranks_.begin(), ranks_.end());
    ranks_.erase(std::unique(ranks_.begin(), ranks_.end()), ranks_.end());
    selector_.emplace(size, ranks_);
  }

  void first_pass(const void* data, int64_t start, int64_t count) override {
    if (has_nan_) return;
    const T* x = static_cast<const T*>(data);
    const Extremes<T> extremes = simd_kernels<T>().extremes(x, count);
    if (extremes.has_nan) {
      has_nan_ = true;
      argmin_ = argmax_ = start + (std::find_if(x, x + count, [](T v) { return v != v; }) - x);
      return;
    }
    if (start == 0 || extremes.min < min_) {
      min_ = extremes.min;
      argmin_ = start + (std::find(x, x + count, min_) - x);
      min_ = x[argmin_ - start];  // a zero of that sign
    }
    if (start == 0 || extremes.max > max_) {
      max_ = extremes.max;
      argmax_ = start + (std::find(x, x + count, max_) - x);
      max_ = x[argmax_ - start];
    }
    if constexpr (std::is_same_v<T, float>) {
      mean_sum_.feed(x, count);
      if (dtype_ != DataType::kFloat32) wide_sum_.feed(x, count);
    } else {
      feed_as(mean_sum_, as_float_, x, count);
      feed_as(wide_sum_, as_double_, x, count);
    }
    selector_->sample(x, start, count);
  }

  void end_first_pass() override {
    if (has_nan_) return;
    const auto n = static_cast<double>(size_);
    mean_ = static_cast<float>(static_cast<double>(mean_sum_.total(0)) / n);
    average_magnitude_ = static_cast<float>(static_cast<double>(mean_sum_.total(1)) / n);
    Wide wide_mean;
    if constexpr (std::is_same_v<T, float>) {
      const float sum = dtype_ == DataType::kFloat32 ? mean_sum_.total(0) : wide_sum_.total(0);
      wide_mean = static_cast<float>(static_cast<double>(sum) / n);
    } else {
      wide_mean = wide_sum_.total(0) / n;
    }
    squares_.emplace(size_, 0, simd_kernels<Wide>().leaf_squares, wide_mean,
                     simd_kernels<Wide>().eight_squares);
    selector_->plan();
    collects_ = !selector_->done();
  }

  bool wants_second_pass() const override { return !has_nan_; }

  void second_pass(const void* data, int64_t count) override {
    const T* x = static_cast<const T*>(data);
    if constexpr (kIsFloating) {
      squares_->feed(x, count);
    } else {
      feed_as(*squares_, as_double_, x, count);
    }
    if (collects_) selector_->collect(x, count);
  }

  void end_second_pass() override {
    if (collects_) selector_->resolve();
  }

  bool wants_further_pass() const override { return !has_nan_ && !selector_->done(); }
  void further_pass(const void* data, int64_t count) override {
    selector_->narrow(static_cast<const T*>(data), count);
  }
  void end_further_pass() override { selector_->resolve(); }

  void store(Statistics& s) override {
    s.argmin = argmin_;
    s.argmax = argmax_;
    s.has_nan = has_nan_;
    std::vector<double> values(quantiles_.size(), kNan);
    if (has_nan_) {
      s.mean = s.std_dev = s.variance = s.median = s.min = s.max = s.avg_magnitude = kNan;
    } else {
      s.mean = mean_;
      s.avg_magnitude = average_magnitude_;
      const Wide variance =
          static_cast<Wide>(static_cast<double>(squares_->total(0)) / static_cast<double>(size_));
      s.variance = variance;
      s.std_dev = std::sqrt(variance);
      s.min = static_cast<double>(min_);
      s.max = static_cast<double>(max_);
      s.median = median();
      for (size_t i = 0; i < quantiles_.size(); ++i) {
        const Place place = quantile_place(quantiles_[i], size_);
        // As in NumPy, the ends are elements; a quantile between one and an infinity may be NaN.
        const bool is_end = quantiles_[i] == 0 || quantiles_[i] == 1;
        values[i] = is_end ? static_cast<double>(element(place.previous))
                           : interpolate(element(place.previous), element(place.next), place.gamma,
                                         dtype_ == DataType::kFloat16);
      }
    }
    size_t i = 0;
    if (dtype_ != DataType::kBool) {
      s.p90 = values[0];
      s.p95 = values[1];
      s.p99 = values[2];
      i = 3;
    }
    s.extra_quantiles.assign(values.begin() + static_cast<ptrdiff_t>(i), values.end());
  }

 private:
  template <typename To, typename Sum>
  static void feed_as(Sum& sum, std::vector<To>& buffer, const T* x, int64_t count) {
    if constexpr (std::is_same_v<T, To>) {
      sum.feed(x, count);
    } else {
      buffer.resize(static_cast<size_t>(count));
      for (int64_t i = 0; i < count; ++i) buffer[static_cast<size_t>(i)] = static_cast<To>(x[i]);
      sum.feed(buffer.data(), count);
    }
  }

  T element(int64_t rank) const {
    const auto at = std::lower_bound(ranks_.begin(), ranks_.end(), rank);
    return selector_->value(static_cast<size_t>(at - ranks_.begin()));
  }

  // The mean of the two in the middle, in Wide. NumPy starts its sum with 0, so a median of -0 is
  // 0.
  double median() const {
    const T low = element((size_ - 1) / 2), high = element(size_ / 2);
    if (size_ % 2 == 1) return static_cast<double>(low) + 0.0;
    const Wide sum = static_cast<Wide>(low) + static_cast<Wide>(high) + Wide{0};
    return static_cast<Wide>(static_cast<double>(sum) / 2);
  }

  DataType dtype_;
  int64_t size_;
  bool has_nan_ = false, collects_ = false;
  T min_{}, max_{};
  int64_t argmin_ = 0, argmax_ = 0;
  float mean_ = 0, average_magnitude_ = 0;
  PairwiseSum<float, 2> mean_sum_;  // of x and of |x|
  PairwiseSum<Wide, 2> wide_sum_;   // for the variance
  std::optional<PairwiseSum<Wide, 1>> squares_;
  std::vector<double> quantiles_;
  std::vector<int64_t> ranks_;
  std::optional<StreamingQuantiles<T>> selector_;
  std::vector<float> as_float_;
  std::vector<double> as_double_;
};

std::unique_ptr<Stream> make_stream(DataType dtype, int64_t size,
                                    std::span<const double> extra_quantiles) {
  switch (compute_type_of(dtype)) {
    case ComputeType::kFloat:
      return std::make_unique<StreamOf<float>>(dtype, size, extra_quantiles);
    case ComputeType::kDouble:
      return std::make_unique<StreamOf<double>>(dtype, size, extra_quantiles);
    case ComputeType::kInt64:
      return std::make_unique<StreamOf<int64_t>>(dtype, size, extra_quantiles);
    case ComputeType::kUint64:
      break;
  }
  return std::make_unique<StreamOf<uint64_t>>(dtype, size, extra_quantiles);
}

// NumPy's answers for nothing.
void store_empty(Statistics& s, size_t extra_quantiles) {
  s.mean = s.avg_magnitude = kNan;
  s.p90 = s.p95 = s.p99 = std::numeric_limits<double>::infinity();
  s.extra_quantiles.assign(extra_quantiles, s.p90);
}

struct StreamedSource {
  BlockSource* source;
  std::unique_ptr<Stream> stream;
};

template <typename Wanted, typename Feed>
void pass(std::vector<StreamedSource>& all, int64_t size, Wanted wanted, Feed feed) {
  std::vector<StreamedSource*> taking;
  for (StreamedSource& r : all) {
    if (wanted(*r.stream)) taking.push_back(&r);
  }
  if (taking.empty()) return;
  for (int64_t start = 0; start < size; start += BlockSource::kBlockElements) {
    const int64_t count = std::min(BlockSource::kBlockElements, size - start);
    for (StreamedSource* r : taking) feed(*r->stream, r->source->read(start, count), start, count);
  }
}

void run_passes(std::vector<StreamedSource>& all, int64_t size) {
  pass(
      all, size, [](Stream&) { return true; },
      [](Stream& s, const void* x, int64_t start, int64_t n) { s.first_pass(x, start, n); });
  for (StreamedSource& r : all) r.stream->end_first_pass();
  pass(
      all, size, [](Stream& s) { return s.wants_second_pass(); },
      [](Stream& s, const void* x, int64_t, int64_t n) { s.second_pass(x, n); });
  for (StreamedSource& r : all) {
    if (r.stream->wants_second_pass()) r.stream->end_second_pass();
  }
  const auto further = [](Stream& s) { return s.wants_further_pass(); };
  while (
      std::any_of(all.begin(), all.end(), [&](StreamedSource& r) { return further(*r.stream); })) {
    pass(all, size, further,
         [](Stream& s, const void* x, int64_t, int64_t n) { s.further_pass(x, n); });
    for (StreamedSource& r : all) {
      if (further(*r.stream)) r.stream->end_further_pass();
    }
  }
}

}  // namespace

std::vector<Statistics> compute_statistics(std::span<BlockSource* const> sources,
                                           std::span<const double> extra_quantiles) {
  std::vector<Statistics> results(sources.size());
  std::vector<bool> done(sources.size(), false);
  for (size_t i = 0; i < sources.size(); ++i) {
    const int64_t size = sources[i]->size();
    std::vector<StreamedSource> together;
    std::vector<size_t> places;
    for (size_t j = i; j < sources.size(); ++j) {
      if (done[j] || sources[j]->size() != size) continue;
      done[j] = true;
      Statistics& s = results[j];
      s.dtype = sources[j]->dtype();
      s.shape = sources[j]->shape();
      s.size = size;
      s.computed = true;
      if (size == 0) {
        store_empty(s, extra_quantiles.size());
        continue;
      }
      together.push_back({sources[j], make_stream(s.dtype, size, extra_quantiles)});
      places.push_back(j);
    }
    run_passes(together, size);
    for (size_t k = 0; k < together.size(); ++k) together[k].stream->store(results[places[k]]);
  }
  return results;
}

Statistics compute_statistics(BlockSource& source, std::span<const double> extra_quantiles) {
  BlockSource* const one[] = {&source};
  return std::move(compute_statistics(one, extra_quantiles).front());
}

Statistics compute_statistics(const Array& array, std::span<const double> extra_quantiles) {
  if (!has_compute_type(array.dtype())) {
    Statistics s;
    s.dtype = array.dtype();
    s.shape = array.shape();
    s.size = array.size();
    return s;
  }
  ArraySource source(array);
  return compute_statistics(source, extra_quantiles);
}

std::string index_text(int64_t flat_index, std::span<const int64_t> shape) {
  std::vector<int64_t> index(shape.size());
  for (size_t i = shape.size(); i-- > 0;) {
    index[i] = flat_index % shape[i];
    flat_index /= shape[i];
  }
  return py_tuple_repr(index);
}

std::string to_text(const Statistics& s, std::string_view name) {
  std::string text;
  if (!name.empty()) text.append(name).append(" | Stats: ");
  if (!s.computed) return text + "<Error while computing statistics>";
  const auto add = [&text](std::string_view label, double value) {
    text.append(label).append("=").append(format_g(value, 5));
  };
  const auto place = [&](int64_t flat_index) {
    return " at " + (s.size == 0 ? "0" : index_text(flat_index, s.shape));
  };
  add("mean", s.mean);
  add(", std-dev", s.std_dev);
  add(", var", s.variance);
  add(", median", s.median);
  add(", min", s.min);
  text += place(s.argmin);
  add(", max", s.max);
  text += place(s.argmax);
  add(", avg-magnitude", s.avg_magnitude);
  if (s.dtype != DataType::kBool) {
    add(", p90", s.p90);
    add(", p95", s.p95);
    add(", p99", s.p99);
  }
  return text;
}

}  // namespace polygraphy
