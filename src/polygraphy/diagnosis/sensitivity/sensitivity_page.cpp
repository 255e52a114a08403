#include "polygraphy/diagnosis/sensitivity/sensitivity_page.h"

#include <utility>

#include "base/text.h"
#include "polygraphy/diagnosis/sensitivity/sensitivity_text.h"

namespace polygraphy {

std::vector<ReportSection> sensitivity_sections(const SensitivityResult& result) {
  std::vector<ReportSection> sections;
  sections.emplace_back(
      ReportVerdict{.mark = result.verdict().passed() ? ReportMark::kGood : ReportMark::kBad,
                    .headline = sensitivity_summary(result),
                    .lines = result.notes});
  ReportTable table{.title = "Layers",
                    .columns = {{"Layer", false, {}},
                                {"Operator", false, {}},
                                {"Effect", true, "Relative error of the model's output"},
                                {"SQNR", true, "Of the layer's own output, in dB"},
                                {"Saved", true, "Bytes"},
                                {"Outlier", true, "Largest magnitude of a channel"},
                                {"Kurtosis", true, "Of that channel"},
                                {"Stays", false, "In floating point"}},
                    .rows = {}};
  for (const LayerSensitivity& layer : result.layers) {
    table.rows.push_back(
        {.cells = {join(layer.nodes, ", "), layer.op, layer.effect, layer.sqnr,
                   static_cast<double>(layer.saved()), layer.channels.outlier,
                   layer.channels.kurtosis, std::string(layer.kept ? "float" : "")},
         .mark = layer.kept ? ReportMark::kWarning : ReportMark::kNone});
  }
  sections.emplace_back(std::move(table));
  return sections;
}

}  // namespace polygraphy
