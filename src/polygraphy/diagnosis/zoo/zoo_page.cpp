#include "polygraphy/diagnosis/zoo/zoo_page.h"

#include "base/text.h"
#include "polygraphy/comparison/verdict/verdict_page.h"

namespace polygraphy {
namespace {

ReportMark mark_of(ZooOutcome outcome) {
  if (outcome == ZooOutcome::kPassed) return ReportMark::kGood;
  if (outcome == ZooOutcome::kNotCompared || outcome == ZooOutcome::kTooCoarse)
    return ReportMark::kWarning;
  return ReportMark::kBad;
}

ReportTable::Row row_of(const ZooModelResult& model, const ZooEngineResult& engine) {
  ReportTable::Row row{
      .cells = {model.model, static_cast<double>(model.nodes), engine.engine,
                std::string(name_of(engine.outcome)), ReportTable::Cell(), ReportTable::Cell(),
                join(std::span<const std::string>(engine.guilty), ", "), engine.reason},
      .mark = mark_of(engine.outcome)};
  if (engine.excess) row.cells[4] = *engine.excess;
  if (engine.seconds) row.cells[5] = *engine.seconds * 1e3;
  return row;
}

}  // namespace

std::vector<ReportSection> zoo_sections(const ZooResult& result) {
  std::vector<ReportSection> sections;
  sections.emplace_back(report_verdict(result.verdict()));
  ReportTable table{.title = "Models",
                    .columns = {{"Model", false, {}},
                                {"Nodes", true, {}},
                                {"Engine", false, {}},
                                {"Outcome", false, {}},
                                {"Error / allowed", true, "The largest of all outputs"},
                                {"ms", true, "One inference"},
                                {"Guilty", false, {}},
                                {"Reason", false, {}}},
                    .rows = {}};
  for (const ZooModelResult& model : result.models) {
    if (!model.problem.empty()) {
      const ZooEngineResult none{
          .engine = "", .outcome = ZooOutcome::kNotLoaded, .reason = model.problem};
      table.rows.push_back(row_of(model, none));
    }
    for (const ZooEngineResult& engine : model.engines) table.rows.push_back(row_of(model, engine));
  }
  sections.emplace_back(std::move(table));
  return sections;
}

}  // namespace polygraphy
