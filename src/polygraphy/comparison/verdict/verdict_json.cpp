#include "polygraphy/comparison/verdict/verdict_json.h"

#include <cmath>

namespace polygraphy {

void write_verdict(JsonWriter& json, const Verdict& verdict) {
  const auto text = [&](std::string_view key, std::string_view value) {
    json.key(key);
    json.string(value);
  };
  const auto integer = [&](std::string_view key, int64_t value) {
    json.key(key);
    json.integer(value);
  };
  json.begin_object();
  text("agreement", name_of(verdict.agreement));
  text("headline", headline(verdict));
  text("target", verdict.target);
  text("reference", verdict.reference);
  text("measure", verdict.measure);
  text("unit", verdict.unit);
  integer("total", verdict.total);
  integer("compared", verdict.compared);
  integer("off", verdict.off);
  integer("samples", verdict.samples);
  json.key("worst");
  verdict.worst.empty() ? json.null() : json.string(verdict.worst);
  json.key("excess");
  if (!verdict.excess) {
    json.null();
  } else if (std::isfinite(*verdict.excess)) {
    json.number(*verdict.excess);
  } else {
    json.string("Infinity");
  }
  json.end_object();
}

}  // namespace polygraphy
