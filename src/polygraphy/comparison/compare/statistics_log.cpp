#include "polygraphy/comparison/compare/statistics_log.h"

#include <cstring>
#include <string>

#include "base/arrays/numpy_text.h"
#include "base/arrays/py_repr.h"
#include "base/log_modules.h"
#include "base/text.h"

namespace polygraphy {
namespace {

constexpr int64_t kMostValues = 100;

// The elements of a short source as an array of its type.
Array array_of(BlockSource& source) {
  Array array = Array::uninitialized(source.dtype(), source.shape());
  if (source.size() == 0) return array;
  const void* block = source.read(0, source.size());
  if (source.dtype() == DataType::kBool) {
    for (int64_t i = 0; i < source.size(); ++i) {
      array.mutable_data()[i] = static_cast<std::byte>(static_cast<const int64_t*>(block)[i] != 0);
    }
  } else {
    // Differences have their compute types already: no conversion.
    std::memcpy(array.mutable_data(), block, static_cast<size_t>(array.nbytes()));
  }
  return array;
}

std::string float_text(DataType type, double value) {
  return compute_type_of(type) == ComputeType::kFloat ? py_float32_repr(static_cast<float>(value))
                                                      : py_float_repr(value);
}

bool finite(double value) {
  return value - value == 0;
}

std::optional<Histogram> histogram_of(const Statistics& statistics, BlockSource& source,
                                      std::optional<HistogramRange> range) {
  return range ? compute_histogram(source, range)
               : compute_own_histogram(source, statistics.min, statistics.max);
}

void log_histogram(const Statistics& statistics, const std::optional<Histogram>& histogram,
                   Severity details, std::optional<HistogramRange> range, Logger& log) {
  const DataType dtype = statistics.dtype;
  if (!histogram && dtype != DataType::kBool) {
    const double low = range ? range->first : statistics.min;
    const double high = range ? range->second : statistics.max;
    std::string reason = "Too many bins for data range. Cannot create 10 finite-sized bins.";
    if (!(finite(low) && finite(high))) {
      reason = std::string(range ? "supplied" : "autodetected") + " range of [" +
               float_text(dtype, low) + ", " + float_text(dtype, high) + "] is not finite";
    }
    log.verbose(log_modules::kStatistics,
                "Could not generate histogram. Note: Error was: " + reason);
  }
  log.log(details, log_modules::kStatistics, to_text(histogram));
}

void log_line(const Statistics& statistics, std::string_view name, Logger& log) {
  log.info(log_modules::kStatistics, to_text(statistics, name));
}

void log_values(const Array& array, Severity details, Logger& log) {
  log.log(details, log_modules::kStatistics, "---- Values ----\n" + indent(numpy_str(array)));
}

}  // namespace

HistogramRange common_range(const Statistics& a, const Statistics& b) {
  return {b.min < a.min ? b.min : a.min, b.max > a.max ? b.max : a.max};
}

bool statistics_read_elements(const Statistics& statistics, Severity details,
                              const std::optional<Histogram>* histogram, const Logger& log) {
  if (!log.enabled(details, log_modules::kStatistics)) return false;
  return statistics.size <= kMostValues || (statistics.computed && histogram == nullptr);
}

bool statistics_enabled(const Logger& log) {
  return log.enabled(Severity::kInfo, log_modules::kStatistics);
}

void log_statistics(const Statistics& statistics, std::string_view name, BlockSource& source,
                    Severity details, std::optional<HistogramRange> range, Logger& log,
                    const std::optional<Histogram>* histogram) {
  log_line(statistics, name, log);
  if (!log.enabled(details, log_modules::kStatistics)) return;
  Logger::Indent deeper(log);
  if (source.size() <= kMostValues) log_values(array_of(source), details, log);
  log_histogram(statistics, histogram ? *histogram : histogram_of(statistics, source, range),
                details, range, log);
}

void log_statistics(const Statistics& statistics, std::string_view name, const Array& array,
                    Severity details, std::optional<HistogramRange> range, Logger& log,
                    const std::optional<Histogram>* histogram) {
  log_line(statistics, name, log);
  if (!log.enabled(details, log_modules::kStatistics)) return;
  Logger::Indent deeper(log);
  if (statistics.size <= kMostValues) log_values(array, details, log);
  if (!statistics.computed) return;
  if (histogram != nullptr) {
    log_histogram(statistics, *histogram, details, range, log);
    return;
  }
  ArraySource source(array);
  log_histogram(statistics, histogram_of(statistics, source, range), details, range, log);
}

}  // namespace polygraphy
