#include "polygraphy/comparison/verdict/verdict_json.h"

#include "formats/json_fields.h"
#include "formats/json_values.h"

namespace polygraphy {
namespace {

class VerdictFields : JsonFields {
 public:
  explicit VerdictFields(JsonWriter& json) : JsonFields(json) {}

  void write(const Verdict& verdict) {
    json_.begin_object();
    text("agreement", name_of(verdict.agreement));
    text("headline", headline(verdict));
    text("target", verdict.target);
    text("reference", verdict.reference);
    if (!verdict.target_file.empty()) text("target_file", verdict.target_file);
    if (!verdict.reference_file.empty()) text("reference_file", verdict.reference_file);
    if (verdict.pairs != 1) integer("pairs", verdict.pairs);
    text("measure", verdict.measure);
    text("unit", verdict.unit);
    integer("total", verdict.total);
    integer("compared", verdict.compared);
    integer("empty", verdict.empty);
    integer("off", verdict.off);
    integer("samples", verdict.samples);
    if (!verdict.place.empty()) text("place", verdict.place);
    if (verdict.worst.empty()) {
      json_.key("worst");
      json_.null();
    } else {
      text("worst", verdict.worst);
    }
    number_or_null("excess", verdict.excess);
    if (!verdict.reason.empty()) text("reason", verdict.reason);
    if (verdict.tokens) write(*verdict.tokens);
    if (verdict.text) write(*verdict.text);
    json_.end_object();
  }

 private:
  void write(const TokenCounts& counts) {
    json_.key("tokens");
    json_.begin_object();
    integer("compared", counts.tokens);
    integer("flips", counts.flips);
    integer("near_ties", counts.near_ties());
    integer("wrong", counts.wrong);
    text("first_wrong", counts.first_wrong);
    boolean("noise_known", counts.noise_known);
    if (!counts.also.empty()) text("also", counts.also);
    if (counts.distributions > 0) {
      number_or_null("mean_divergence", counts.mean_divergence());
      number_or_null("divergence_error", counts.divergence_error());
    }
    json_.key("all_flips");
    json_.begin_array();
    for (const TokenFlip& flip : counts.all_flips) write(flip);
    json_.end_array();
    json_.end_object();
  }

  void write(const TextFigures& figures) {
    const auto estimate = [&](const std::string& key, const Estimate& of) {
      number(key, of.value);
      number(key + "_error", of.error);
    };
    json_.key("text");
    json_.begin_object();
    integer("windows", figures.windows);
    integer("tokens", figures.tokens);
    json_.key("runners");
    json_.begin_array();
    for (const TextFigures::Runner& runner : figures.runners) {
      json_.begin_object();
      text("name", runner.name);
      estimate("perplexity", runner.perplexity);
      json_.end_object();
    }
    json_.end_array();
    json_.key("pairs");
    json_.begin_array();
    for (const TextFigures::Pair& pair : figures.pairs) {
      json_.begin_object();
      text("reference", pair.reference);
      text("target", pair.target);
      estimate("divergence", pair.divergence);
      estimate("same_top1", pair.same_top1);
      estimate("perplexity_ratio", pair.perplexity_ratio);
      json_.end_object();
    }
    json_.end_array();
    json_.end_object();
  }

  void write(const TokenFlip& flip) {
    const auto token = [&](std::string_view key, const std::optional<int64_t>& id) {
      json_.key(key);
      id ? json_.integer(*id) : json_.null();
    };
    json_.begin_object();
    integer("sample", flip.sample);
    text("place", flip.place);
    token("token", flip.token);
    token("instead", flip.instead);
    number("margin", flip.margin);
    number("allowed", flip.allowed);
    boolean("wrong", flip.wrong);
    if (!flip.text.empty()) text("text", flip.text);
    if (!flip.instead_text.empty()) text("instead_text", flip.instead_text);
    json_.end_object();
  }
};

// A count may be a part of sums.
int64_t read_count(JsonReader& json) {
  const size_t at = json.offset();
  const int64_t count = json.read_integer();
  if (count < 0 || count > int64_t{1} << 50) json.fail_at(at, "this is no count.");
  return count;
}

TokenCounts read_tokens(JsonReader& json) {
  TokenCounts counts;
  json.enter_object();
  for (std::string key; json.next_key(key);) {
    if (key == "compared") {
      counts.tokens = read_count(json);
    } else if (key == "flips") {
      counts.flips = read_count(json);
    } else if (key == "wrong") {
      counts.wrong = read_count(json);
    } else if (key == "first_wrong") {
      counts.first_wrong = json.read_string();
    } else if (key == "noise_known") {
      counts.noise_known = json.read_bool();
    } else if (key == "also") {
      counts.also = json.read_string();
    } else {
      json.skip_value();
    }
  }
  return counts;
}

// True: it was null.
bool skip_null(JsonReader& json) {
  if (json.peek() != JsonReader::Type::kNull) return false;
  json.read_null();
  return true;
}

struct TextMember {
  std::string_view key;
  std::string Verdict::* field;
};
constexpr TextMember kTexts[] = {{"target", &Verdict::target},
                                 {"reference", &Verdict::reference},
                                 {"target_file", &Verdict::target_file},
                                 {"reference_file", &Verdict::reference_file},
                                 {"measure", &Verdict::measure},
                                 {"unit", &Verdict::unit},
                                 {"place", &Verdict::place},
                                 {"reason", &Verdict::reason}};
struct CountMember {
  std::string_view key;
  int64_t Verdict::* field;
};
constexpr CountMember kCounts[] = {
    {"pairs", &Verdict::pairs}, {"total", &Verdict::total}, {"compared", &Verdict::compared},
    {"empty", &Verdict::empty}, {"off", &Verdict::off},     {"samples", &Verdict::samples}};

// False: the key is another one.
bool read_member(JsonReader& json, std::string_view key, Verdict& verdict) {
  for (const TextMember& member : kTexts) {
    if (member.key != key) continue;
    verdict.*member.field = json.read_string();
    return true;
  }
  for (const CountMember& member : kCounts) {
    if (member.key != key) continue;
    verdict.*member.field = read_count(json);
    return true;
  }
  return false;
}

}  // namespace

Agreement read_agreement(JsonReader& json) {
  const size_t at = json.offset();
  const std::string name = json.read_string();
  for (const Agreement one : {Agreement::kFailed, Agreement::kDiffers, Agreement::kTooCoarse,
                              Agreement::kNotFinite, Agreement::kAgrees, Agreement::kNotCompared}) {
    if (name_of(one) == name) return one;
  }
  json.fail_at(at, "unknown agreement '" + name + "'.");
}

Verdict read_verdict(JsonReader& json) {
  Verdict verdict;
  json.enter_object();
  for (std::string key; json.next_key(key);) {
    if (key == "agreement") {
      verdict.agreement = read_agreement(json);
    } else if (key == "worst") {
      if (!skip_null(json)) verdict.worst = json.read_string();
    } else if (key == "excess") {
      if (!skip_null(json)) verdict.excess = read_figure(json);
    } else if (key == "tokens") {
      verdict.tokens = read_tokens(json);
    } else if (!read_member(json, key, verdict)) {
      json.skip_value();
    }
  }
  return verdict;
}

void write_verdict(JsonWriter& json, const Verdict& verdict) {
  VerdictFields(json).write(verdict);
}

}  // namespace polygraphy
