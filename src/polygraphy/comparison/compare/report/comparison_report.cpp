#include "polygraphy/comparison/compare/report/comparison_report.h"

#include <fmt/format.h>

#include <cmath>

#include "base/arrays/py_repr.h"
#include "base/log.h"
#include "base/text.h"
#include "base/text_table.h"
#include "numerics/difference.h"
#include "pictures/heatmap.h"
#include "polygraphy/comparison/compare/metrics/shared/match_shapes.h"

namespace polygraphy {
namespace {

constexpr int kDigits = 5;  // of figures in tables, as in the log

std::string count_of(int64_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string described(const Layer& layer) {
  return fmt::format("node {} {} [Op: {}]", layer.order,
                     layer.name.empty() ? "(unnamed)" : py_str_repr(layer.name), layer.op);
}

std::string table(const std::vector<std::vector<std::string>>& rows, const std::string& margin) {
  std::string text;
  for (const std::string& line : table_lines(rows)) text += margin + line + "\n";
  return text;
}

std::optional<MagnitudeHistogram> differences_of(const Array& a, const std::optional<Array>& b) {
  if (!b || !Difference::possible(a.dtype(), b->dtype())) return std::nullopt;
  Difference difference(a, *b, {}, true);
  return magnitude_histogram(difference.absolute());
}

// The rank of iterations of one tensor: failing ones before others, then by the worst element.
double greatest_of(const std::vector<ElementDifference>& worst) {
  if (worst.empty()) return 0;
  const double difference = worst.front().difference;
  return std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference;
}

}  // namespace

Layers layers_of(const graphsurgeon::Graph& graph) {
  Layers layers;
  int64_t order = 0;
  for (const graphsurgeon::NodeRef& node : graph.nodes()) {
    for (const graphsurgeon::Tensor* output : node->outputs()) {
      if (output->is_empty()) continue;
      layers.set(std::string(output->name()),
                 {order, std::string(node->name()), std::string(node->op())});
    }
    ++order;
  }
  return layers;
}

ComparisonReport::Pair& ComparisonReport::pair_of(std::string_view runner0,
                                                  std::string_view runner1) {
  for (Pair& pair : pairs_) {
    if (pair.runner0 == runner0 && pair.runner1 == runner1) return pair;
  }
  return pairs_.emplace_back(Pair{std::string(runner0), std::string(runner1)});
}

void ComparisonReport::unpaired(std::string_view runner0, std::string_view runner1,
                                std::string_view owner, std::string_view output) {
  pair_of(runner0, runner1).unpaired.set(std::string(output), std::string(owner));
}

// Only the worst kDrawn of a pair keep their pictures.
void ComparisonReport::draw(const Array& a, const Array& b, Pair& pair, Tensor& tensor,
                            std::string_view name) {
  tensor.heatmap.clear();
  if (a.size() < 2 || !Difference::possible(a.dtype(), b.dtype())) return;
  size_t drawn = 0;
  Tensor* least = nullptr;
  for (auto& [other, drawn_one] : pair.tensors) {
    if (drawn_one.heatmap.empty()) continue;
    ++drawn;
    if (!least || drawn_one.greatest < least->greatest) least = &drawn_one;
  }
  if (drawn == kDrawn && least->greatest >= tensor.greatest) return;
  if (drawn == kDrawn) least->heatmap.clear();
  Difference difference(a, b, {}, true);
  tensor.heatmap =
      heatmap_svg(difference.absolute(), "Absolute differences of " + std::string(name));
}

void ComparisonReport::compared(const ComparedOutput& output) {
  Pair& pair = pair_of(output.runner0, output.runner1);
  Tensor& tensor = pair.tensors[std::string(output.name0)];
  const bool first = tensor.iterations == 0;
  ++tensor.iterations;
  if (!output.passed) ++tensor.failed;

  Logger quiet;
  std::vector<ElementDifference> worst;
  const auto b = match_shape(output.b, output.a.shape(), quiet);
  if (b) worst = worst_elements(output.a, *b, elements_);
  const double greatest = greatest_of(worst);
  const bool graver = output.passed == tensor.passed ? greatest > tensor.greatest : !output.passed;
  if (!first && !graver) return;

  tensor.name1 = output.name1;
  tensor.info0 = info_of(output.a);
  tensor.info1 = info_of(output.b);
  tensor.iteration = output.iteration;
  tensor.passed = output.passed;
  tensor.greatest = greatest;
  tensor.worst = std::move(worst);
  if (counts_differences_ && !output.passed) {
    tensor.differences = differences_of(output.a, b);
    if (b) draw(output.a, *b, pair, tensor, output.name0);
  }
  tensor.results.clear();
  for (const OutputResult* result : output.results) tensor.results.push_back(*result);
}

void ComparisonReport::validated(int64_t iteration, std::string_view runner,
                                 std::string_view output, bool valid) {
  Validated& found = validated_[std::string(runner)][std::string(output)];
  ++found.iterations;
  if (!valid && found.invalid++ == 0) found.first = iteration;
}

void ComparisonReport::write_tensor(std::string& out, const Pair& pair, const std::string& name,
                                    const Tensor& tensor) const {
  out +=
      fmt::format("\n  {} | {}", tensor.failed ? "FAILED" : "PASSED", to_text(name, tensor.info0));
  if (tensor.name1 != name || brackets_text(tensor.info0) != brackets_text(tensor.info1)) {
    out += " with " + to_text(tensor.name1, tensor.info1);
  }
  out += "\n";
  if (const Layer* made_by = layer(name)) out += "    Layer: " + described(*made_by) + "\n";
  if (tensor.iterations > 1) {
    out += fmt::format("    {} of {} failed; iteration {}, the worst:\n", tensor.failed,
                       count_of(tensor.iterations, "iteration"), tensor.iteration);
  }
  for (const OutputResult& result : tensor.results) {
    std::string figures;
    for (const auto& [figure, value] : known_figures(result))
      figures +=
          fmt::format("{}{}={}", figures.empty() ? " | " : ", ", figure, format_g(value, kDigits));
    out += fmt::format("    {}: {}{}\n", name_of(*result.metric),
                       result.passed ? "passed" : "failed", figures);
  }
  if (tensor.worst.empty()) {
    const bool equal = tensor.info0.dtype == tensor.info1.dtype && !tensor.failed;
    out += equal ? "    No element differs.\n" : "    Elements cannot be subtracted.\n";
    return;
  }
  std::vector<std::vector<std::string>> rows{{"index", pair.runner0, pair.runner1, "difference"}};
  for (const ElementDifference& one : tensor.worst) {
    rows.push_back(
        {py_tuple_repr(one.index), one.first, one.second, format_g(one.difference, kDigits)});
  }
  out += "    Worst elements:\n" + table(rows, "      ");
}

void ComparisonReport::write_pair(std::string& out, const Pair& pair) const {
  const auto tensors = in_order(pair.tensors);
  const auto bad = [](const auto* entry) { return entry->second.failed > 0; };
  const auto failed = std::count_if(tensors.begin(), tensors.end(), bad);
  out += fmt::format("\n{} vs. {}: {} of {} matched\n", pair.runner0, pair.runner1,
                     static_cast<int64_t>(tensors.size()) - failed,
                     count_of(static_cast<int64_t>(tensors.size()), "tensor"));
  const auto first = std::find_if(tensors.begin(), tensors.end(), bad);
  if (first != tensors.end()) {
    const Layer* made_by = layer((*first)->first);
    out += fmt::format("  First bad layer in the order of the graph: {}, tensor {}\n",
                       made_by ? described(*made_by) : "(unknown)", py_str_repr((*first)->first));
  }
  // Failing tensors come first.
  for (const bool failing : {true, false}) {
    for (const auto* entry : tensors) {
      if (bad(entry) == failing) write_tensor(out, pair, entry->first, entry->second);
    }
  }
}

void ComparisonReport::write_validated(std::string& out, const std::string& runner,
                                       const ValidatedOutputs& outputs) const {
  const auto sorted = in_order(outputs);
  const auto invalid = std::count_if(sorted.begin(), sorted.end(),
                                     [](const auto* entry) { return entry->second.invalid > 0; });
  const auto all = static_cast<int64_t>(sorted.size());
  out += fmt::format("\n{}: {} of {} without NaN and infinity\n", runner, all - invalid,
                     count_of(all, "tensor"));
  for (const auto* entry : sorted) {
    const auto& [name, found] = *entry;
    if (found.invalid == 0) continue;
    out += fmt::format("  INVALID | {} holds NaN or infinity in {} of {}, first in iteration {}\n",
                       name, found.invalid, count_of(found.iterations, "iteration"), found.first);
    if (const Layer* made_by = layer(name)) out += "    Layer: " + described(*made_by) + "\n";
  }
}

std::string ComparisonReport::text(const ReportFacts& facts) const {
  std::string out = fmt::format("Command: {}\n", facts.command);
  if (!facts.model.empty()) out += fmt::format("Model: {}\n", facts.model);
  out += fmt::format("Verdict: {}\n", facts.status);
  if (facts.verdict) out += headline(*facts.verdict) + "\n";
  for (const auto& [what, path] : facts.files) out += fmt::format("{}: {}\n", what, path);
  for (const auto& [runner, outputs] : validated_) write_validated(out, runner, outputs);
  if (pairs_.empty() && validated_.empty()) out += "\nNo outputs were compared.\n";
  for (const Pair& pair : pairs_) write_pair(out, pair);
  return out;
}

}  // namespace polygraphy
