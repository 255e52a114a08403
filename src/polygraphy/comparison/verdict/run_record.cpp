#include "polygraphy/comparison/verdict/run_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "formats/compact_json.h"
#include "formats/json_reader.h"
#include "formats/json_values.h"
#include "polygraphy/comparison/verdict/tally.h"
#include "polygraphy/comparison/verdict/verdict_json.h"

namespace polygraphy {
namespace {

using Type = JsonReader::Type;

// Of the document; records of other forms are refused.
constexpr int kForm = 2;

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
  for (const auto& [engine, version] : part.versions) {
    const std::string* known = whole.versions.find(engine);
    if (known && *known != version) refuse("Version of " + engine, *known, version);
  }
  if (whole.measure != part.measure) refuse("Measure", whole.measure, part.measure);
  const auto same = [](const PairRecord& one, const PairRecord& other) {
    return one.reference == other.reference && one.target == other.target;
  };
  if (!std::ranges::equal(whole.pairs, part.pairs, same))
    refuse("Runners", names_of(whole), names_of(part));
}

// [place, token, instead, margin, allowed, wrong]; without tokens -1.
void put(CompactJson& json, const TokenFlip& flip) {
  json.begin_array();
  json.text(flip.place);
  json.integer(flip.token.value_or(-1));
  json.integer(flip.instead.value_or(-1));
  json.number(flip.margin);
  json.number(flip.allowed);
  json.literal(flip.wrong ? "1" : "0");
  json.end_array();
}

TokenFlip read_flip(JsonReader& json) {
  TokenFlip flip;
  const auto token = [&]() -> std::optional<int64_t> {
    const int64_t id = json.read_integer();
    return id < 0 ? std::nullopt : std::optional(id);
  };
  json.enter_array();
  for (int place = 0; json.next_element(); ++place) {
    switch (place) {
      case 0:
        flip.place = json.read_string();
        break;
      case 1:
        flip.token = token();
        break;
      case 2:
        flip.instead = token();
        break;
      case 3:
        flip.margin = json.read_number();
        break;
      case 4:
        flip.allowed = json.read_number();
        break;
      case 5:
        flip.wrong = json.read_integer() != 0;
        break;
      default:
        json.skip_value();
    }
  }
  return flip;
}

// [tokens, flips, wrong, noise known, first wrong, also, distributions, sum and squares of
// divergences, flips ...].
void put(CompactJson& json, const TokenCounts& counts) {
  json.begin_array();
  json.integer(counts.tokens);
  json.integer(counts.flips);
  json.integer(counts.wrong);
  json.literal(counts.noise_known ? "1" : "0");
  json.text(counts.first_wrong);
  json.text(counts.also);
  json.integer(counts.distributions);
  json.number(counts.divergences);
  json.number(counts.squared_divergences);
  for (const TokenFlip& flip : counts.all_flips) put(json, flip);
  json.end_array();
}

TokenCounts read_tokens(JsonReader& json) {
  TokenCounts counts;
  json.enter_array();
  for (int place = 0; json.next_element(); ++place) {
    switch (place) {
      case 0:
        counts.tokens = json.read_integer();
        break;
      case 1:
        counts.flips = json.read_integer();
        break;
      case 2:
        counts.wrong = json.read_integer();
        break;
      case 3:
        counts.noise_known = json.read_integer() != 0;
        break;
      case 4:
        counts.first_wrong = json.read_string();
        break;
      case 5:
        counts.also = json.read_string();
        break;
      case 6:
        counts.distributions = json.read_integer();
        break;
      case 7:
        counts.divergences = json.read_number();
        break;
      case 8:
        counts.squared_divergences = json.read_number();
        break;
      default:
        counts.all_flips.push_back(read_flip(json));
    }
  }
  return counts;
}

// [name, agreement, excess, reason, tokens], without default values at the end.
void put(CompactJson& json, const JudgedUnit& unit) {
  json.begin_array();
  json.text(unit.name);
  json.text(name_of(unit.agreement));
  const bool tokens = unit.tokens.has_value(), reason = !unit.reason.empty() || tokens;
  if (unit.excess || reason) unit.excess ? json.number(*unit.excess) : json.null();
  if (reason) json.text(unit.reason);
  if (tokens) put(json, *unit.tokens);
  json.end_array();
}

JudgedUnit read_unit(JsonReader& json) {
  JudgedUnit unit;
  json.enter_array();
  for (int place = 0; json.next_element(); ++place) {
    switch (place) {
      case 0:
        unit.name = json.read_string();
        break;
      case 1:
        unit.agreement = read_agreement(json);
        break;
      case 2:
        if (json.peek() == Type::kNull) {
          json.read_null();
        } else {
          unit.excess = json.read_number();
        }
        break;
      case 3:
        unit.reason = json.read_string();
        break;
      case 4:
        unit.tokens = read_tokens(json);
        break;
      default:
        json.skip_value();
    }
  }
  return unit;
}

void put(CompactJson& json, const std::vector<std::string>& texts) {
  json.list(texts, [&](const std::string& text) { json.text(text); });
}

// [units, left].
void put(CompactJson& json, const JudgedSample& sample) {
  json.begin_array();
  json.list(sample.units, [&](const JudgedUnit& unit) { put(json, unit); });
  if (!sample.left.empty()) put(json, sample.left);
  json.end_array();
}

JudgedSample read_sample(JsonReader& json) {
  JudgedSample sample;
  json.enter_array();
  for (int place = 0; json.next_element(); ++place) {
    if (place == 0) {
      json.enter_array();
      while (json.next_element()) sample.units.push_back(read_unit(json));
    } else if (place == 1) {
      sample.left = read_texts(json);
    } else {
      json.skip_value();
    }
  }
  return sample;
}

void put(CompactJson& json, const PairRecord& pair) {
  json.begin_object();
  json.key("reference");
  json.text(pair.reference);
  json.key("target");
  json.text(pair.target);
  json.key("samples");
  json.list(pair.samples, [&](const JudgedSample& sample) { put(json, sample); });
  json.end_object();
}

PairRecord read_pair(JsonReader& json) {
  PairRecord pair;
  json.enter_object();
  for (std::string key; json.next_key(key);) {
    if (key == "reference") {
      pair.reference = json.read_string();
    } else if (key == "target") {
      pair.target = json.read_string();
    } else if (key == "samples") {
      json.enter_array();
      while (json.next_element()) pair.samples.push_back(read_sample(json));
    } else {
      json.skip_value();
    }
  }
  return pair;
}

// In parts of what is allowed; NaN is the largest, too.
double error_of(const JudgedUnit& unit) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (!unit.excess) return unit.failed() ? kInfinity : 0;
  return std::isnan(*unit.excess) ? kInfinity : *unit.excess;
}

}  // namespace

bool JudgedSample::passed() const {
  return std::ranges::none_of(units, &JudgedUnit::failed);
}

Verdict RunRecord::verdict() const {
  Verdict all;
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
  for (size_t i = 0; i < whole.pairs.size(); ++i) {
    for (JudgedSample& sample : part.pairs[i].samples)
      whole.pairs[i].samples.push_back(std::move(sample));
  }
  for (std::string& failure : part.failed) whole.failed.push_back(std::move(failure));
  for (const auto& [engine, version] : part.versions) whole.versions.set(engine, version);
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
  CompactJson json;
  json.begin_object();
  json.key("polygraphy_run_record");
  json.integer(kForm);
  json.key("measure");
  json.text(record.measure);
  json.key("pairs");
  json.list(record.pairs, [&](const PairRecord& pair) { put(json, pair); });
  json.key("failed");
  put(json, record.failed);
  json.key("versions");
  json.begin_object();
  for (const auto& [engine, version] : record.versions) {
    json.key(engine);
    json.text(version);
  }
  json.end_object();
  json.key("accuracy");
  json.text(record.accuracy);
  json.end_object();
  return json.str() + "\n";
}

RunRecord parse_run_record(std::string_view text, std::string source) {
  JsonReader json(text, std::move(source));
  RunRecord record;
  bool known = false;
  json.enter_object();
  for (std::string key; json.next_key(key);) {
    if (key == "polygraphy_run_record") {
      known = json.read_integer() == kForm;
    } else if (key == "measure") {
      record.measure = json.read_string();
    } else if (key == "pairs") {
      json.enter_array();
      while (json.next_element()) record.pairs.push_back(read_pair(json));
    } else if (key == "failed") {
      record.failed = read_texts(json);
    } else if (key == "versions") {
      json.enter_object();
      for (std::string engine; json.next_key(engine);)
        record.versions.set(engine, json.read_string());
    } else if (key == "accuracy") {
      record.accuracy = json.read_string();
    } else {
      json.skip_value();
    }
  }
  if (!known) json.fail_at(0, "this is not a record of a run.");
  json.finish();
  return record;
}

}  // namespace polygraphy
