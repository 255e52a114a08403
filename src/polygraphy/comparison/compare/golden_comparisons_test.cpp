// The log of comparisons of two outputs, against the original's text: testdata/comparisons.txt,
// written by testdata/make_goldens.py.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <sstream>

#include "base/arrays/convert.h"
#include "base/testdata/log_text.h"
#include "base/text.h"
#include "polygraphy/comparison/compare/accuracy.h"

namespace polygraphy {
namespace {

struct Case {
  std::string header, expected;
};

std::vector<Case> read_cases() {
  std::ifstream file(PG_SOURCE_DIR "/src/polygraphy/comparison/compare/testdata/comparisons.txt");
  std::vector<Case> cases;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("=== ")) {
      cases.push_back({line.substr(4), ""});
    } else {
      cases.back().expected += line + "\n";
    }
  }
  return cases;
}

// The formulas of make_goldens.py.
double fraction(uint64_t index, uint64_t seed) {
  return static_cast<double>(((index + seed) * 2654435761u) % (uint64_t{1} << 32)) / 4294967296.0;
}

Array values(DataType type, const Shape& shape, uint64_t seed, double scale) {
  std::vector<double> spread(static_cast<size_t>(element_count(shape)));
  for (size_t i = 0; i < spread.size(); ++i) {
    spread[i] = (fraction(i, seed) - 0.25) * scale;
    if (type == DataType::kBool) spread[i] = spread[i] > 0.1 * scale;
    if (kind_of(type) == Kind::kUnsigned) spread[i] = std::abs(spread[i]);
  }
  return convert(Array::of<double>(shape, spread), type);
}

std::vector<double> doubles(const Array& array) {
  std::vector<double> result;
  for (int64_t i = 0; i < array.size(); ++i) result.push_back(array.get_double(i));
  return result;
}

std::pair<Array, Array> arrays(DataType type, const Shape& shape, const std::string& relation,
                               double scale) {
  const Array a = values(type, shape, 1, scale);
  if (relation == "equal") return {a, a};
  if (relation == "other") return {a, values(type, shape, 1000003, scale)};
  std::vector<double> x = doubles(a), y = x;
  if (relation == "close") {
    for (size_t i = 0; i < y.size(); ++i) y[i] *= 1.0 + 1e-4 * (fraction(i, 7) - 0.5);
  } else {
    constexpr double kInf = std::numeric_limits<double>::infinity();
    const size_t count = x.size();
    x[1 % count] = y[1 % count] = kInf;
    x[2 % count] = std::numeric_limits<double>::quiet_NaN();
    y[3 % count] = -kInf;
    x[4 % count] = y[4 % count] = kInf;
    y[5 % count] = 0;
  }
  return {convert(Array::of<double>(shape, x), type), convert(Array::of<double>(shape, y), type)};
}

Severity level_of(const std::string& name) {
  return name == "info"      ? Severity::kInfo
         : name == "verbose" ? Severity::kVerbose
                             : Severity::kSuperVerbose;
}

// Our text for the case that a header describes.
std::string printed(const std::string& header) {
  std::istringstream words(header);
  std::string name, type, dims, relation, level, stat, scale, atol, rtol;
  bool infinities_equal;
  words >> name >> type >> dims >> relation >> scale >> level >> stat >> atol >> rtol >>
      infinities_equal;
  Shape shape;
  if (dims != "-") {
    for (const std::string_view dim : split(dims, ','))
      shape.push_back(std::stoll(std::string(dim)));
  }
  const auto [a, b] = arrays(*parse_data_type(type), shape, relation, std::stod(scale));

  CompareOptions options;
  options.metrics = {find_metric("simple")};
  options.metric_options.numbers["atol"] = {{"", std::stod(atol)}};
  options.metric_options.numbers["rtol"] = {{"", std::stod(rtol)}};
  options.metric_options.texts["check_error_stat"] = {{"", stat}};
  options.metric_options.numbers["error_quantile"] = {{"", 0.9}};
  options.metric_options.flags["infinities_compare_equal"] = infinities_equal;
  LogText log(level_of(level));
  AccuracyComparison accuracy(options, log.log());
  accuracy.add({{{{name, a}}, std::nullopt, "R0"}, {{{name, b}}, std::nullopt, "R1"}});
  accuracy.summarize();
  return log.take();
}

TEST(GoldenComparisonsTest, ArePrintedAsTheOriginalPrintsThem) {
  const std::vector<Case> cases = read_cases();
  ASSERT_GT(cases.size(), 50u);
  for (const Case& one : cases) EXPECT_EQ(printed(one.header), one.expected) << one.header;
}

}  // namespace
}  // namespace polygraphy
