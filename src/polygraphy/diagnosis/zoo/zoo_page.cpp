#include "polygraphy/diagnosis/zoo/zoo_page.h"

#include "base/text.h"
#include "polygraphy/comparison/verdict/verdict_page.h"
#include "polygraphy/diagnosis/zoo/zoo_mark.h"
#include "polygraphy/diagnosis/zoo/zoo_model_page.h"

namespace polygraphy {
namespace {

ReportTable::Row row_of(const ZooModelResult& model, const ZooEngineResult& engine) {
  ReportTable::Row row{
      .cells = {model.model, static_cast<double>(model.nodes), engine.engine,
                std::string(name_of(engine.outcome)), std::string(name_of(engine.stage)),
                ReportTable::Cell(), ReportTable::Cell(), ReportTable::Cell(), ReportTable::Cell(),
                join(engine.guilty, ", "), engine.reason},
      .mark = mark_of(engine.outcome),
      .seconds = engine.cost.load_seconds};
  if (engine.excess) row.cells[5] = *engine.excess;
  const ZooCost& cost = engine.cost;
  if (cost.load_seconds) row.cells[6] = *cost.load_seconds * 1e3;
  if (cost.run_seconds) {
    row.cells[7] = *cost.run_seconds * 1e3;
    if (row.seconds) *row.seconds += *cost.run_seconds;
  }
  if (cost.peak_bytes) row.cells[8] = static_cast<double>(*cost.peak_bytes >> 20);
  return row;
}

ReportTable stages_of(const ZooResult& result) {
  ReportTable table{.title = "Stages", .columns = {{"Models that pass", false, {}}}, .rows = {}};
  for (size_t i = 0; i + 1 < kZooStages; ++i)
    table.columns.push_back({std::string(name_of(static_cast<ZooStage>(i))), true, {}});
  for (const ZooStageCounts& counts : stage_counts(result)) {
    ReportTable::Row& row = table.rows.emplace_back();
    row.cells.emplace_back(counts.engine);
    for (size_t i = 0; i + 1 < kZooStages; ++i)
      row.cells.emplace_back(static_cast<double>(counts.passed(static_cast<ZooStage>(i))));
  }
  return table;
}

}  // namespace

std::vector<ReportSection> zoo_sections(const ZooResult& result, const std::string& folder) {
  std::vector<ReportSection> sections;
  sections.emplace_back(report_verdict(result.verdict()));
  sections.emplace_back(stages_of(result));
  ReportTable table{
      .title = "Models",
      .columns = {{"Model", false, {}},
                  {"Nodes", true, {}},
                  {"Engine", false, {}, true},
                  {"Outcome", false, {}, true},
                  {"Stage", false, "Where it failed", true},
                  {"Error / allowed", true, "The largest of all outputs"},
                  {"Load ms", true, {}},
                  {"Run ms", true, "One inference"},
                  {"Peak MiB", true, "Memory of the engine's processes"},
                  {"Guilty", false, {}},
                  {"Reason", false, {}}},
      .rows = {},
      .cases = ReportTable::Cases{.name = {"Model"}, .outcome = "Outcome", .suite = "Engine"}};
  for (size_t i = 0; i < result.models.size(); ++i) {
    const ZooModelResult& model = result.models[i];
    const std::string link =
        folder.empty() ? "" : relative_url(folder + "/" + zoo_page_name(result, i));
    const auto add = [&](const ZooEngineResult& engine) {
      table.rows.push_back(row_of(model, engine));
      table.rows.back().link = link;
    };
    if (!model.problem.empty()) add(not_set_up(model));
    for (const ZooEngineResult& engine : model.engines) add(engine);
  }
  sections.emplace_back(std::move(table));
  return sections;
}

}  // namespace polygraphy
