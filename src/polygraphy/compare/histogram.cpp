#include "polygraphy/compare/histogram.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "base/convert.h"
#include "base/numpy_text.h"
#include "polygraphy/compare/lane_kernels.h"

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
  switch (lane_of(type)) {
    case Lane::kFloat:
      return type == DataType::kFloat16 ? as_float16(x) : as_float32(x);
    default:
      return x;
  }
}

template <typename T>
T above(T x) {
  return std::nextafter(x, std::numeric_limits<T>::infinity());
}

// Elements in [first, last], by the interior edges. An element equal to an edge belongs to the bin
// that starts there.
template <typename T>
void count_into(Histogram& histogram, BlockSource& source, double first, double last) {
  Thresholds<T> thresholds;
  const auto& edges = histogram.edges;
  thresholds.values.push_back(static_cast<T>(first));
  for (size_t i = 1; i < Histogram::kBins; ++i)
    thresholds.values.push_back(static_cast<T>(edges[i]));
  const size_t past_last = thresholds.values.size();
  while (thresholds.values.size() % 4 != 0 || thresholds.values.size() == past_last) {
    thresholds.values.push_back(above(static_cast<T>(last)));
  }
  thresholds.at_or_above.assign(thresholds.values.size(), 0);
  std::vector<T> converted;
  const Lane lane = lane_of(source.dtype());
  for (int64_t start = 0; start < source.size(); start += BlockSource::kBlockElements) {
    const int64_t count = std::min(BlockSource::kBlockElements, source.size() - start);
    const void* block = source.read(start, count);
    if (lane == Lane::kInt64) {
      const auto* x = static_cast<const int64_t*>(block);
      converted.assign(x, x + count);
      block = converted.data();
    } else if (lane == Lane::kUint64) {
      const auto* x = static_cast<const uint64_t*>(block);
      converted.assign(x, x + count);
      block = converted.data();
    }
    lane_kernels<T>().classify(static_cast<const T*>(block), count, thresholds, nullptr);
  }
  for (size_t i = 0; i < Histogram::kBins; ++i) {
    histogram.counts[i] = thresholds.at_or_above[i] - thresholds.at_or_above[i + 1];
  }
}

// `own`: the range is the data's, in its type; otherwise two Python floats.
std::optional<Histogram> compute(BlockSource& source, double first, double last, bool own) {
  const DataType type = source.dtype();
  if (!has_lane(type) || type == DataType::kBool) return std::nullopt;
  if (!(first <= last) || !std::isfinite(first) || !std::isfinite(last)) return std::nullopt;
  const bool half = own && type == DataType::kFloat16;
  const bool single = own && !half && lane_of(type) == Lane::kFloat;
  const auto round = half ? as_float16 : single ? as_float32 : as_is;
  if (first == last) {
    first = round(first - 0.5);
    last = round(last + 0.5);
  }
  Histogram histogram;
  histogram.edges = make_edges(first, last, round);
  for (double& edge : histogram.edges) edge = rounded_to(type, edge);
  for (size_t i = 0; i < Histogram::kBins; ++i) {  // NumPy refuses bins of no width
    if (histogram.edges[i] >= histogram.edges[i + 1]) return std::nullopt;
  }
  first = rounded_to(type, first);
  last = rounded_to(type, last);
  if (lane_of(type) == Lane::kFloat) {
    count_into<float>(histogram, source, first, last);
  } else {
    count_into<double>(histogram, source, first, last);
  }
  return histogram;
}

template <typename T>
std::pair<double, double> extremes_of(BlockSource& source) {
  T low{}, high{};
  for (int64_t start = 0; start < source.size(); start += BlockSource::kBlockElements) {
    const int64_t count = std::min(BlockSource::kBlockElements, source.size() - start);
    const Extremes<T> e =
        lane_kernels<T>().extremes(static_cast<const T*>(source.read(start, count)), count);
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
  if (!has_lane(source.dtype()) || source.dtype() == DataType::kBool) return std::nullopt;
  if (source.size() == 0) return compute(source, 0, 1, true);
  std::pair<double, double> own;
  switch (lane_of(source.dtype())) {
    case Lane::kFloat:
      own = extremes_of<float>(source);
      break;
    case Lane::kDouble:
      own = extremes_of<double>(source);
      break;
    case Lane::kInt64:
      own = extremes_of<int64_t>(source);
      break;
    case Lane::kUint64:
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
