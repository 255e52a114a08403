// `--compare indices`: outputs that list positions, best first, as --postprocess top-5 makes them.
// Each value must occur in the other output within a maximum distance.
#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/arrays/py_repr.h"
#include "base/error.h"
#include "base/log_modules.h"
#include "numerics/block_source.h"
#include "polygraphy/comparison/compare/metric.h"
#include "polygraphy/comparison/compare/metrics/shared/match_shapes.h"
#include "polygraphy/comparison/compare/metrics/shared/per_output.h"

namespace polygraphy {
namespace {

using log_modules::kCompare;

constexpr std::string_view kTolerance = "index_tolerance";
constexpr MetricOption kOptions[] = {
    {.name = kTolerance,
     .flags = "--index-tolerance",
     .type = MetricOption::Type::kInteger,
     .metavar = "PLACES",
     .help = "indices: maximum number of places that a value may move, for all outputs or for one: "
             "2 top5:1. This number of values at the end of each row is ignored. Default: 0.",
     .least = 0},
};

std::string text_of(int64_t value) {
  return std::to_string(value);
}
std::string text_of(uint64_t value) {
  return std::to_string(value);
}
std::string text_of(double value) {
  return py_float_repr(value);
}
std::string text_of(const std::string& value) {
  return value;
}

// Rows of an array as T.
template <typename T>
class Rows {
 public:
  explicit Rows(const Array& array) : source_(array), type_(array.dtype()) {}

  void read(int64_t start, int64_t length, std::vector<T>& row) {
    row.clear();
    for (int64_t at = start; at < start + length; at += BlockSource::kBlockElements) {
      const int64_t count = std::min(BlockSource::kBlockElements, start + length - at);
      const void* block = source_.read(at, count);
      switch (compute_type_of(type_)) {
        case ComputeType::kFloat:
          append(static_cast<const float*>(block), count, row);
          break;
        case ComputeType::kDouble:
          append(static_cast<const double*>(block), count, row);
          break;
        case ComputeType::kInt64:
          append(static_cast<const int64_t*>(block), count, row);
          break;
        case ComputeType::kUint64:
          append(static_cast<const uint64_t*>(block), count, row);
          break;
      }
    }
  }

 private:
  template <typename From>
  static void append(const From* values, int64_t count, std::vector<T>& row) {
    for (int64_t i = 0; i < count; ++i) row.push_back(static_cast<T>(values[i]));
  }

  ArraySource source_;
  DataType type_;
};

template <>
class Rows<std::string> {
 public:
  explicit Rows(const Array& array) : strings_(array.strings()) {}
  void read(int64_t start, int64_t length, std::vector<std::string>& row) const {
    const auto rows = strings_.subspan(static_cast<size_t>(start), static_cast<size_t>(length));
    row.assign(rows.begin(), rows.end());
  }

 private:
  std::span<const std::string> strings_;
};

class Indices : public MetricFunction {
 public:
  explicit Indices(const MetricOptions& options) : options_(options) {
    for (const auto& [name, tolerance] : options.numbers_of(kTolerance)) {
      if (tolerance.value >= 0) continue;
      throw Error("Invalid index_tolerance" + (name.empty() ? "" : " for output '" + name + "'") +
                      ": " + tolerance.repr() + ".",
                  "Note: Give a number of places of at least 0, the default.");
    }
  }

  OutputResult compare(const OutputPair& pair, Logger& log) override {
    const Array &a = pair.a, &b = pair.b;
    if (a.shape() != b.shape()) {
      log.error(kCompare, "Cannot compare outputs of different shapes.");
      return {};
    }
    const int64_t tolerance = tolerance_for(std::string(pair.name0));
    OutputResult result;
    const auto judge = [&]<typename T>(T) { result.passed = rows_match<T>(a, b, tolerance, log); };
    const bool strings_a = a.dtype() == DataType::kString,
               strings_b = b.dtype() == DataType::kString;
    if (strings_a && strings_b) {
      judge(std::string());
    } else if (!has_compute_type(a.dtype()) || !has_compute_type(b.dtype())) {
      refuse_types(pair, log);
      return result;
    } else if (compute_type_of(a.dtype()) == ComputeType::kInt64 &&
               compute_type_of(b.dtype()) == ComputeType::kInt64) {
      judge(int64_t{});
    } else if (compute_type_of(a.dtype()) == ComputeType::kUint64 &&
               compute_type_of(b.dtype()) == ComputeType::kUint64) {
      judge(uint64_t{});
    } else {
      judge(double{});
    }
    if (result.passed) {
      log.finish(kCompare, "PASSED | Difference is within index tolerance (" +
                               std::to_string(tolerance) + ")");
    }
    return result;
  }

 private:
  // More places than any row has are as good as all.
  int64_t tolerance_for(const std::string& output) const {
    constexpr double kMost = 0x1p53;
    const GivenNumber given = value_for(options_.numbers_of(kTolerance), output, GivenNumber(0));
    return static_cast<int64_t>(std::min(given.value, kMost));
  }

  // Every dimension but the last counts batches; a scalar is a row of one.
  template <typename T>
  bool rows_match(const Array& a, const Array& b, int64_t tolerance, Logger& log) const {
    const int64_t length = a.shape().empty() ? 1 : a.shape().back();
    Rows<T> rows_a(a), rows_b(b);
    std::vector<T> row_a, row_b;
    bool passed = true;
    for (int64_t start = 0; start < a.size(); start += length) {
      rows_a.read(start, length, row_a);
      rows_b.read(start, length, row_b);
      passed &= row_matches(row_a, row_b, tolerance, a.dtype() == DataType::kBool, log);
      if (!passed && options_.fail_fast) break;
    }
    return passed;
  }

  template <typename T>
  bool row_matches(const std::vector<T>& a, const std::vector<T>& b, int64_t tolerance, bool bools,
                   Logger& log) const {
    std::unordered_map<T, int64_t> first;  // in b; made when a value has to be looked for
    bool passed = true;
    const int64_t judged = static_cast<int64_t>(a.size()) - tolerance;
    for (int64_t i = 0; i < judged; ++i) {
      const T& value = a[static_cast<size_t>(i)];
      if (value == b[static_cast<size_t>(i)]) continue;
      if (first.empty()) {
        for (size_t j = 0; j < b.size(); ++j) first.try_emplace(b[j], static_cast<int64_t>(j));
      }
      const auto found = first.find(value);
      if (found == first.end()) {
        const std::string text = bools ? (value == T{} ? "False" : "True") : text_of(value);
        log.error(kCompare, "FAILED | Value: " + text + " not found in output");
      } else if (std::abs(found->second - i) > tolerance) {
        log.error(kCompare, "FAILED | Difference exceeds index tolerance (" +
                                std::to_string(tolerance) + ")");
      } else {
        continue;
      }
      passed = false;
      if (options_.fail_fast) break;
    }
    return passed;
  }

  MetricOptions options_;
};

std::unique_ptr<MetricFunction> make_metric(const MetricOptions& options) {
  return std::make_unique<Indices>(options);
}

}  // namespace

extern constinit const Metric metric_indices = {
    .name = "indices",
    .label = "indices",
    .summary = "the displacement of values between two outputs",
    .order = 1,
    .make = make_metric,
    .options = kOptions,
    .python_class = "IndicesCompareFunc",
    .python_arguments = "index_tolerance fail_fast",
};

}  // namespace polygraphy
