#include "polygraphy/comparison/verdict/run_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "formats/record_json.h"
#include "polygraphy/comparison/verdict/join_versions.h"
#include "polygraphy/comparison/verdict/tally.h"

namespace polygraphy {
namespace {

[[noreturn]] void refuse(const std::string& what, std::string_view one, std::string_view other) {
  throw Error(kOtherRun,
              fmt::format("{}: '{}' in one part of the run, '{}' in another", what, one, other),
              "The parts must run with the same options on the same engines.");
}

std::string names_of(const RunRecord& record) {
  std::string names;
  for (const PairRecord& pair : record.pairs)
    names += (names.empty() ? "" : ", ") + pair.reference + " vs. " + pair.target;
  return names;
}

void require_same_run(const RunRecord& whole, const RunRecord& part) {
  if (whole.measure != part.measure) refuse("Measure", whole.measure, part.measure);
  const auto same = [](const PairRecord& one, const PairRecord& other) {
    return one.reference == other.reference && one.target == other.target;
  };
  if (!std::ranges::equal(whole.pairs, part.pairs, same))
    refuse("Runners", names_of(whole), names_of(part));
}

// As a multiple of the limit; NaN is the largest, too.
double error_of(const JudgedUnit& unit) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (!unit.excess) return unit.failed() ? kInfinity : 0;
  return std::isnan(*unit.excess) ? kInfinity : *unit.excess;
}

}  // namespace

void join_versions(OrderedMap<std::string>& whole, const OrderedMap<std::string>& part,
                   const std::string& file) {
  for (const auto& [engine, version] : part) {
    const std::string* known = whole.find(engine);
    if (known && *known != version)
      refuse("Version of " + engine + (file.empty() ? "" : " in " + file), *known, version);
  }
  for (const auto& [engine, version] : part) whole.set(engine, version);
}

bool JudgedSample::passed() const {
  return std::ranges::none_of(units, &JudgedUnit::failed);
}

Verdict RunRecord::verdict() const {
  Verdict all{.pairs = 0};
  for (const PairRecord& pair : pairs) {
    Tally tally;
    for (const JudgedSample& sample : pair.samples) tally.add(sample);
    Verdict one = tally.verdict();
    one.reference = pair.reference;
    one.target = pair.target;
    one.measure = measure;
    all = &pair == &pairs.front() ? std::move(one) : joined_pairs(all, one);
  }
  if (!failed.empty()) {
    all.agreement = Agreement::kFailed;
    all.reason = failed.front();
  }
  return all;
}

void append(RunRecord& whole, RunRecord part) {
  require_same_run(whole, part);
  join_versions(whole.versions, part.versions);
  for (size_t i = 0; i < whole.pairs.size(); ++i) {
    for (JudgedSample& sample : part.pairs[i].samples)
      whole.pairs[i].samples.push_back(std::move(sample));
  }
  for (std::string& failure : part.failed) whole.failed.push_back(std::move(failure));
}

std::vector<int64_t> worst_samples(const RunRecord& record, int64_t count) {
  std::vector<double> errors;
  for (const PairRecord& pair : record.pairs) {
    errors.resize(std::max(errors.size(), pair.samples.size()));
    for (size_t i = 0; i < pair.samples.size(); ++i) {
      for (const JudgedUnit& unit : pair.samples[i].units)
        errors[i] = std::max(errors[i], error_of(unit));
    }
  }
  std::vector<int64_t> numbers(errors.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  std::ranges::stable_sort(numbers, std::greater<>(),
                           [&](int64_t number) { return errors[static_cast<size_t>(number)]; });
  numbers.resize(std::min(numbers.size(), static_cast<size_t>(std::max<int64_t>(count, 0))));
  return numbers;
}

std::string to_json(const RunRecord& record) {
  return record_line(record);
}

RunRecord parse_run_record(std::string_view text, std::string source) {
  return parse_record<RunRecord>(text, std::move(source), "this is not a record of a run.");
}

}  // namespace polygraphy
