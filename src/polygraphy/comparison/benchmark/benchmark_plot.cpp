#include "polygraphy/comparison/benchmark/benchmark_plot.h"

#include <algorithm>
#include <functional>

#include "base/arrays/py_repr.h"
#include "base/os/atomic_file.h"
#include "pictures/dot_grid.h"
#include "pictures/svg.h"

namespace polygraphy {
namespace {

constexpr double kLeft = 80, kTop = 40, kHeight = 220, kBetween = 50, kBar = 26, kGap = 30;
constexpr std::string_view kColors[] = {"#3b6fb6", "#d97a29", "#4d9a4d",
                                        "#b34a4a", "#7a5ba6", "#7f7f7f"};

std::string color_of(size_t runner) {
  return std::string(kColors[runner % std::size(kColors)]);
}

// Cases side by side, in each a bar per runner; `whisker` (not less than the bar) may be null.
struct Panel {
  std::string title;
  std::function<double(const BenchmarkReport::CaseRow&, const BenchmarkFigures&)> bar;
  double (*whisker)(const BenchmarkFigures&);
};

void draw_panel(Svg& svg, const BenchmarkReport& report, const Panel& panel, double top,
                double width) {
  double highest = 0;
  for (const auto& one : report.cases) {
    for (const auto& figures : one.figures) {
      if (!figures.failure.empty()) continue;
      highest = std::max(highest, panel.whisker ? panel.whisker(figures) : panel.bar(one, figures));
    }
  }
  const PlotAxis axis{0, highest > 0 ? highest : 1, false};
  const auto y_of = [&](double value) { return top + kHeight * (1 - axis.place(value)); };
  svg.text(kLeft, top - 8, 12, panel.title);
  for (const double tick : axis.ticks(6)) {
    svg.line(kLeft, y_of(tick), kLeft + width, y_of(tick), "#d0d0d0");
    svg.text(kLeft - 6, y_of(tick) + 4, 10, format_g(tick, 5), Svg::Anchor::kEnd);
  }
  double x = kLeft + kGap / 2;
  for (const auto& one : report.cases) {
    for (size_t i = 0; i < one.figures.size(); ++i, x += kBar) {
      const BenchmarkFigures& figures = one.figures[i];
      if (!figures.failure.empty()) {
        svg.text(x + kBar / 2 + 4, top + kHeight - 4, 10, "failed", Svg::Anchor::kStart, -90);
        continue;
      }
      const double y = y_of(panel.bar(one, figures));
      svg.rect(x, y, kBar - 4, top + kHeight - y, color_of(i));
      if (!panel.whisker) continue;
      const double middle = x + (kBar - 4) / 2, end = y_of(panel.whisker(figures));
      svg.line(middle, y, middle, end, "#000000");
      svg.line(middle - 4, end, middle + 4, end, "#000000");
    }
    x += kGap;
  }
  svg.line(kLeft, top + kHeight, kLeft + width, top + kHeight, "#000000");
}

}  // namespace

void save_benchmark_plot(const BenchmarkReport& report, const std::string& path) {
  const double group = static_cast<double>(report.runners.size()) * kBar + kGap;
  const double width = std::max(360.0, static_cast<double>(report.cases.size()) * group);
  const double legend = 18 * static_cast<double>(report.runners.size() + report.cases.size()) + 30;
  const double second = kTop + kHeight + kBetween;
  Svg svg(kLeft + width + 40, second + kHeight + 30 + legend);
  // Samples where every case knows how many there are; else runs.
  const bool samples = std::all_of(report.cases.begin(), report.cases.end(),
                                   [](const auto& one) { return one.batch > 0; });
  draw_panel(svg, report,
             {"Latency in milliseconds: median, and 90th percentile",
              [](const auto&, const auto& figures) { return figures.latencies.p50 * 1e3; },
              [](const BenchmarkFigures& figures) { return figures.latencies.p90 * 1e3; }},
             kTop, width);
  draw_panel(svg, report,
             {samples ? "Samples per second" : "Runs per second",
              [samples](const auto& one, const auto& figures) {
                return (samples ? static_cast<double>(one.batch) : 1) / figures.latencies.mean;
              },
              nullptr},
             second, width);
  double x = kLeft + kGap / 2;
  double y = second + kHeight + 34;
  for (size_t c = 0; c < report.cases.size(); ++c, x += group) {
    svg.text(x + (group - kGap) / 2, second + kHeight + 14, 10, std::to_string(c + 1),
             Svg::Anchor::kMiddle);
  }
  for (size_t c = 0; c < report.cases.size(); ++c, y += 18) {
    svg.text(kLeft, y, 11, std::to_string(c + 1) + ": " + report.cases[c].inputs);
  }
  for (size_t i = 0; i < report.runners.size(); ++i, y += 18) {
    svg.rect(kLeft, y - 10, 12, 12, color_of(i));
    svg.text(kLeft + 18, y, 11, report.runners[i].name);
  }
  write_file(path, svg.finish());
}

}  // namespace polygraphy
