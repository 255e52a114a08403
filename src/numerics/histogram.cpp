#include "numerics/histogram.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <memory>

#include "base/arrays/convert.h"
#include "base/arrays/py_repr.h"
#include "numerics/simd_kernels.h"

namespace polygraphy {
namespace {

using Edges = std::array<double, Histogram::kBins + 1>;

// Ten equal steps as NumPy's linspace takes them, every operation rounded by `round`.
Edges make_edges(double first, double last, double (*round)(double)) {
  Edges edges;
  const double delta = round(last - first);
  const double step = round(delta / Histogram::kBins);
  for (int i = 0; i <= Histogram::kBins; ++i) {
    const double part = step == 0 ? round(round(i / double{Histogram::kBins}) * delta)  // denormal
                                  : round(i * step);
    edges[static_cast<size_t>(i)] = round(part + first);
  }
  edges.back() = last;
  return edges;
}

double as_float32(double x) {
  return static_cast<float>(x);
}
double as_float16(double x) {
  return float16_to_float(double_to_float16(x));
}
double as_is(double x) {
  return x;
}

double rounded_to(DataType type, double x) {
  switch (compute_type_of(type)) {
    case ComputeType::kFloat:
      return type == DataType::kFloat16 ? as_float16(x) : as_float32(x);
    default:
      return x;
  }
}

template <typename T>
T above(T x) {
  return std::nextafter(x, std::numeric_limits<T>::infinity());
}

// The elements of a block in the type of the edges: integers become doubles.
const void* as_edges(const void* block, ComputeType type, int64_t count,
                     std::vector<double>& converted) {
  if (type == ComputeType::kInt64) {
    const auto* x = static_cast<const int64_t*>(block);
    converted.assign(x, x + count);
  } else if (type == ComputeType::kUint64) {
    const auto* x = static_cast<const uint64_t*>(block);
    converted.assign(x, x + count);
  } else {
    return block;
  }
  return converted.data();
}

// Counts a source's elements into the bins, block by block.
class Counter {
 public:
  virtual ~Counter() = default;
  virtual void add(int64_t start, int64_t count) = 0;
  virtual Histogram finish() = 0;
};

// Elements in [first, last], by the interior edges. An element equal to an edge belongs to the bin
// that starts there.
template <typename T>
class BoundedCounter : public Counter {
 public:
  BoundedCounter(const Histogram& histogram, BlockSource& source, double first, double last)
      : histogram_(histogram), source_(source) {
    std::vector<T>& values = thresholds_.values;
    values.push_back(static_cast<T>(first));
    for (size_t i = 1; i < Histogram::kBins; ++i)
      values.push_back(static_cast<T>(histogram.edges[i]));
    const size_t past_last = values.size();
    while (values.size() % 4 != 0 || values.size() == past_last) {
      values.push_back(above(static_cast<T>(last)));
    }
    thresholds_.at_or_above.assign(values.size(), 0);
  }
  void add(int64_t start, int64_t count) override {
    const void* block =
        as_edges(source_.read(start, count), compute_type_of(source_.dtype()), count, converted_);
    simd_kernels<T>().classify(static_cast<const T*>(block), count, thresholds_, nullptr);
  }
  Histogram finish() override {
    for (size_t i = 0; i < Histogram::kBins; ++i) {
      histogram_.counts[i] = thresholds_.at_or_above[i] - thresholds_.at_or_above[i + 1];
    }
    return histogram_;
  }

 private:
  Histogram histogram_;
  BlockSource& source_;
  Thresholds<T> thresholds_;
  std::vector<double> converted_;
};

// The same if all elements are in [first, last]: compares with the edges between bins only.
template <typename T>
class InnerCounter : public Counter {
 public:
  InnerCounter(const Histogram& histogram, BlockSource& source)
      : histogram_(histogram), source_(source) {
    for (size_t i = 0; i < kInnerEdges; ++i) edges_[i] = static_cast<T>(histogram.edges[i + 1]);
  }
  void add(int64_t start, int64_t count) override {
    const void* block =
        as_edges(source_.read(start, count), compute_type_of(source_.dtype()), count, converted_);
    simd_kernels<T>().count_edges(static_cast<const T*>(block), count, edges_.data(),
                                  at_or_above_.data());
  }
  Histogram finish() override {
    int64_t before = source_.size();
    for (size_t i = 0; i < kInnerEdges; ++i) {
      histogram_.counts[i] = before - at_or_above_[i];
      before = at_or_above_[i];
    }
    histogram_.counts.back() = before;
    return histogram_;
  }

 private:
  static_assert(kInnerEdges == Histogram::kBins - 1);
  Histogram histogram_;
  BlockSource& source_;
  std::array<T, kInnerEdges> edges_;
  std::array<int64_t, kInnerEdges> at_or_above_{};
  std::vector<double> converted_;
};

// null: there is no histogram. `own`: the range is the data's, in its type; otherwise two Python
// floats. `inside`: all elements are known to be in the range.
std::unique_ptr<Counter> counter(BlockSource& source, double first, double last, bool own,
                                 bool inside) {
  const DataType type = source.dtype();
  if (!has_compute_type(type) || type == DataType::kBool) return nullptr;
  if (!(first <= last) || !std::isfinite(first) || !std::isfinite(last)) return nullptr;
  const bool half = own && type == DataType::kFloat16;
  const bool single = own && !half && compute_type_of(type) == ComputeType::kFloat;
  const auto round = half ? as_float16 : single ? as_float32 : as_is;
  if (first == last) {
    first = round(first - 0.5);
    last = round(last + 0.5);
  }
  Histogram histogram;
  histogram.edges = make_edges(first, last, round);
  for (double& edge : histogram.edges) edge = rounded_to(type, edge);
  for (size_t i = 0; i < Histogram::kBins; ++i) {  // NumPy refuses bins of no width
    if (histogram.edges[i] >= histogram.edges[i + 1]) return nullptr;
  }
  first = rounded_to(type, first);
  last = rounded_to(type, last);
  const bool is_float = compute_type_of(type) == ComputeType::kFloat;
  if (inside) {
    if (is_float) return std::make_unique<InnerCounter<float>>(histogram, source);
    return std::make_unique<InnerCounter<double>>(histogram, source);
  }
  if (is_float) return std::make_unique<BoundedCounter<float>>(histogram, source, first, last);
  return std::make_unique<BoundedCounter<double>>(histogram, source, first, last);
}

void count_all(std::span<Counter* const> counters, int64_t size) {
  for (int64_t start = 0; start < size; start += BlockSource::kBlockElements) {
    const int64_t count = std::min(BlockSource::kBlockElements, size - start);
    for (Counter* one : counters) one->add(start, count);
  }
}

std::optional<Histogram> compute(BlockSource& source, double first, double last, bool own) {
  const auto one = counter(source, first, last, own, false);
  if (!one) return std::nullopt;
  Counter* const all[] = {one.get()};
  count_all(all, source.size());
  return one->finish();
}

template <typename T>
std::pair<double, double> extremes_of(BlockSource& source) {
  T low{}, high{};
  for (int64_t start = 0; start < source.size(); start += BlockSource::kBlockElements) {
    const int64_t count = std::min(BlockSource::kBlockElements, source.size() - start);
    const Extremes<T> e =
        simd_kernels<T>().extremes(static_cast<const T*>(source.read(start, count)), count);
    if (e.has_nan) return {std::nan(""), std::nan("")};
    low = start == 0 ? e.min : std::min(low, e.min);
    high = start == 0 ? e.max : std::max(high, e.max);
  }
  return {static_cast<double>(low), static_cast<double>(high)};
}

}  // namespace

std::optional<Histogram> compute_histogram(BlockSource& source,
                                           std::optional<HistogramRange> range) {
  if (range) return compute(source, range->first, range->second, false);
  if (!has_compute_type(source.dtype()) || source.dtype() == DataType::kBool) return std::nullopt;
  if (source.size() == 0) return compute(source, 0, 1, true);
  std::pair<double, double> own;
  switch (compute_type_of(source.dtype())) {
    case ComputeType::kFloat:
      own = extremes_of<float>(source);
      break;
    case ComputeType::kDouble:
      own = extremes_of<double>(source);
      break;
    case ComputeType::kInt64:
      own = extremes_of<int64_t>(source);
      break;
    case ComputeType::kUint64:
      own = extremes_of<uint64_t>(source);
      break;
  }
  return compute(source, own.first, own.second, true);
}

std::optional<Histogram> compute_own_histogram(BlockSource& source, double own_min,
                                               double own_max) {
  if (source.size() == 0) return compute_histogram(source);
  return compute(source, own_min, own_max, true);
}

std::vector<std::optional<Histogram>> compute_histograms(std::span<const HistogramTask> tasks) {
  std::vector<std::optional<Histogram>> results(tasks.size());
  std::vector<std::unique_ptr<Counter>> counters;
  std::vector<Counter*> running;
  int64_t size = 0;
  for (const HistogramTask& task : tasks) {
    assert((size == 0 || size == task.source->size()) && "sources of different sizes");
    size = task.source->size();
    // Of nothing there are no extremes; NumPy takes 0 and 1.
    const bool empty = size == 0 && task.own;
    counters.push_back(counter(*task.source, empty ? 0 : task.range.first,
                               empty ? 1 : task.range.second, task.own, task.inside && size > 0));
    if (counters.back()) running.push_back(counters.back().get());
  }
  count_all(running, size);
  for (size_t i = 0; i < tasks.size(); ++i) {
    if (counters[i]) results[i] = counters[i]->finish();
  }
  return results;
}

std::string to_text(const std::optional<Histogram>& histogram) {
  constexpr int kBarLength = 40;
  if (!histogram) return "";
  const int64_t most = *std::max_element(histogram->counts.begin(), histogram->counts.end());
  if (most == 0) return "None";
  std::array<std::string, Histogram::kBins + 1> edges;
  size_t start_width = 0, end_width = 0;
  for (size_t i = 0; i < edges.size(); ++i) {
    edges[i] = format_g(histogram->edges[i], 3);
    start_width = std::max(start_width, edges[i].size());
    if (i > 0) end_width = std::max(end_width, edges[i].size());
  }
  const auto padded = [](std::string text, size_t width) {
    text.resize(std::max(width, text.size()), ' ');
    return text;
  };
  std::string text = "---- Histogram ----\n" + padded("Bin Range", start_width + end_width + 5) +
                     "|  Num Elems | Visualization";
  for (size_t i = 0; i < Histogram::kBins; ++i) {
    const std::string count = std::to_string(histogram->counts[i]);
    const auto bar = static_cast<size_t>(kBarLength * static_cast<double>(histogram->counts[i]) /
                                         static_cast<double>(most));
    text += "\n(" + padded(edges[i], start_width) + ", " + padded(edges[i + 1], end_width) +
            ") | " + std::string(count.size() < 10 ? 10 - count.size() : 0, ' ') + count + " | " +
            std::string(bar, '#');
  }
  return text;
}

}  // namespace polygraphy
