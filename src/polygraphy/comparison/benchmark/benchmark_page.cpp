#include "polygraphy/comparison/benchmark/benchmark_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "polygraphy/comparison/verdict/runner_names.h"

namespace polygraphy {
namespace {

constexpr size_t kBins = 30;

std::string short_name(const BenchmarkReport::RunnerRow& runner) {
  return std::string(without_time(runner.name));
}

ReportVerdict verdict(const BenchmarkReport& report) {
  ReportVerdict verdict{.mark = report.failed() ? ReportMark::kBad : ReportMark::kNone,
                        .headline = report.failed() ? "Some runners failed" : "Latencies"};
  for (const auto& runner : report.runners) {
    if (!runner.failure.empty())
      verdict.lines.push_back(short_name(runner) + ": " + runner.failure);
  }
  for (const auto& one : report.cases) {
    const BenchmarkFigures* first = nullptr;
    for (size_t i = 0; i < one.figures.size(); ++i) {
      const BenchmarkFigures& figures = one.figures[i];
      const std::string who =
          short_name(report.runners[i]) + (one.inputs.empty() ? "" : ", " + one.inputs) + ": ";
      if (!figures.failure.empty()) {
        verdict.lines.push_back(who + figures.failure);
        continue;
      }
      std::string line = who + fmt::format("median {:.4g} ms", figures.latencies.p50 * 1e3);
      if (first)
        line += fmt::format(", {:.2f} times the first runner's",
                            figures.latencies.p50 / first->latencies.p50);
      verdict.lines.push_back(std::move(line));
      if (!first) first = &figures;
    }
  }
  return verdict;
}

ReportTable latencies(const BenchmarkReport& report) {
  ReportTable table{.title = "Latencies in milliseconds",
                    .columns = {{"Runner", false, {}},
                                {"Inputs", false, {}},
                                {"Least", true, {}},
                                {"Mean", true, {}},
                                {"Median", true, {}},
                                {"90 %", true, "Percentile"},
                                {"99 %", true, "Percentile"},
                                {"Largest", true, {}},
                                {"Runs per second", true, {}},
                                {"Samples per second", true, {}},
                                {"Peak MiB", true, "Memory of the process up to its first run"},
                                {"Loaded in", true, {}},
                                {"Runs", true, {}}},
                    .rows = {}};
  for (const auto& one : report.cases) {
    for (size_t i = 0; i < one.figures.size(); ++i) {
      const BenchmarkFigures& figures = one.figures[i];
      const auto& runner = report.runners[i];
      ReportTable::Row row{.cells = {short_name(runner), one.inputs}};
      row.cells.resize(table.columns.size());
      if (!figures.failure.empty()) {
        row.mark = ReportMark::kBad;
      } else {
        const Latencies& t = figures.latencies;
        size_t column = 2;
        for (const double seconds : {t.min, t.mean, t.p50, t.p90, t.p99, t.max})
          row.cells[column++] = seconds * 1e3;
        row.cells[8] = 1 / t.mean;
        if (one.batch > 0) row.cells[9] = static_cast<double>(one.batch) / t.mean;
        if (figures.peak_bytes > 0)
          row.cells[10] = static_cast<double>(figures.peak_bytes) / 1048576;
        row.cells[11] = runner.load_seconds * 1e3;
        row.cells[12] = static_cast<double>(figures.seconds.size());
      }
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

std::string title_of(const std::string& what, const BenchmarkReport::CaseRow& one) {
  return what + (one.inputs.empty() ? "" : ": " + one.inputs);
}

ReportCurve runs(const BenchmarkReport& report, const BenchmarkReport::CaseRow& one) {
  ReportCurve curve{.title = title_of("Run after run", one),
                    .x_name = "measured runs",
                    .y_name = "milliseconds",
                    .logarithmic = false,
                    .places = {}};
  size_t longest = 0;
  for (size_t i = 0; i < one.figures.size(); ++i) {
    ReportCurve::Series series{.name = short_name(report.runners[i]), .values = {}};
    for (const double seconds : one.figures[i].seconds) series.values.push_back(seconds * 1e3);
    longest = std::max(longest, series.values.size());
    if (!series.values.empty()) curve.series.push_back(std::move(series));
  }
  for (size_t i = 0; i < longest; ++i) curve.places.push_back(fmt::format("run {}", i + 1));
  return curve;
}

// Of all runners, over the range that they have in common.
ReportHistogram distribution(const BenchmarkReport& report, const BenchmarkReport::CaseRow& one) {
  ReportHistogram histogram{.title = title_of("Distribution", one),
                            .x_name = "milliseconds; the last bin contains all larger values",
                            .edges = {},
                            .series = {}};
  double least = 0, most = 0;
  bool any = false;
  for (const BenchmarkFigures& figures : one.figures) {
    if (figures.seconds.empty()) continue;
    least = any ? std::min(least, figures.latencies.min) : figures.latencies.min;
    most = std::max(most, figures.latencies.p99);
    any = true;
  }
  if (!any || most <= least) return histogram;
  const double width = (most - least) / kBins;
  for (size_t i = 0; i <= kBins; ++i)
    histogram.edges.push_back((least + width * static_cast<double>(i)) * 1e3);
  for (size_t i = 0; i < one.figures.size(); ++i) {
    if (one.figures[i].seconds.empty()) continue;
    ReportHistogram::Series series{short_name(report.runners[i]), std::vector<double>(kBins, 0)};
    for (const double seconds : one.figures[i].seconds) {
      const auto bin = static_cast<size_t>(std::max(0.0, (seconds - least) / width));
      series.counts[std::min(bin, kBins - 1)] += 1;
    }
    histogram.series.push_back(std::move(series));
  }
  return histogram;
}

ReportTable node_times(const std::string& runner, const BenchmarkReport::CaseRow& one,
                       const std::vector<NodeTime>& nodes) {
  ReportTable table{
      .title = title_of("Times of single nodes on " + runner, one),
      .columns = {{"Node", false, {}},
                  {"Operator", false, {}},
                  {"Microseconds", true, {}},
                  {"Share", true, "Percent of the total"},
                  {"Kernel", false, {}}},
      .rows = {},
      .nodes = ReportTable::Nodes{.keys = {"Node"}, .figures = {"Microseconds", "Share"}}};
  double all = 0;
  for (const NodeTime& node : nodes) all += node.microseconds;
  for (const NodeTime& node : nodes) {
    table.rows.push_back({.cells = {node.node, node.op, node.microseconds,
                                    all > 0 ? 100 * node.microseconds / all : 0.0, node.kernel}});
  }
  return table;
}

// One run's nodes, one behind another.
ReportTimeline::Lane node_lane(const std::string& name, std::vector<NodeTime> nodes) {
  ReportTimeline::Lane lane{.name = name, .spans = {}};
  std::ranges::sort(nodes, {}, &NodeTime::order);
  double begin = 0;
  for (const NodeTime& node : nodes) {
    const double seconds = node.microseconds * 1e-6;
    const std::string& title = node.node.empty() ? node.kernel : node.node;
    lane.spans.push_back({title + (node.op.empty() ? "" : " (" + node.op + ")"), begin, seconds});
    begin += seconds;
  }
  return lane;
}

}  // namespace

std::vector<ReportSection> benchmark_sections(const BenchmarkReport& report) {
  std::vector<ReportSection> sections;
  sections.emplace_back(verdict(report));
  sections.emplace_back(latencies(report));
  ReportTimeline timeline;
  for (const auto& one : report.cases) {
    if (ReportCurve curve = runs(report, one); curve.places.size() > 1)
      sections.emplace_back(std::move(curve));
    if (ReportHistogram histogram = distribution(report, one); !histogram.edges.empty())
      sections.emplace_back(std::move(histogram));
    for (size_t i = 0; i < one.figures.size(); ++i) {
      const std::vector<NodeTime>& nodes = one.figures[i].nodes;
      if (nodes.empty()) continue;
      const std::string runner = short_name(report.runners[i]);
      sections.emplace_back(node_times(runner, one, nodes));
      timeline.lanes.push_back(node_lane(title_of("nodes of " + runner, one), nodes));
    }
  }
  if (!timeline.lanes.empty()) sections.emplace_back(std::move(timeline));
  return sections;
}

}  // namespace polygraphy
