#include "polygraphy/diagnosis/sensitivity/sensitivity_page.h"

#include <utility>

#include "polygraphy/diagnosis/sensitivity/sensitivity_text.h"

namespace polygraphy {

std::vector<ReportSection> sensitivity_sections(const SensitivityResult& result) {
  std::vector<ReportSection> sections;
  sections.emplace_back(
      ReportVerdict{.mark = result.verdict().passed() ? ReportMark::kGood : ReportMark::kBad,
                    .headline = sensitivity_summary(result),
                    .lines = result.notes});
  const bool tokens = has_tokens(result);
  ReportTable table{
      .title = "Layers",
      .columns = {{"Layer", false, {}},
                  {"Operator", false, {}},
                  {"Effect", true, "Relative error of the model's output"}},
      .rows = {},
      .nodes = ReportTable::Nodes{.keys = {"Layer"}, .figures = {"Effect", "SQNR", "Saved"}}};
  if (tokens) {
    table.columns.push_back(
        {"KL", true, "Mean divergence of the distributions of tokens, in nats"});
    table.columns.push_back({"Top-1", true, "Share of rows that prefer the same token"});
  }
  const std::vector<ReportTable::Column> rest = {
      {"SQNR", true, "Of the layer's own output, in dB"},
      {"Saved", true, "Bytes"},
      {"Outlier", true, "Largest magnitude of a channel"},
      {"Kurtosis", true, "Of that channel"},
      {"Stays", false, "In floating point"}};
  table.columns.insert(table.columns.end(), rest.begin(), rest.end());
  for (const LayerSensitivity& layer : result.layers) {
    ReportTable::Row row{.cells = {layer_name(layer, result), layer.op, layer.effect},
                         .mark = layer.kept ? ReportMark::kWarning : ReportMark::kNone};
    if (tokens) {
      const TokenEffect effect = layer.tokens.value_or(TokenEffect());
      row.cells.insert(row.cells.end(), {effect.divergence, effect.same_top});
    }
    row.cells.insert(row.cells.end(),
                     {layer.sqnr, static_cast<double>(layer.saved()), layer.channels.outlier,
                      layer.channels.kurtosis, std::string(layer.kept ? "float" : "")});
    table.rows.push_back(std::move(row));
  }
  sections.emplace_back(std::move(table));
  return sections;
}

}  // namespace polygraphy
