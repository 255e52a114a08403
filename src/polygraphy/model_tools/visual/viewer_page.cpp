#include "polygraphy/model_tools/visual/viewer_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "formats/record_json.h"
#include "polygraphy/model_tools/visual/layout/layered_layout.h"
#include "polygraphy/model_tools/visual/layout/visual_edges.h"
#include "polygraphy/model_tools/visual/op_groups.h"

namespace polygraphy {
namespace {

// In pixels, as the script draws them.
constexpr double kOpLetter = 8.2, kNameLetter = 6.2;
constexpr double kNodePadding = 20;
constexpr size_t kMostNodes = 50'000;  // in a report
constexpr double kLeastWidth = 70, kGreatestWidth = 240;

// Of a node with its constants' shapes.
double width_of(const VisualGraph& graph, const VisualNode& node) {
  size_t weights = 0;
  for (const size_t input : node.inputs) {
    const VisualTensor& tensor = graph.tensors[input];
    if (tensor.constant && !tensor.shape.empty()) weights += code_points(tensor.shape) + 1;
  }
  const double text =
      std::max(static_cast<double>(code_points(node.op)) * kOpLetter,
               static_cast<double>(std::max(code_points(node.name), weights)) * kNameLetter);
  return std::clamp(text + kNodePadding, kLeastWidth, kGreatestWidth);
}

// The models as JSON. The script knows the order of the values.
class GraphsData {
 public:
  std::string run(std::span<const VisualModel> models, const TensorPartners& partners = {}) {
    json_.begin_object();
    write_member(json_, "kind", "graphs");
    json_.key("models");
    json_.list(models, [this](const VisualModel& model) { put_model(model); });
    if (!partners.empty()) {
      json_.key("partners");
      json_.list(partners, [this](const auto& pair) {
        if (pair.first == pair.second) return json_.string(pair.first);
        write_value(json_, std::vector<std::string>{pair.first, pair.second});
      });
    }
    json_.end_object();
    return text_.text();
  }

 private:
  void put_model(const VisualModel& model) {
    json_.begin_object();
    write_member(json_, "title", model.title);
    if (!model.path.empty()) write_member(json_, "path", model.path);
    json_.key("graphs");
    json_.list(model.graphs, [this](const VisualGraph& graph) { put_graph(graph); });
    json_.end_object();
  }

  void put_pixels(double value) { json_.integer(std::lround(value)); }
  void put_numbers(const std::vector<size_t>& numbers) {
    json_.list(numbers, [this](size_t number) { json_.integer(number); });
  }

  void put_graph(const VisualGraph& graph) {
    std::vector<double> widths;
    widths.reserve(graph.nodes.size());
    for (const VisualNode& node : graph.nodes) widths.push_back(width_of(graph, node));
    const std::vector<LayoutEdge> edges = visual_edges(graph);
    const LayeredLayout layout = layered_layout(widths, edges, visual_inputs(graph));
    json_.begin_object();
    write_member(json_, "title", graph.title);
    json_.key("width");
    put_pixels(layout.width);
    write_member(json_, "ranks", layout.rank_count);
    json_.key("tensors");
    json_.list(graph.tensors, [this](const VisualTensor& tensor) { put_tensor(tensor); });
    json_.key("nodes");
    size_t node = 0;
    json_.list(graph.nodes, [&](const VisualNode& one) {
      put_node(one, layout.ranks[node], layout.xs[node], widths[node]);
      ++node;
    });
    json_.key("edges");
    size_t edge = 0;
    json_.list(edges, [&](const LayoutEdge& one) { put_edge(one, layout.bends[edge++]); });
    json_.end_object();
  }

  void put_tensor(const VisualTensor& tensor) {
    json_.begin_array();
    json_.string(tensor.name);
    json_.string(tensor.type);
    json_.string(tensor.shape);
    json_.string(tensor.note);
    json_.integer(tensor.constant ? 1 : 0);
    if (tensor.values) write_value(json_, *tensor.values);
    json_.end_array();
  }

  void put_node(const VisualNode& node, size_t rank, double x, double width) {
    json_.begin_array();
    json_.integer(static_cast<size_t>(node.kind));
    json_.string(node.op);
    json_.string(node.name);
    json_.integer(rank);
    put_pixels(x);
    put_pixels(width);
    put_numbers(node.inputs);
    put_numbers(node.outputs);
    json_.list(node.attributes, [this](const auto& attribute) {
      json_.begin_array();
      json_.string(attribute.first);
      json_.string(attribute.second);
      json_.end_array();
    });
    json_.list(node.subgraphs, [this](const auto& subgraph) {
      json_.begin_array();
      json_.string(subgraph.first);
      json_.integer(subgraph.second);
      json_.end_array();
    });
    json_.string(op_group(node.op));
    if (!node.module.empty() || !node.source.empty()) {
      json_.string(node.module);
      json_.string(node.source);
    }
    json_.end_array();
  }

  void put_edge(const LayoutEdge& edge, const std::vector<double>& bends) {
    json_.begin_array();
    json_.integer(edge.tensor);
    json_.integer(edge.from);
    json_.integer(edge.to);
    json_.list(bends, [this](double x) { put_pixels(x); });
    json_.end_array();
  }

  StringSink text_;
  JsonWriter json_{text_, JsonStyle::kCompact};
};

}  // namespace

ReportSection graphs_section(std::span<const VisualModel> models, std::string title,
                             const TensorPartners& partners) {
  for (const VisualModel& model : models) {
    size_t nodes = 0;
    for (const VisualGraph& graph : model.graphs) nodes += graph.nodes.size();
    if (nodes > kMostNodes) {
      return ReportNotes{std::move(title),
                         {fmt::format("{} has {} nodes: too many to draw. The graph viewer shows "
                                      "the part around a node.",
                                      model.title, nodes)}};
    }
  }
  return ReportGraphs{std::move(title), GraphsData().run(models, partners)};
}

std::string viewer_page(const VisualModel& model) {
  return report_html(
      {.title = model.title, .sections = {ReportGraphs{{}, GraphsData().run({&model, 1})}}});
}

}  // namespace polygraphy
