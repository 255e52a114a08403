// Reads a graph (widths, edges and inputs, each behind their number) from standard input, and
// prints the layout of the viewer as JSON, with the CPU seconds that it took. Built by layouts.py.
#include <cstdio>
#include <ctime>
#include <iostream>
#include <vector>

#include "polygraphy/model_tools/visual/layout/layered_layout.h"

namespace {

constexpr double kHeight = 52, kPitch = 96;  // as the page draws them

double y_of(size_t rank) {
  return static_cast<double>(rank) * kPitch + kHeight / 2;
}

void put_edge(const polygraphy::LayeredLayout& layout, const polygraphy::LayoutEdge& edge,
              const std::vector<double>& bends) {
  const size_t from = layout.ranks[edge.from], to = layout.ranks[edge.to];
  std::printf("[[%.1f,%.1f]", layout.xs[edge.from], y_of(from) + kHeight / 2);
  size_t rank = from;
  for (const double x : bends) {
    ++rank;
    std::printf(",[%.1f,%.1f],[%.1f,%.1f]", x, y_of(rank) - kHeight / 2, x,
                y_of(rank) + kHeight / 2);
  }
  std::printf(",[%.1f,%.1f]]", layout.xs[edge.to], y_of(to) - kHeight / 2);
}

}  // namespace

int main() {
  const auto count = [] {
    size_t number = 0;
    std::cin >> number;
    return number;
  };
  std::vector<double> widths(count());
  for (double& width : widths) std::cin >> width;
  std::vector<polygraphy::LayoutEdge> edges(count());
  for (auto& edge : edges) std::cin >> edge.from >> edge.to >> edge.tensor;
  std::vector<size_t> inputs(count());
  for (size_t& input : inputs) std::cin >> input;

  const std::clock_t start = std::clock();
  const auto layout = polygraphy::layered_layout(widths, edges, inputs);
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  std::printf("{\"seconds\":%.4f,\"nodes\":[", seconds);
  for (size_t i = 0; i < widths.size(); ++i)
    std::printf("%s[%.1f,%.1f]", i ? "," : "", layout.xs[i], y_of(layout.ranks[i]));
  std::printf("],\"edges\":[");
  for (size_t i = 0; i < edges.size(); ++i) {
    if (i) std::printf(",");
    put_edge(layout, edges[i], layout.bends[i]);
  }
  std::printf("]}\n");
}
