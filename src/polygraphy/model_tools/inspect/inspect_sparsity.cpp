#include "polygraphy/model_tools/inspect/inspect_sparsity.h"

#include <fmt/format.h>

#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "graphsurgeon/passes/sparsity.h"
#include "polygraphy/data/tensors/metadata.h"
#include "polygraphy/models/loaders/load_onnx.h"

namespace polygraphy {

InspectedSparsity inspect_sparsity(const ModelSource& source, Logger& log) {
  InspectedSparsity result{std::move(*load_onnx(source, log)), {}};
  for (const auto& weight : graphsurgeon::check_sparsity(result.model, log)) {
    result.sparse.emplace_back(weight->name());
  }
  return result;
}

std::vector<ReportSection> sparsity_sections(const InspectedSparsity& result) {
  Logger silent;
  const std::unordered_set<std::string_view> sparse(result.sparse.begin(), result.sparse.end());
  std::unordered_map<std::string_view, const graphsurgeon::Tensor*> candidates;
  for (const auto& one : graphsurgeon::find_sparsity_candidates(result.model, silent))
    candidates.emplace(one.weight->name(), one.weight.get());
  ReportTable table{
      .title = "Weights",
      .columns = {{"Sparsity", false, "2:4: two of every four neighbours are 0", true},
                  {"Weight", false, {}},
                  {"Shape", false, {}},
                  {"Node", false, {}},
                  {"Operator", false, {}},
                  {"Tensor", false, {}}},
      .nodes = ReportTable::Nodes{.keys = {"Node", "Tensor"}, .outcome = "Sparsity"}};
  for (const graphsurgeon::NodeRef& node : result.model.graph->nodes()) {
    for (const graphsurgeon::Tensor* input : node->inputs()) {
      const auto found = candidates.find(input->name());
      if (found == candidates.end() || found->second != input || node->outputs().empty()) continue;
      const bool is_sparse = sparse.contains(input->name());
      const auto text = [](std::string_view name) { return std::string(name); };
      ReportTable::Row row{.mark = is_sparse ? ReportMark::kGood : ReportMark::kNone};
      row.cells = {text(is_sparse ? "2:4" : "none"),
                   text(input->name()),
                   shape_text(input->shape().value_or(graphsurgeon::DimList())),
                   text(node->name()),
                   text(node->op()),
                   text(node->outputs()[0]->name())};
      table.rows.push_back(std::move(row));
    }
  }
  std::vector<ReportSection> sections;
  sections.emplace_back(
      ReportVerdict{.headline = fmt::format("{} of {} weights have 2:4 structured sparsity",
                                            sparse.size(), candidates.size())});
  sections.emplace_back(std::move(table));
  return sections;
}

}  // namespace polygraphy
