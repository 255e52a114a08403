// The trace events of Chrome (JSON), which Perfetto and chrome://tracing show.
#include <cmath>

#include "formats/record_json.h"
#include "pictures/report_page/report_form.h"

namespace polygraphy {
namespace {

// Whole nanoseconds.
double microseconds(double seconds) {
  return std::round(seconds * 1e9) / 1e3;
}

void put_lane(const ReportTimeline::Lane& lane, int64_t number, JsonWriter& json) {
  const auto begin = [&](std::string_view name, std::string_view phase) {
    json.begin_object();
    write_member(json, "name", name);
    write_member(json, "ph", phase);
    write_member(json, "pid", int64_t{1});
    write_member(json, "tid", number);
  };
  begin("thread_name", "M");
  json.key("args");
  json.begin_object();
  write_member(json, "name", lane.name);
  json.end_object();
  json.end_object();
  for (const ReportTimeline::Span& span : lane.spans) {
    begin(span.name, "X");  // a complete event
    write_member(json, "ts", microseconds(span.begin));
    write_member(json, "dur", microseconds(span.seconds));
    json.end_object();
  }
}

std::string render(const ReportPage& page) {
  StringSink sink;
  JsonWriter json(sink, JsonStyle::kCompact);
  json.begin_object();
  write_member(json, "displayTimeUnit", "ms");
  json.key("traceEvents");
  json.begin_array();
  int64_t number = 0;
  for (const ReportSection& section : page.sections) {
    const auto* timeline = std::get_if<ReportTimeline>(&section);
    if (!timeline) continue;
    for (const ReportTimeline::Lane& lane : timeline->lanes) put_lane(lane, ++number, json);
  }
  json.end_array();
  json.end_object();
  return sink.text();
}

}  // namespace

extern constinit const ReportForm report_form_trace = {
    .option = "--trace",
    .help =
        "Write the times of the command's own work and of each runner, and of nodes "
        "(--benchmark-nodes), to this file in Chrome's format, which Perfetto shows.",
    .render = render};

}  // namespace polygraphy
