#include "polygraphy/model_tools/inspect/model_text.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/arrays/py_repr.h"
#include "base/indented_text.h"
#include "base/ordered_map.h"
#include "base/text.h"
#include "graphsurgeon/ir/domain.h"
#include "polygraphy/model_tools/inspect/attribute_text.h"
#include "polygraphy/model_tools/inspect/tensor_text.h"

namespace polygraphy {

using graphsurgeon::Attribute;
using graphsurgeon::Graph;
using graphsurgeon::GraphRef;
using graphsurgeon::Model;
using graphsurgeon::Node;
using graphsurgeon::Tensor;
using graphsurgeon::TensorRef;

namespace {

constexpr size_t kTab = 4;

// Subgraphs of subgraphs move right ever faster, as in the original: by 3, 5, 7 … tabs. From this
// depth on by one, so that a file with hundreds of levels does not become gigabytes of spaces.
constexpr size_t kDeepest = 16;

size_t margin_below(size_t margin, size_t depth) {
  return margin + kTab * (depth <= kDeepest ? 2 * depth + 1 : 1);
}

class ModelText {
 public:
  ModelText(std::string title, const ModelTextOptions& options, Logger& logger)
      : out_(std::move(title)), options_(options), logger_(logger) {}

  std::string run(const Model& model) {
    // About the text of a node with two tensors. Memory that is not written to costs nothing.
    if (options_.layers) out_.reserve(model.graph->nodes().size() * 400);
    put_header(model);
    enter(*model.graph);
    while (!open_.empty()) advance();
    return out_.take();
  }

 private:
  // A graph that is being written.
  struct Open {
    const Graph* graph;
    size_t margin;
    std::vector<const Tensor*> initializers;  // sorted; of subgraphs only
    size_t node = 0;                          // the next one
    std::span<const Attribute> attributes;    // of the node before, still to be written
  };

  void put_header(const Model& model) {
    std::string opset = "Unknown";
    OrderedMap<int64_t> others;
    for (const auto& import : model.opset_imports) {
      if (graphsurgeon::is_default_domain(import.domain)) {
        opset = std::to_string(import.version);
      } else {
        others.set(import.domain, import.version);
      }
    }
    out_.begin_line();
    out_.put("Name: ");
    out_.put(model.graph->name());
    out_.put(" | ONNX Opset: ");
    out_.put(opset);
    if (!others.empty()) {
      out_.put(" | Other Opsets: {");
      bool first = true;
      for (const auto& [domain, version] : others) {
        if (!first) out_.put(", ");
        out_.put(py_str_repr(domain));
        out_.put(": ");
        out_.put(version);
        first = false;
      }
      out_.put('}');
    }
    out_.end_line();
    out_.blank_line();
  }

  // Writes everything of a graph that stands before its nodes.
  void enter(const Graph& graph) {
    const size_t depth = open_.size();
    const size_t margin = depth == 0 ? 0 : margin_below(open_.back().margin, depth);
    out_.set_margin(margin);
    Open opened{&graph, margin, {}, 0, {}};
    if (depth > 0) {
      for (const TensorRef& tensor : graph.initializers()) {
        opened.initializers.push_back(tensor.get());
      }
      std::sort(opened.initializers.begin(), opened.initializers.end());
    }

    if (options_.attrs && !graph.doc_string().empty()) {
      out_.line("---- Docstring ----");
      out_.line(graph.doc_string());
      out_.blank_line();
    }
    const std::string_view what = depth == 0 ? "Graph" : "Subgraph";
    put_values(graph.inputs(), std::string(what) + " Input(s) ----", true);
    put_values(graph.outputs(), std::string(what) + " Output(s) ----", false);
    put_initializers(graph);
    put_heading(graph.nodes().size(), "Node(s) ----");
    if (!options_.layers) return;
    open_.push_back(std::move(opened));
  }

  // Continues where the innermost graph stopped, until it ends or the next subgraph begins.
  void advance() {
    Open& open = open_.back();
    out_.set_margin(open.margin);
    for (;;) {
      while (!open.attributes.empty()) {
        const Attribute& attribute = open.attributes.front();
        open.attributes = open.attributes.subspan(1);
        if (!is_shown(attribute)) continue;
        const Node& node = *open.graph->nodes()[open.node - 1];
        out_.begin_line(kTab);
        if (!node.name().empty()) {
          out_.put(node.name());
          out_.put('.');
        }
        out_.put(attribute.name);
        out_.put(" = ");
        if (const auto* subgraph = std::get_if<GraphRef>(&attribute.value)) {
          out_.end_line();
          enter(**subgraph);
          return;
        }
        put_attribute_value(out_, attribute, options_.weights, logger_);
        out_.end_line();
      }
      if (open.node > 0) out_.blank_line();
      if (open.node == open.graph->nodes().size()) break;
      put_node(open);
    }
    open_.pop_back();
  }

  void put_heading(size_t count, std::string_view rest) {
    out_.begin_line();
    out_.put("---- ");
    out_.put(static_cast<int64_t>(count));
    out_.put(' ');
    out_.put(rest);
    out_.end_line();
  }

  // Inputs or outputs of a graph, each name once.
  void put_values(const std::vector<TensorRef>& tensors, std::string_view heading,
                  bool without_constants) {
    std::vector<const Tensor*> shown;
    std::unordered_set<std::string_view> names;
    for (const TensorRef& tensor : tensors) {
      if (without_constants && tensor->is_constant()) continue;
      if (names.insert(tensor->name()).second) shown.push_back(tensor.get());
    }
    put_heading(shown.size(), heading);
    put_map(shown);
    out_.blank_line();
  }

  void put_map(const std::vector<const Tensor*>& tensors) {
    out_.begin_line();
    put_tensors(tensors, [](const Tensor&) { return std::string_view(); });
    out_.end_line();
  }

  // {a,\n b}
  template <typename Tensors, typename Prefix>
  void put_tensors(const Tensors& tensors, Prefix prefix) {
    out_.put('{');
    bool first = true;
    for (const Tensor* tensor : tensors) {
      if (!first) {
        out_.put(',');
        out_.continue_line(1);
      }
      put_tensor(out_, *tensor, prefix(*tensor));
      first = false;
    }
    out_.put('}');
  }

  void put_initializers(const Graph& graph) {
    const auto& initializers = graph.initializers();
    put_heading(initializers.size(), "Initializer(s) ----");
    if (!options_.weights) {
      if (options_.layers) {
        std::vector<const Tensor*> tensors;
        for (const TensorRef& tensor : initializers) tensors.push_back(tensor.get());
        put_map(tensors);
      }
      out_.blank_line();
      return;
    }
    if (initializers.empty()) {
      out_.line("{}");
      out_.blank_line();
    }
    for (const TensorRef& tensor : initializers) {
      out_.begin_line();
      out_.put("Initializer | ");
      out_.put(tensor->name());
      out_.put(" [dtype=");
      put_dtype(out_, tensor->dtype());
      out_.put(", shape=");
      put_shape_list(out_, tensor->payload()->shape());
      out_.put("] | Values:");
      out_.end_line();
      out_.begin_line(kTab);
      out_.put_block(values_text(*tensor->payload(), tensor->name(), logger_));
      out_.end_line();
      out_.blank_line();
    }
  }

  // Name, op and tensors of the next node; leaves its attributes to be written.
  void put_node(Open& open) {
    const Node& node = *open.graph->nodes()[open.node];
    out_.begin_line();
    out_.put("Node ");
    const std::string index = std::to_string(open.node);
    out_.put(index);
    for (size_t i = index.size(); i < 4; ++i) out_.put(' ');
    out_.put(" | ");
    out_.put(node.name());
    out_.put(" [Op: ");
    out_.put(node.op());
    out_.put(']');
    out_.end_line();

    const bool is_main = open_.size() == 1;
    const auto prefix = [&](const Tensor& tensor) -> std::string_view {
      if (!tensor.is_constant()) return {};
      const bool own = is_main || std::binary_search(open.initializers.begin(),
                                                     open.initializers.end(), &tensor);
      return own ? "Initializer | " : std::string_view();
    };
    out_.begin_line(kTab);
    put_tensors(node.inputs(), prefix);
    const bool two_lines = !node.inputs().empty() && !node.outputs().empty();
    if (two_lines) {
      out_.end_line();
      out_.begin_line(kTab);
    }
    out_.put(" -> ");
    out_.set_indent(two_lines ? 2 * kTab : 0);
    put_tensors(node.outputs(), prefix);
    out_.end_line();

    ++open.node;
    open.attributes = {};
    if (!options_.attrs) return;
    const auto attributes = node.attributes();
    if (std::any_of(attributes.begin(), attributes.end(), is_shown)) {
      out_.line("---- Attributes ----", kTab);
      open.attributes = attributes;
    }
  }

  IndentedText out_;
  const ModelTextOptions& options_;
  Logger& logger_;
  std::vector<Open> open_;
};

}  // namespace

std::string model_text(const Model& model, const ModelTextOptions& options, Logger& logger,
                       std::string title) {
  return ModelText(std::move(title), options, logger).run(model);
}

}  // namespace polygraphy
