#include "polygraphy/diagnosis/locate/parts/locate_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <concepts>
#include <utility>

#include "formats/compact_json.h"
#include "formats/json_reader.h"
#include "formats/json_values.h"

namespace polygraphy {
namespace {

// 2: the verdict on the outputs is that of runs without marked tensors.
constexpr int64_t kVersion = 2;

// The members of a type in the order in which they stand in an array.
template <typename Error, typename Member>
void each_member_of_error(Error& error, Member member) {
  member(error.elements);
  member(error.reference_norm);
  member(error.observed_norm);
  member(error.product);
  member(error.norm);
  member(error.largest);
  member(error.worst);
  member(error.worst_reference);
  member(error.worst_observed);
  member(error.ulps);
  member(error.least_number);
  member(error.largest_number);
  member(error.non_finite_reference);
  member(error.non_finite);
  member(error.non_finite_mismatches);
  member(error.first_mismatch);
  member(error.first_non_finite);
  member(error.exact);
  member(error.incomparable);
}

template <typename Judged, typename Member>
void each_member_of_judged(Judged& judged, Member member) {
  each_member_of_error(judged.error, member);
  member(judged.noise_norm);
  member(judged.noise_largest);
  member(judged.noise_torn);
  member(judged.ratio);
  member(judged.by_element);
}

template <typename Measured, typename Member>
void each_member(Measured& measured, Member member) {
  member(measured.accumulated);
  member(measured.accumulated_sample);
  member(measured.isolated);
  member(measured.isolated_sample);
  member(measured.neighbours);
  member(measured.neighbours_sample);
  member(measured.accumulated_noise);
  member(measured.sum_length);
  member(measured.longest_sum);
  member(measured.algorithm);
  member(measured.least_exact);
  member(measured.counts_floats);
  member(measured.range.least);
  member(measured.range.greatest);
  member(measured.range.non_finite);
  member(measured.range.empty);
  member(measured.behind_ties);
  member(measured.reference_deviates);
  member(measured.reference_ratio);
  member(measured.accumulated_relative);
  member(measured.format);
  member(measured.note);
}

struct Put {
  CompactJson& json;

  void operator()(double value) const { json.number(value); }
  void operator()(int64_t value) const { json.integer(value); }
  void operator()(bool value) const { json.literal(value ? "true" : "false"); }
  void operator()(const std::string& value) const { json.text(value); }
  void operator()(const std::optional<NumberFormat>& format) const {
    format ? json.text(name_of(*format)) : json.null();
  }
  void operator()(const std::optional<JudgedError>& judged) const {
    if (!judged) return json.null();
    json.begin_array();
    each_member_of_judged(*judged, *this);
    json.end_array();
  }
  void operator()(const std::vector<Noise>& noises) const {
    json.list(noises, [&](const Noise& noise) { json.number(noise.largest); });
  }
};

struct Take {
  JsonReader& json;

  void operator()(double& value) const { element(), value = json.read_number(); }
  void operator()(int64_t& value) const { element(), value = json.read_integer(); }
  void operator()(bool& value) const { element(), value = json.read_bool(); }
  void operator()(std::string& value) const { element(), value = json.read_string(); }
  void operator()(std::optional<NumberFormat>& format) const {
    element();
    if (is_null()) return;
    format = format_in(json);
  }
  void operator()(std::optional<JudgedError>& judged) const {
    element();
    if (is_null()) return;
    json.enter_array();
    each_member_of_judged(judged.emplace(), *this);
    end();
  }
  void operator()(std::vector<Noise>& noises) const {
    element();
    json.enter_array();
    while (json.next_element()) {
      noises.emplace_back();
      noises.back().largest = json.read_number();
    }
  }

  void end() const {
    if (json.next_element()) json.fail("there are more figures than a measurement has.");
  }
  static NumberFormat format_in(JsonReader& json) {
    const std::string name = json.read_string();
    const auto format = parse_number_format(name);
    if (!format) json.fail("'" + name + "' is no number format.");
    return *format;
  }

 private:
  void element() const {
    if (!json.next_element()) json.fail("there are fewer figures than a measurement has.");
  }
  bool is_null() const {
    if (json.peek() != JsonReader::Type::kNull) return false;
    json.read_null();
    return true;
  }
};

void put_measurements(CompactJson& json, const Measurements& measurements) {
  std::vector<const Measurements::value_type*> sorted;
  for (const auto& one : measurements) sorted.push_back(&one);
  std::ranges::sort(sorted, {}, [](const auto* one) { return one->first; });
  json.begin_object();
  for (const auto* one : sorted) {
    json.key(one->first);
    json.begin_array();
    each_member(one->second, Put{json});
    json.end_array();
  }
  json.end_object();
}

void read_measurements(JsonReader& json, Measurements& measurements) {
  json.enter_object();
  for (std::string name; json.next_key(name);) {
    json.enter_array();
    const Take take{json};
    each_member(measurements[name], take);
    take.end();
  }
}

void put_fusion(CompactJson& json, const LocateFusion& fusion) {
  json.begin_object();
  json.key("tensors");
  json.list(fusion.tensors, [&](const std::string& tensor) { json.text(tensor); });
  json.key("on_both_sides");
  json.literal(fusion.on_both_sides ? "true" : "false");
  json.key("first_off");
  json.text(fusion.first_off);
  json.key("note");
  json.text(fusion.note);
  json.end_object();
}

LocateFusion read_fusion(JsonReader& json) {
  LocateFusion fusion;
  json.enter_object();
  for (std::string key; json.next_key(key);) {
    if (key == "tensors") {
      fusion.tensors = read_texts(json);
    } else if (key == "on_both_sides") {
      fusion.on_both_sides = json.read_bool();
    } else if (key == "first_off") {
      fusion.first_off = json.read_string();
    } else if (key == "note") {
      fusion.note = json.read_string();
    } else {
      json.skip_value();
    }
  }
  return fusion;
}

}  // namespace

void add_alone(LocateRecord& whole, const LocateRecord& alone) {
  const auto facts = [](const LocateRecord& record) {
    return std::tuple(record.format, record.samples, record.parts, record.part_bytes);
  };
  if (facts(whole) != facts(alone)) {
    throw Error(kOtherParts, "The nodes alone were measured in other parts than those in place",
                "Remove the folder of the tasks, and run the command again.");
  }
  for (const auto& [engine, version] : alone.outputs.versions) {
    const std::string* known = whole.outputs.versions.find(engine);
    if (!known || *known == version) continue;
    throw Error(kOtherParts,
                fmt::format("Version of {}: '{}' in place, '{}' alone", engine, *known, version),
                "The same version must run all tasks.");
  }
  for (const auto& [name, measured] : alone.measurements) {
    TensorMeasurement& own = whole.measurements[name];
    own.isolated = measured.isolated;
    own.isolated_sample = measured.isolated_sample;
    own.neighbours = measured.neighbours;
    own.neighbours_sample = measured.neighbours_sample;
    own.note = measured.note;
  }
}

std::string to_json(const LocateRecord& record) {
  CompactJson json;
  json.begin_object();
  json.key("polygraphy_locate_record");
  json.integer(kVersion);
  json.key("format");
  json.text(name_of(record.format));
  json.key("target_format");
  json.text(name_of(record.target_format));
  json.key("samples");
  json.integer(record.samples);
  json.key("parts");
  json.integer(record.parts);
  json.key("part_bytes");
  json.integer(record.part_bytes);
  json.key("outputs");
  json.text(to_json(record.outputs));
  if (record.fusion) {
    json.key("fusion");
    put_fusion(json, *record.fusion);
  }
  json.key("notes");
  json.list(record.notes, [&](const std::string& note) { json.text(note); });
  json.key("tensors");
  put_measurements(json, record.measurements);
  json.end_object();
  return json.str() + "\n";
}

LocateRecord parse_locate_record(std::string_view text, std::string source) {
  JsonReader json(text, std::move(source));
  LocateRecord record;
  bool known = false;
  json.enter_object();
  for (std::string key; json.next_key(key);) {
    if (key == "polygraphy_locate_record") {
      known = json.read_integer() == kVersion;
    } else if (key == "format") {
      record.format = Take::format_in(json);
    } else if (key == "target_format") {
      record.target_format = Take::format_in(json);
    } else if (key == "samples") {
      record.samples = json.read_integer();
    } else if (key == "parts") {
      record.parts = json.read_integer();
    } else if (key == "part_bytes") {
      record.part_bytes = json.read_integer();
    } else if (key == "outputs") {
      record.outputs = parse_run_record(json.read_string(), json.source());
    } else if (key == "fusion") {
      record.fusion = read_fusion(json);
    } else if (key == "notes") {
      record.notes = read_texts(json);
    } else if (key == "tensors") {
      read_measurements(json, record.measurements);
    } else {
      json.skip_value();
    }
  }
  if (!known) json.fail_at(0, "this is not a record of located nodes.");
  json.finish();
  return record;
}

}  // namespace polygraphy
