#include "polygraphy/model_tools/visual/viewer_page.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "base/text.h"
#include "formats/json_writer.h"
#include "pictures/svg.h"
#include "polygraphy/model_tools/visual/layout/layered_layout.h"
#include "polygraphy/model_tools/visual/layout/visual_edges.h"
#include "polygraphy/model_tools/visual/op_groups.h"
#include "polygraphy/model_tools/visual/page_texts.h"

namespace polygraphy {
namespace {

// In pixels, as the script draws them.
constexpr double kOpLetter = 8.2, kNameLetter = 6.2;
constexpr double kNodePadding = 20;
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

// The graphs as JSON without white space. The script knows the order of the values.
class PageData {
 public:
  std::string run(const VisualModel& model) {
    put("{\"title\":");
    put_text(model.title);
    put(",\"graphs\":");
    put_list(model.graphs, [this](const VisualGraph& graph) { put_graph(graph); });
    put("}");
    return std::move(out_);
  }

 private:
  void put(std::string_view text) { out_ += text; }
  void put(size_t number) { out_ += std::to_string(number); }
  void put_text(std::string_view text) { out_ += json_quoted(text); }
  void put_pixels(double value) { out_ += std::to_string(std::lround(value)); }

  template <typename List, typename Put>
  void put_list(const List& list, Put put_one) {
    put("[");
    bool first = true;
    for (const auto& one : list) {
      if (!first) put(",");
      put_one(one);
      first = false;
    }
    put("]");
  }
  void put_numbers(const std::vector<size_t>& numbers) {
    put_list(numbers, [this](size_t number) { put(number); });
  }

  void put_graph(const VisualGraph& graph) {
    std::vector<double> widths;
    widths.reserve(graph.nodes.size());
    for (const VisualNode& node : graph.nodes) widths.push_back(width_of(graph, node));
    const std::vector<LayoutEdge> edges = visual_edges(graph);
    const LayeredLayout layout = layered_layout(widths, edges, visual_inputs(graph));
    put("\n{\"title\":");
    put_text(graph.title);
    put(",\"width\":");
    put_pixels(layout.width);
    put(",\"ranks\":");
    put(layout.rank_count);
    put(",\"tensors\":");
    put_list(graph.tensors, [this](const VisualTensor& tensor) { put_tensor(tensor); });
    put(",\"nodes\":");
    size_t node = 0;
    put_list(graph.nodes, [&](const VisualNode& one) {
      put_node(one, layout.ranks[node], layout.xs[node], widths[node]);
      ++node;
    });
    put(",\"edges\":");
    size_t edge = 0;
    put_list(edges, [&](const LayoutEdge& one) { put_edge(one, layout.bends[edge++]); });
    put("}");
  }

  void put_tensor(const VisualTensor& tensor) {
    put("[");
    put_text(tensor.name);
    put(",");
    put_text(tensor.type);
    put(",");
    put_text(tensor.shape);
    put(",");
    put_text(tensor.note);
    put(tensor.constant ? ",1]" : ",0]");
  }

  void put_node(const VisualNode& node, size_t rank, double x, double width) {
    put("[");
    put(static_cast<size_t>(node.kind));
    put(",");
    put_text(node.op);
    put(",");
    put_text(node.name);
    put(",");
    put(rank);
    put(",");
    put_pixels(x);
    put(",");
    put_pixels(width);
    put(",");
    put_numbers(node.inputs);
    put(",");
    put_numbers(node.outputs);
    put(",");
    put_list(node.attributes, [this](const auto& attribute) {
      put("[");
      put_text(attribute.first);
      put(",");
      put_text(attribute.second);
      put("]");
    });
    put(",");
    put_list(node.subgraphs, [this](const auto& subgraph) {
      put("[");
      put_text(subgraph.first);
      put(",");
      put(subgraph.second);
      put("]");
    });
    put(",");
    put_text(op_group(node.op));
    put("]");
  }

  void put_edge(const LayoutEdge& edge, const std::vector<double>& bends) {
    put("[");
    put(edge.tensor);
    put(",");
    put(edge.from);
    put(",");
    put(edge.to);
    put(",");
    put_list(bends, [this](double x) { put_pixels(x); });
    put("]");
  }

  std::string out_;
};

// JSON as it may stand in an element of HTML: no text can end it. Outside of texts JSON has no '<'.
std::string embedded(const std::string& json) {
  return replace_all(json, "<", "\\u003c");
}

}  // namespace

std::string viewer_page(const VisualModel& model) {
  std::string page = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  page += "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; ";
  page += "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n<title>";
  page += xml_escaped(model.title);
  page += "</title>\n<style>\n";
  page += page_style();
  page += "</style>\n</head>\n<body>\n<script type=\"application/json\" id=\"model\">";
  page += embedded(PageData().run(model));
  page += "</script>\n<script>\n";
  page += page_script();
  page += "</script>\n</body>\n</html>\n";
  return page;
}

}  // namespace polygraphy
