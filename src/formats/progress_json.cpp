#include "formats/progress_json.h"

#include <cmath>

#include "formats/record_json.h"

namespace polygraphy {

std::string progress_json(std::span<const Progress> phases, ProgressTimes times) {
  const auto milliseconds = [](double seconds) { return std::round(seconds * 1e3) / 1e3; };
  StringSink sink;
  JsonWriter json(sink, JsonStyle::kCompact);
  json.begin_object();
  json.key("phases");
  json.list(phases, [&](const Progress& phase) {
    json.begin_object();
    write_member(json, "phase", phase.phase);
    write_member(json, "done", phase.done);
    if (phase.total) write_member(json, "total", *phase.total);
    if (phase.bytes) write_member(json, "unit", "bytes");
    json.end_object();
  });
  write_member(json, "seconds", milliseconds(times.whole));
  if (const auto left = seconds_left(phases, times.phase))
    write_member(json, "left", milliseconds(*left));
  json.end_object();
  return sink.text();
}

}  // namespace polygraphy
