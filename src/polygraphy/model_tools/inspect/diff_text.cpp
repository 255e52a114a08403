#include "polygraphy/model_tools/inspect/diff_text.h"

#include <array>
#include <vector>

#include "base/indented_text.h"
#include "graphsurgeon/diff/attribute_diff.h"

namespace polygraphy {

using graphsurgeon::Change;
using graphsurgeon::DiffItem;
using graphsurgeon::DiffReport;
using graphsurgeon::DiffState;
using graphsurgeon::GraphDiff;

namespace {

constexpr size_t kTab = 4;

struct Counts {
  std::array<size_t, 3> of{};  // by state

  void add(const std::vector<DiffItem>& items) {
    for (const DiffItem& item : items) ++of[static_cast<size_t>(item.state)];
  }
  std::string text() const {
    constexpr std::string_view kNames[] = {"added", "removed", "changed"};
    std::string text;
    for (size_t i = 0; i < of.size(); ++i) {
      if (of[i] == 0) continue;
      text += (text.empty() ? "" : ", ") + std::to_string(of[i]) + ' ' + std::string(kNames[i]);
    }
    return text;
  }
};

class DiffText {
 public:
  explicit DiffText(const DiffTextOptions& options) : options_(options) {}

  std::string run(const DiffReport& report) {
    if (!report.model.empty()) {
      out_.line("---- Model ----");
      put_changes(report.model, kTab);
      out_.blank_line();
    }
    put_items(report.functions, "Function(s)", "");
    for (const GraphDiff& graph : report.graphs) put_graph(graph);
    out_.line("Changes: " + diff_summary(report));
    return out_.take();
  }

 private:
  void put_graph(const GraphDiff& graph) {
    if (!graph.path.empty()) out_.line("==== In " + graph.path + " ====");
    if (!graph.changes.empty()) {
      out_.line("---- Graph ----");
      put_changes(graph.changes, kTab);
      out_.blank_line();
    }
    put_items(graph.inputs, "Input(s)", "Input");
    put_items(graph.outputs, "Output(s)", "Output");
    put_items(graph.nodes, "Node(s)", "Node");
    put_items(graph.initializers, "Initializer(s)", "Initializer");
  }

  void put_items(const std::vector<DiffItem>& items, std::string_view plural,
                 std::string_view singular) {
    if (items.empty()) return;
    Counts counts;
    counts.add(items);
    out_.line("---- " + std::string(plural) + ": " + counts.text() + " ----");
    int64_t shown = 0;
    for (const DiffItem& item : items) {
      if (options_.items >= 0 && shown == options_.items) {
        out_.line("... and " + std::to_string(items.size() - static_cast<size_t>(shown)) +
                  " more (--show)");
        break;
      }
      ++shown;
      put_item(item, singular);
    }
    out_.blank_line();
  }

  void put_item(const DiffItem& item, std::string_view kind) {
    constexpr std::string_view kMarks[] = {"+ ", "- ", "~ "};
    out_.begin_line();
    out_.put(kMarks[static_cast<size_t>(item.state)]);
    if (!kind.empty()) {
      out_.put(kind);
      out_.put(' ');
      if (item.before) out_.put(static_cast<int64_t>(*item.before));
      if (item.before && item.after && *item.before != *item.after) out_.put(" -> ");
      if (item.after && (!item.before || *item.before != *item.after)) {
        out_.put(static_cast<int64_t>(*item.after));
      }
      out_.put(" | ");
    }
    out_.put(item.name);
    const bool is_node = !item.op.empty();
    if (is_node) {
      out_.put(item.name.empty() ? "[Op: " : " [Op: ");
      out_.put(item.op);
      out_.put(']');
    }
    if (!item.details.empty()) {
      out_.put(is_node ? " " : " [");
      out_.put(item.details);
      if (!is_node) out_.put(']');
    }
    out_.end_line();
    put_changes(item.changes, 2 * kTab);
    if (item.values) out_.line("values: " + to_text(*item.values), 2 * kTab);
  }

  void put_changes(const std::vector<Change>& changes, size_t indent) {
    for (const Change& change : changes) {
      out_.begin_line(indent);
      out_.put(change.what);
      out_.put(": ");
      out_.put(change.before ? *change.before : "(none)");
      out_.put(" -> ");
      out_.put(change.after ? *change.after : "(none)");
      out_.end_line();
    }
  }

  const DiffTextOptions& options_;
  IndentedText out_;
};

}  // namespace

std::string diff_text(const DiffReport& report, const DiffTextOptions& options) {
  return DiffText(options).run(report);
}

std::string diff_summary(const DiffReport& report) {
  std::string text;
  const auto put = [&](std::string_view what, const std::string& how) {
    if (how.empty()) return;
    if (!text.empty()) text += "; ";
    text += std::string(what) + ": " + how;
  };
  size_t fields = report.model.size();
  Counts functions, inputs, outputs, nodes, initializers;
  functions.add(report.functions);
  for (const GraphDiff& graph : report.graphs) {
    fields += graph.changes.size();
    inputs.add(graph.inputs);
    outputs.add(graph.outputs);
    nodes.add(graph.nodes);
    initializers.add(graph.initializers);
  }
  put("nodes", nodes.text());
  put("initializers", initializers.text());
  put("inputs", inputs.text());
  put("outputs", outputs.text());
  put("functions", functions.text());
  if (fields > 0) put("header", std::to_string(fields) + " changed");
  return text.empty() ? "nothing" : text;
}

}  // namespace polygraphy
