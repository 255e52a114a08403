#include "polygraphy/comparison/benchmark/benchmark_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/log_modules.h"
#include "base/text.h"
#include "base/text_table.h"

namespace polygraphy {
namespace {

using Row = std::vector<std::string>;

std::string milliseconds(double seconds) {
  return fmt::format("{:.4g}", seconds * 1e3);
}

// The first column to the left, the others to the right.
std::string table(const std::vector<Row>& rows) {
  const std::vector<std::string> lines = table_lines(rows, 1);
  return join(lines, "\n");
}

void log_case(const BenchmarkReport& report, const BenchmarkReport::CaseRow& one, Logger& log) {
  if (std::ranges::none_of(one.figures, [](const auto& each) { return each.failure.empty(); }))
    return;
  const bool several = report.runners.size() > 1;
  Row head{"Runner [ms]", "min", "mean", "p50", "p90", "p99", "max", "runs/s"};
  if (one.batch > 0) head.emplace_back("samples/s");
  head.emplace_back("peak MiB");
  if (several) head.emplace_back("ratio");
  std::vector<Row> rows{head};
  for (size_t i = 0; i < one.figures.size(); ++i) {
    const BenchmarkFigures& figures = one.figures[i];
    if (!figures.failure.empty()) {
      rows.push_back({report.runners[i].name, "failed"});
      continue;
    }
    const Latencies& t = figures.latencies;
    Row row{report.runners[i].name};
    for (const double seconds : {t.min, t.mean, t.p50, t.p90, t.p99, t.max}) {
      row.push_back(milliseconds(seconds));
    }
    row.push_back(fmt::format("{:.1f}", 1 / t.mean));
    if (one.batch > 0)
      row.push_back(fmt::format("{:.1f}", static_cast<double>(one.batch) / t.mean));
    row.push_back(figures.peak_bytes == 0
                      ? "?"
                      : fmt::format("{:.1f}", static_cast<double>(figures.peak_bytes) / 1048576));
    const BenchmarkFigures& first = one.figures.front();
    if (several) {
      row.push_back(first.failure.empty() ? fmt::format("{:.2f}x", t.p50 / first.latencies.p50)
                                          : "?");
    }
    rows.push_back(row);
  }
  const size_t runs =
      std::max_element(one.figures.begin(), one.figures.end(), [](const auto& a, const auto& b) {
        return a.seconds.size() < b.seconds.size();
      })->seconds.size();
  log.info(log_modules::kBenchmark,
           fmt::format("Benchmark | {} | {} run(s)\n{}",
                       one.inputs.empty() ? "no inputs" : one.inputs, runs, indent(table(rows))));
}

void log_nodes(const std::string& runner, const std::vector<NodeTime>& nodes, size_t most,
               Logger& log) {
  double all = 0;
  for (const NodeTime& node : nodes) all += node.microseconds;
  std::vector<Row> rows{{"Node", "op", "us", "share"}};
  for (size_t i = 0; i < std::min(most, nodes.size()); ++i) {
    const NodeTime& node = nodes[i];
    rows.push_back({node.node, node.op, fmt::format("{:.1f}", node.microseconds),
                    fmt::format("{:.1f}%", all > 0 ? 100 * node.microseconds / all : 0.0)});
  }
  std::string text = fmt::format("{} | Slowest of {} node(s), {:.1f} us in total\n{}", runner,
                                 nodes.size(), all, indent(table(rows)));
  log.info(log_modules::kBenchmark, text);
}

}  // namespace

void log_benchmark(const BenchmarkReport& report, size_t nodes, Logger& log) {
  for (const auto& runner : report.runners) {
    if (!runner.failure.empty()) continue;
    log.info(log_modules::kBenchmark,
             fmt::format("{} | Loaded in {} ms", runner.name, milliseconds(runner.load_seconds)));
  }
  for (const auto& one : report.cases) {
    log_case(report, one, log);
    Logger::Indent deeper(log);
    for (size_t i = 0; i < one.figures.size(); ++i) {
      if (one.figures[i].nodes.empty()) continue;
      log_nodes(report.runners[i].name, one.figures[i].nodes, nodes, log);
    }
  }
}

}  // namespace polygraphy
