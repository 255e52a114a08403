#include "polygraphy/comparison/compare/report/comparison_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "base/arrays/py_repr.h"
#include "base/text.h"
#include "polygraphy/comparison/verdict/runner_names.h"
#include "polygraphy/comparison/verdict/verdict_page.h"

namespace polygraphy {
namespace {

using Pair = ComparisonReport::Pair;
using Tensor = ComparisonReport::Tensor;
using Entry = OrderedMap<Tensor>::Entry;

constexpr size_t kCurved = 4;      // tensors from which on there is a curve
constexpr size_t kDetailed = 10;   // failing tensors of which elements are shown
constexpr size_t kHistograms = 3;  // and differences counted
constexpr size_t kMarked = 3;

class Sections {
 public:
  Sections(const ComparisonReport& report, const ReportFacts& facts)
      : report_(report), facts_(facts) {}

  std::vector<ReportSection> all() && {
    add_verdict();
    add_figures();
    for (const auto& [runner, outputs] : report_.validated_outputs())
      add_validated(runner, outputs);
    for (const Pair& pair : report_.pairs()) add_pair(pair);
    return std::move(sections_);
  }

 private:
  void add_verdict() {
    ReportVerdict verdict = facts_.verdict ? report_verdict(*facts_.verdict)
                                           : ReportVerdict{.mark = ReportMark::kError};
    verdict.headline = facts_.status + (verdict.headline.empty() ? "" : ": " + verdict.headline);
    if (facts_.verdict && facts_.verdict->acceptable() && report_.validates())
      verdict.mark = ReportMark::kGood;
    for (const Pair& pair : report_.pairs()) {
      const auto tensors = report_.in_order(pair.tensors);
      const auto failed = std::count_if(tensors.begin(), tensors.end(), is_bad);
      verdict.lines.push_back(fmt::format("{}: {} of {} tensor(s) matched", both_of(pair),
                                          tensors.size() - static_cast<size_t>(failed),
                                          tensors.size()));
      const auto first = std::find_if(tensors.begin(), tensors.end(), is_bad);
      if (first != tensors.end())
        verdict.lines.push_back("First difference in the order of the graph: " + place(**first));
      for (const std::string& runner : {pair.runner0, pair.runner1})
        add_unpaired(pair, runner, verdict);
    }
    for (const auto& [runner, outputs] : report_.validated_outputs()) {
      const auto invalid = std::count_if(outputs.begin(), outputs.end(),
                                         [](const auto& one) { return one.second.invalid > 0; });
      verdict.lines.push_back(fmt::format("{}: {} of {} tensor(s) hold NaN or infinity",
                                          without_time(runner), invalid, outputs.size()));
    }
    if (verdict.lines.empty()) verdict.lines.emplace_back("No outputs were compared");
    sections_.emplace_back(std::move(verdict));
  }

  // No line for a runner whose outputs the other one has, too.
  static void add_unpaired(const Pair& pair, const std::string& runner, ReportVerdict& verdict) {
    constexpr size_t kNamed = 5;
    std::string names;
    size_t count = 0;
    for (const auto& [output, owner] : pair.unpaired) {
      if (owner != runner || ++count > kNamed) continue;
      names += (count == 1 ? "" : ", ") + output;
    }
    names += and_more(count, kNamed, " ");
    if (count > 0)
      verdict.lines.push_back(fmt::format("Only {} has these outputs, which were not compared: {}",
                                          without_time(runner), names));
  }

  void add_figures() {
    ReportFigures figures;
    for (const auto& [what, path] : facts_.files) figures.figures.emplace_back(what, path);
    if (!figures.figures.empty()) sections_.emplace_back(std::move(figures));
  }

  void add_validated(const std::string& runner, const ComparisonReport::ValidatedOutputs& outputs) {
    ReportTable table{.title = "NaNs and infinities of " + std::string(without_time(runner)),
                      .columns = {{"Tensor", false, {}},
                                  {"Node", false, {}},
                                  {"Operator", false, {}},
                                  {"Iterations", true, {}},
                                  {"With NaN or infinity", true, {}}},
                      .rows = {}};
    for (const auto* entry : report_.in_order(outputs)) {
      const auto& [name, found] = *entry;
      const Layer* layer = report_.layer(name);
      table.rows.push_back(
          {.cells = {name, layer ? layer->name : std::string(), layer ? layer->op : std::string(),
                     static_cast<double>(found.iterations), static_cast<double>(found.invalid)},
           .mark = found.invalid > 0 ? ReportMark::kBad : ReportMark::kNone});
    }
    sections_.emplace_back(std::move(table));
  }

  void add_pair(const Pair& pair) {
    const auto tensors = report_.in_order(pair.tensors);
    const std::string both = both_of(pair);
    if (tensors.size() >= kCurved) add_curve(both, tensors);
    // Failing ones, worst first.
    std::vector<const Entry*> failing;
    for (const Entry* entry : tensors) {
      if (is_bad(entry)) failing.push_back(entry);
    }
    std::stable_sort(failing.begin(), failing.end(), [](const Entry* a, const Entry* b) {
      return a->second.greatest > b->second.greatest;
    });
    size_t histograms = 0;
    for (const Entry* entry : failing) {
      if (histograms == kHistograms) break;
      if (add_histogram(*entry)) ++histograms;
    }
    add_tensors(both, tensors);
    add_elements(pair, failing);
  }

  void add_curve(const std::string& both, const std::vector<const Entry*>& tensors) {
    ReportCurve curve{.title = "Differences along the model: " + both,
                      .x_name = "tensors, in the order of the graph",
                      .y_name = "largest absolute difference",
                      .places = {},
                      .series = {{"largest difference", {}}}};
    for (const Entry* entry : tensors) {
      if (is_bad(entry) && curve.marked.size() < kMarked)
        curve.marked.push_back({curve.places.size(), entry->first});
      curve.places.push_back(place(*entry));
      curve.series[0].values.push_back(greatest_of(entry->second));
    }
    sections_.emplace_back(std::move(curve));
  }

  bool add_histogram(const Entry& entry) {
    const auto& differences = entry.second.differences;
    if (!differences || differences->counts.size() < 2) return false;
    ReportHistogram histogram{
        .title = "Differences of " + entry.first,
        .x_name = fmt::format("absolute difference; {} element(s) are equal", differences->zeros),
        .edges = {},
        .series = {{"elements", {}}}};
    for (size_t i = 0; i <= differences->counts.size(); ++i)
      histogram.edges.push_back(std::ldexp(1.0, differences->least + static_cast<int>(i)));
    for (const int64_t count : differences->counts)
      histogram.series[0].counts.push_back(static_cast<double>(count));
    sections_.emplace_back(std::move(histogram));
    if (!entry.second.heatmap.empty())
      sections_.emplace_back(ReportPicture{{}, entry.second.heatmap});
    return true;
  }

  void add_tensors(const std::string& both, const std::vector<const Entry*>& tensors) {
    ReportTable table{
        .title = "All tensors: " + both,
        .columns = {{"Verdict", false, {}},
                    {"Tensor", false, {}},
                    {"Node", false, {}},
                    {"Operator", false, {}},
                    {"Place", true, "In the order of the graph"},
                    {"Type", false, {}},
                    {"Shape", false, {}},
                    {"Iterations", true, {}},
                    {"Failed", true, "Iterations"},
                    {"Largest difference", true, "Absolute, of the worst iteration"}},
        .rows = {},
        .cases = ReportTable::Cases{.name = {"Tensor"}, .outcome = "Verdict"},
        .nodes = ReportTable::Nodes{.keys = {"Node", "Tensor"}, .figures = {"Largest difference"}}};
    const size_t fixed = table.columns.size();
    OrderedMap<size_t> columns;  // of figures
    for (const Entry* entry : tensors) {
      for (const OutputResult& result : entry->second.results) {
        for (const auto& [figure, value] : known_figures(result)) {
          const std::string title = title_of(result, figure);
          if (columns.contains(title)) continue;
          columns.set(title, table.columns.size());
          table.nodes->figures.push_back(title);
          table.columns.push_back({title, true, {}});
        }
      }
    }
    for (const bool failing : {true, false}) {
      for (const Entry* entry : tensors) {
        if (is_bad(entry) == failing) table.rows.push_back(row(*entry, fixed, columns));
      }
    }
    sections_.emplace_back(std::move(table));
  }

  static std::string title_of(const OutputResult& result, std::string_view figure) {
    return fmt::format("{} {}", name_of(*result.metric), figure);
  }

  ReportTable::Row row(const Entry& entry, size_t fixed, const OrderedMap<size_t>& columns) const {
    const auto& [name, tensor] = entry;
    const Layer* layer = report_.layer(name);
    ReportTable::Row row{
        .cells = {std::string(tensor.failed > 0 ? "FAILED" : "PASSED"), name,
                  layer ? layer->name : std::string(), layer ? layer->op : std::string(),
                  ReportTable::Cell(), std::string(name_of(tensor.info0.dtype)),
                  shapes_text(tensor), static_cast<double>(tensor.iterations),
                  static_cast<double>(tensor.failed), ReportTable::Cell()},
        .mark = tensor.failed > 0 ? ReportMark::kBad : ReportMark::kNone};
    if (const double greatest = greatest_of(tensor); !std::isnan(greatest)) row.cells[9] = greatest;
    if (layer) row.cells[4] = static_cast<double>(layer->order);
    row.cells.resize(fixed + columns.size());
    for (const OutputResult& result : tensor.results) {
      for (const auto& [figure, value] : known_figures(result))
        row.cells[*columns.find(title_of(result, figure))] = value;
    }
    return row;
  }

  void add_elements(const Pair& pair, const std::vector<const Entry*>& failing) {
    ReportTable table{.title = "Worst elements",
                      .columns = {{"Tensor", false, {}},
                                  {"Index", false, {}},
                                  {std::string(without_time(pair.runner0)), false, pair.runner0},
                                  {std::string(without_time(pair.runner1)), false, pair.runner1},
                                  {"Difference", true, "Absolute"}},
                      .rows = {}};
    for (size_t i = 0; i < std::min(kDetailed, failing.size()); ++i) {
      for (const ElementDifference& one : failing[i]->second.worst) {
        table.rows.push_back({.cells = {failing[i]->first, py_tuple_repr(one.index), one.first,
                                        one.second, one.difference}});
      }
    }
    if (!table.rows.empty()) sections_.emplace_back(std::move(table));
  }

  static std::string both_of(const Pair& pair) {
    return fmt::format("{} vs. {}", without_time(pair.runner0), without_time(pair.runner1));
  }

  static bool is_bad(const Entry* entry) { return entry->second.failed > 0; }

  static std::string shape_text(const TensorInfo& info) {
    Shape shape;
    for (const Dim& dim : *info.shape) shape.push_back(dim.value());
    return py_tuple_repr(shape);
  }

  // Those of both sides, where they are not the same.
  static std::string shapes_text(const ComparisonReport::Tensor& tensor) {
    const std::string one = shape_text(tensor.info0), other = shape_text(tensor.info1);
    return one == other ? one : one + " and " + other;
  }

  // NaN where there are no elements to compare: the shapes do not match.
  static double greatest_of(const ComparisonReport::Tensor& tensor) {
    const bool apart = tensor.failed > 0 && tensor.worst.empty() &&
                       shape_text(tensor.info0) != shape_text(tensor.info1);
    return apart ? std::numeric_limits<double>::quiet_NaN() : tensor.greatest;
  }

  std::string place(const Entry& entry) const {
    const Layer* layer = report_.layer(entry.first);
    if (!layer) return entry.first;
    return fmt::format("{}, of node {} {}({})", entry.first, layer->order,
                       layer->name.empty() ? "" : layer->name + " ", layer->op);
  }

  const ComparisonReport& report_;
  const ReportFacts& facts_;
  std::vector<ReportSection> sections_;
};

}  // namespace

std::vector<ReportSection> comparison_sections(const ComparisonReport& report,
                                               const ReportFacts& facts) {
  return Sections(report, facts).all();
}

}  // namespace polygraphy
