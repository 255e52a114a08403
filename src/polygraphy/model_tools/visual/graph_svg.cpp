#include "polygraphy/model_tools/visual/graph_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "pictures/svg.h"
#include "polygraphy/model_tools/visual/layout/layered_layout.h"
#include "polygraphy/model_tools/visual/layout/visual_edges.h"
#include "polygraphy/model_tools/visual/op_groups.h"

namespace polygraphy {
namespace {

constexpr size_t kMany = 3000;  // nodes; larger graphs omit unreadable details
// In pixels.
constexpr double kOpLetter = 7.8, kNameLetter = 5.8;
constexpr double kTitleLetter = 9.5, kGreatestTitle = 1900;
constexpr double kNodePadding = 16;
constexpr double kLeastWidth = 60, kGreatestWidth = 260;
constexpr double kLine = 14;     // of text
constexpr double kRankGap = 46;  // between ranks, where the shapes stand
constexpr double kFarRankGap = 30;
constexpr double kMargin = 24, kTitle = 30;
constexpr double kScreenWidth = 1900, kScreenHeight = 1000;
constexpr size_t kConstantLines = 3;  // of a node; the tooltip has all
constexpr size_t kTooltipLines = 24;  // and the length of each in bytes
constexpr size_t kTooltipLine = 160;

constexpr std::string_view kStyle =
    "rect{fill:#e3edf8;stroke:#5b6b7d}"
    ".input rect{fill:#dff2df;stroke:#3d7a3d}"
    ".output rect{fill:#fbe6d4;stroke:#a65a1e}"
    ".capture rect{fill:#eee;stroke-dasharray:4 2}"
    ".constant rect{fill:#fff4c2;stroke:#94801f}"
    ".heavy rect{fill:#cfe0fb;stroke:#2f5fa8}"
    ".norm rect{fill:#e9def8;stroke:#6f4fa3}"
    ".activation rect{fill:#fbdcd8;stroke:#b0483c}"
    ".move rect{fill:#eceff2;stroke:#7b8794}"
    ".reduce rect{fill:#d6f0ee;stroke:#2c7a74}"
    ".quantize rect{fill:#fadcec;stroke:#a5457a}"
    ".inner rect{fill:#ece2f7;stroke:#6b4a94;stroke-width:2}"
    ".centre rect{stroke:#c2410c;stroke-width:3}"
    ".box{fill:none;stroke:#b4bcc6}"
    "text{font-size:10px;fill:#445;text-anchor:middle}"
    ".op{font-size:13px;font-weight:600;fill:#222}"
    ".weight{fill:#85690a}"
    ".shape{fill:#667;text-anchor:start}"
    ".title{font-size:15px;font-weight:600;text-anchor:start}"
    "path{fill:none;stroke:#8a97a6}"
    ".back{stroke-dasharray:5 3}"
    ".paper{fill:#fff;stroke:none}"
    "@media(prefers-color-scheme:dark){"
    ".paper{fill:#14181d}text{fill:#a9b4c1}.op{fill:#e6ebf1}.title{fill:#dfe5ec}"
    ".shape{fill:#93a0b0}.weight{fill:#d8bd62}.box{stroke:#333c47}"
    "rect{fill:#23303f}.input rect{fill:#1f3a24}.output rect{fill:#46301c}"
    ".capture rect{fill:#2a3038}.constant rect{fill:#3d3717}.heavy rect{fill:#1d3a66}"
    ".norm rect{fill:#352a4d}.activation rect{fill:#4a2724}.move rect{fill:#2a3038}"
    ".reduce rect{fill:#1d3f3d}.quantize rect{fill:#4a2439}.inner rect{fill:#352a4d}"
    ".box{fill:none}}";

// A wide picture begins with an empty corner, far from its first nodes: it is fitted into the
// window, and its address with #full shows it in its own size.
constexpr std::string_view kFittedStyle =
    "svg:not(:target){width:100%;height:100%}"
    ".full text{text-decoration:underline;font-size:15px;text-anchor:start}"
    "svg:target .full{display:none}";

// Cut to the width, with "…" at the end.
std::string fitted(std::string_view text, double width, double letter) {
  const auto most = static_cast<size_t>(std::max(1.0, width / letter));
  if (text.size() <= most || code_points(text) <= most) return std::string(text);
  std::string cut;
  for (size_t i = 1; i < most; ++i) {
    const size_t length = first_code_point(text).length;
    cut += text.substr(0, length);
    text.remove_prefix(length);
  }
  return cut + "…";
}

double title_width(std::string_view title) {
  return std::min(static_cast<double>(code_points(title)) * kTitleLetter, kGreatestTitle);
}

std::string tensor_text(const VisualTensor& tensor) {
  std::string text = tensor.name;
  for (const std::string* part : {&tensor.type, &tensor.shape, &tensor.note}) {
    if (!part->empty()) text += " " + *part;
  }
  return text;
}

std::string_view kind_of(const VisualNode& node) {
  switch (node.kind) {
    case VisualNode::Kind::kInput:
      return "input";
    case VisualNode::Kind::kOutput:
      return "output";
    case VisualNode::Kind::kCapture:
      return "capture";
    case VisualNode::Kind::kNode:
      break;
  }
  if (!node.subgraphs.empty()) return "inner";
  return op_group(node.op);
}

std::string classes_of(const VisualNode& node) {
  std::string classes(kind_of(node));
  if (node.centre) classes += classes.empty() ? "centre" : " centre";
  return classes;
}

// A graph in a separate box.
class GraphBox {
 public:
  GraphBox(const VisualGraph& graph, size_t index, bool many)
      : graph_(graph),
        title_(index == 0 ? graph.title : fmt::format("Graph {}: {}", index, graph.title)),
        index_(index),
        many_(many),
        edges_(visual_edges(graph)) {
    for (const VisualNode& node : graph.nodes) {
      names_.push_back(many ? "" : name_of(node));
      weights_.push_back(weights_of(node));
      widths_.push_back(width_of(node, names_.back(), weights_.back()));
    }
    layout_ = layered_layout(widths_, edges_, visual_inputs(graph));
    place_ranks();
  }

  double width() const { return std::max(layout_.width, title_width(title_)) + 2 * kMargin; }
  double height() const { return height_; }

  void draw(std::string& out, double top) {
    top_ = top;
    fmt::format_to(std::back_inserter(out),
                   "<g id=\"graph{}\"><rect class=\"box\" x=\"0\" y=\"{}\" width=\"{}\" "
                   "height=\"{}\"/>\n<text class=\"title\" x=\"{}\" y=\"{}\">{}</text>\n",
                   index_, pixels(top), pixels(width()), pixels(height_), pixels(kMargin),
                   pixels(top + 22), xml_escaped(fitted(title_, kGreatestTitle, kTitleLetter)));
    for (size_t i = 0; i < edges_.size(); ++i) draw_edge(out, edges_[i], layout_.bends[i]);
    for (size_t i = 0; i < graph_.nodes.size(); ++i) draw_node(out, i);
    out += "</g>\n";
  }

 private:
  static long pixels(double value) { return std::lround(value); }

  static std::string name_of(const VisualNode& node) {
    return node.name == node.op ? std::string() : node.name;
  }

  // Constants that the node reads, one line each.
  std::vector<std::string> weights_of(const VisualNode& node) const {
    std::vector<std::string> lines;
    if (many_) return lines;
    for (const size_t index : node.inputs) {
      const VisualTensor& tensor = graph_.tensors[index];
      if (!tensor.constant) continue;
      if (lines.size() == kConstantLines) {
        lines.back() = "… and more constants";
        break;
      }
      lines.push_back(tensor.name + (tensor.shape.empty() ? "" : " " + tensor.shape));
    }
    return lines;
  }

  static double width_of(const VisualNode& node, const std::string& name,
                         const std::vector<std::string>& weights) {
    double text = std::max(static_cast<double>(code_points(node.op)) * kOpLetter,
                           static_cast<double>(code_points(name)) * kNameLetter);
    for (const std::string& line : weights)
      text = std::max(text, static_cast<double>(code_points(line)) * kNameLetter);
    return std::clamp(text + kNodePadding, kLeastWidth, kGreatestWidth);
  }

  double height_of(size_t node) const {
    return 22 + kLine * static_cast<double>((names_[node].empty() ? 0 : 1) + weights_[node].size());
  }

  void place_ranks() {
    std::vector<double> heights(layout_.rank_count, 0);
    for (size_t i = 0; i < graph_.nodes.size(); ++i) {
      double& height = heights[layout_.ranks[i]];
      height = std::max(height, height_of(i));
    }
    double y = kTitle + kMargin / 2;
    for (const double height : heights) {
      ranks_.emplace_back(y, height);
      y += height + (many_ ? kFarRankGap : kRankGap);
    }
    height_ = (ranks_.empty() ? y : ranks_.back().first + ranks_.back().second) + kMargin;
  }

  double x_of(size_t node) const { return kMargin + layout_.xs[node]; }
  // Nodes stand in the middle of their rank.
  double upper_side(size_t node) const {
    const auto& [y, height] = ranks_[layout_.ranks[node]];
    return top_ + y + (height - height_of(node)) / 2;
  }
  double lower_side(size_t node) const { return upper_side(node) + height_of(node); }

  using Points = std::vector<std::pair<long, long>>;

  // Without those in the middle of a vertical line.
  Points way_of(const LayoutEdge& edge, const std::vector<double>& bends) const {
    const size_t from = layout_.ranks[edge.from];
    const bool back = layout_.ranks[edge.to] <= from;
    Points points;
    const auto go = [&](double x, double y) {
      const std::pair to(pixels(x), pixels(y));
      const size_t count = points.size();
      const bool vertical =
          count > 1 && points[count - 1].first == to.first && points[count - 2].first == to.first;
      if (vertical) points.pop_back();
      points.push_back(to);
    };
    go(x_of(edge.from), back ? upper_side(edge.from) : lower_side(edge.from));
    for (size_t i = 0; i < bends.size() && !back; ++i) {
      const auto& [upper, height] = ranks_[from + 1 + i];
      go(kMargin + bends[i], top_ + upper);
      if (!many_) go(kMargin + bends[i], top_ + upper + height);
    }
    go(x_of(edge.to), back ? lower_side(edge.to) : upper_side(edge.to));
    return points;
  }

  // Lines, or curves that begin and end vertically.
  std::string path_through(const Points& points, bool straight) const {
    std::string path = fmt::format("M{} {}", points[0].first, points[0].second);
    for (size_t i = 1; i < points.size(); ++i) {
      const auto [x, y] = points[i - 1];
      const auto [to_x, to_y] = points[i];
      if (many_ || straight || x == to_x) {
        fmt::format_to(std::back_inserter(path), "L{} {}", to_x, to_y);
      } else {
        const long middle = (y + to_y) / 2;
        fmt::format_to(std::back_inserter(path), "C{} {} {} {} {} {}", x, middle, to_x, middle,
                       to_x, to_y);
      }
    }
    return path;
  }

  void draw_edge(std::string& out, const LayoutEdge& edge, const std::vector<double>& bends) {
    const size_t from = layout_.ranks[edge.from], to = layout_.ranks[edge.to];
    const bool back = to <= from;
    const std::string path = path_through(way_of(edge, bends), back);
    const VisualTensor& tensor = graph_.tensors[edge.tensor];
    fmt::format_to(std::back_inserter(out), "<path{} d=\"{}\"", back ? " class=\"back\"" : "",
                   path);
    if (many_) {
      out += "/>\n";
      return;
    }
    fmt::format_to(std::back_inserter(out), " marker-end=\"url(#tip)\"><title>{}</title></path>\n",
                   xml_escaped(tensor_text(tensor)));
  }

  // The shapes of its outputs, below the node.
  void draw_shapes(std::string& out, size_t node) {
    double y = lower_side(node) + 11;
    for (const size_t index : graph_.nodes[node].outputs) {
      const VisualTensor& tensor = graph_.tensors[index];
      if (tensor.shape.empty() || graph_.nodes[node].outputs.size() > 2) continue;
      fmt::format_to(std::back_inserter(out), "<text class=\"shape\" x=\"{}\" y=\"{}\">{}</text>\n",
                     pixels(x_of(node) + 5), pixels(y),
                     xml_escaped(fitted(tensor.shape, 160, kNameLetter)));
      y += 11;
    }
  }

  std::string tooltip(const VisualNode& node) const {
    std::string text = node.op;
    size_t lines = 0;
    const auto add = [&](std::string_view line) {
      if (++lines == kTooltipLines) text += "\n…";
      if (lines < kTooltipLines) text += "\n" + fitted(line, kTooltipLine, 1);
    };
    if (!node.name.empty()) add(node.name);
    if (many_) return text;
    for (const size_t input : node.inputs) {
      const VisualTensor& tensor = graph_.tensors[input];
      if (!tensor.name.empty())
        add((tensor.constant ? "constant: " : "in: ") + tensor_text(tensor));
    }
    for (const size_t output : node.outputs) add("out: " + tensor_text(graph_.tensors[output]));
    for (const auto& [name, value] : node.attributes) add(name + " = " + value);
    for (const auto& [name, graph] : node.subgraphs)
      add(fmt::format("{}: graph {} below", name, graph));
    return text;
  }

  void draw_node(std::string& out, size_t index) {
    const VisualNode& node = graph_.nodes[index];
    const std::string kind = classes_of(node);
    const double x = x_of(index), y = upper_side(index), width = widths_[index];
    const bool leads = !node.subgraphs.empty();
    if (leads)
      fmt::format_to(std::back_inserter(out), "<a href=\"#graph{}\">",
                     node.subgraphs.front().second);
    out += kind.empty() ? "<g>" : fmt::format("<g class=\"{}\">", kind);
    fmt::format_to(std::back_inserter(out),
                   "<title>{}</title><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"4\"/>"
                   "<text class=\"op\" x=\"{}\" y=\"{}\">{}</text>",
                   xml_escaped(tooltip(node)), pixels(x - width / 2), pixels(y), pixels(width),
                   pixels(height_of(index)), pixels(x), pixels(y + 16),
                   xml_escaped(fitted(node.op, width, kOpLetter)));
    double line = y + 16;
    const auto write = [&](const std::string& text, std::string_view more) {
      line += kLine;
      fmt::format_to(std::back_inserter(out), "<text{} x=\"{}\" y=\"{}\">{}</text>", more,
                     pixels(x), pixels(line), xml_escaped(fitted(text, width - 8, kNameLetter)));
    };
    if (!names_[index].empty()) write(names_[index], "");
    for (const std::string& weight : weights_[index]) write(weight, " class=\"weight\"");
    out += leads ? "</g></a>\n" : "</g>\n";
    if (!many_) draw_shapes(out, index);
  }

  const VisualGraph& graph_;
  std::string title_;
  size_t index_;
  bool many_;
  std::vector<LayoutEdge> edges_;
  std::vector<std::string> names_;
  std::vector<std::vector<std::string>> weights_;
  std::vector<double> widths_;
  LayeredLayout layout_;
  std::vector<std::pair<double, double>> ranks_;  // where each begins, and its height
  double height_ = 0, top_ = 0;
};

}  // namespace

std::string graph_svg(const VisualModel& model) {
  size_t nodes = 0;
  for (const VisualGraph& graph : model.graphs) nodes += graph.nodes.size();
  std::vector<GraphBox> boxes;
  double width = title_width(model.title), height = kTitle;
  for (const VisualGraph& graph : model.graphs) {
    const GraphBox& box = boxes.emplace_back(graph, boxes.size(), nodes > kMany);
    width = std::max(width, box.width());
    height += box.height() + kMargin;
  }
  const bool wide = width > kScreenWidth;
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\"{5} width=\"{0}\" height=\"{1}\" "
      "viewBox=\"-1 0 {0} {1}\" font-family=\"sans-serif\">\n<style>{2}{4}</style>\n"
      "<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" "
      "markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" style=\"fill:#8a97a6\"/>"
      "</marker></defs>\n<rect x=\"-1\" width=\"{0}\" height=\"{1}\" "
      "class=\"paper\"/>\n<text class=\"title\" x=\"4\" y=\"20\">{3}</text>\n",
      std::lround(width) + 2, std::lround(height), kStyle,
      xml_escaped(fitted(model.title, kGreatestTitle, kTitleLetter)), wide ? kFittedStyle : "",
      wide ? " id=\"full\"" : "");
  if (wide) {
    // Readable where the picture is fitted.
    const double scale = std::max(width / kScreenWidth, height / kScreenHeight);
    fmt::format_to(std::back_inserter(out),
                   "<a class=\"full\" href=\"#full\"><text transform=\"translate({} {}) "
                   "scale({:.1f})\">Full size</text></a>\n",
                   std::lround(kMargin), std::lround(kTitle + 30 + 12 * scale), scale);
  }
  double top = kTitle;
  for (GraphBox& box : boxes) {
    box.draw(out, top);
    top += box.height() + kMargin;
  }
  out += "</svg>\n";
  return out;
}

}  // namespace polygraphy
