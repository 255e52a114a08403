#include "polygraphy/comparison/benchmark/benchmark_json.h"

#include "base/os/atomic_file.h"
#include "formats/json_writer.h"

namespace polygraphy {
namespace {

void write_figures(JsonWriter& json, const BenchmarkReport::CaseRow& one,
                   const BenchmarkReport::RunnerRow& runner, const BenchmarkFigures& figures) {
  json.begin_object();
  json.key("runner");
  json.string(runner.name);
  if (!figures.failure.empty()) {
    json.key("failure");
    json.string(figures.failure);
    json.end_object();
    return;
  }
  const Latencies& t = figures.latencies;
  json.key("latency_seconds");
  json.begin_object();
  const std::pair<const char*, double> named[] = {{"min", t.min}, {"mean", t.mean}, {"p50", t.p50},
                                                  {"p90", t.p90}, {"p99", t.p99},   {"max", t.max}};
  for (const auto& [name, value] : named) {
    json.key(name);
    json.number(value);
  }
  json.end_object();
  json.key("runs_per_second");
  json.number(1 / t.mean);
  if (one.batch > 0) {
    json.key("samples_per_second");
    json.number(static_cast<double>(one.batch) / t.mean);
  }
  if (figures.peak_bytes > 0) {
    json.key("peak_bytes");
    json.integer(static_cast<int64_t>(figures.peak_bytes));
  }
  json.key("runs_seconds");
  json.begin_array();
  for (const double seconds : figures.seconds) json.number(seconds);
  json.end_array();
  if (!figures.nodes.empty()) {
    json.key("nodes");
    json.begin_array();
    for (const NodeTime& node : figures.nodes) {
      json.begin_object();
      for (const auto& [key, value] :
           {std::pair("node", &node.node), {"op", &node.op}, {"kernel", &node.kernel}}) {
        json.key(key);
        json.string(*value);
      }
      json.key("microseconds");
      json.number(node.microseconds);
      json.end_object();
    }
    json.end_array();
  }
  json.end_object();
}

}  // namespace

std::string benchmark_json(const BenchmarkReport& report) {
  StringSink text;
  JsonWriter json(text);
  json.begin_object();
  json.key("benchmark_version");
  json.integer(1);
  json.key("runners");
  json.begin_array();
  for (const auto& runner : report.runners) {
    json.begin_object();
    json.key("name");
    json.string(runner.name);
    json.key(runner.failure.empty() ? "load_seconds" : "failure");
    if (runner.failure.empty()) {
      json.number(runner.load_seconds);
    } else {
      json.string(runner.failure);
    }
    json.end_object();
  }
  json.end_array();
  json.key("cases");
  json.begin_array();
  for (const auto& one : report.cases) {
    json.begin_object();
    json.key("inputs");
    json.string(one.inputs);
    if (one.batch > 0) {
      json.key("batch");
      json.integer(one.batch);
    }
    json.key("results");
    json.begin_array();
    for (size_t i = 0; i < one.figures.size(); ++i) {
      write_figures(json, one, report.runners[i], one.figures[i]);
    }
    json.end_array();
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return text.text() + "\n";
}

void save_benchmark(const BenchmarkReport& report, const std::string& path) {
  write_file(path, benchmark_json(report));
}

}  // namespace polygraphy
