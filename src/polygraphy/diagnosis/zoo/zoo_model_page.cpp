#include "polygraphy/diagnosis/zoo/zoo_model_page.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/size_text.h"
#include "base/text.h"
#include "polygraphy/comparison/verdict/verdict_page.h"
#include "polygraphy/diagnosis/zoo/zoo_mark.h"

namespace polygraphy {
namespace {

constexpr size_t kLongestName = 80;

// With characters that all file systems and shells take as they are.
std::string plain_name(std::string name) {
  for (char& c : name) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                       c == '_' || c == '.' || c == '-';
    if (!plain) c = '-';
  }
  return name;
}

std::string line_of(const ZooModelResult& model, const ZooEngineResult& engine) {
  std::string line = fmt::format("{}: {}", engine.engine.empty() ? "all engines" : engine.engine,
                                 name_of(engine.outcome));
  if (!passed(engine.outcome)) line += fmt::format(" (stage: {})", name_of(engine.stage));
  if (engine.engine == model.reference) line += ", the reference of the others";
  return line;
}

ReportFigures figures_of(const ZooEngineResult& engine) {
  ReportFigures figures{.title = engine.engine,
                        .figures = {{"Outcome", std::string(name_of(engine.outcome))},
                                    {"Stage", std::string(name_of(engine.stage))}}};
  const auto add = [&](const char* name, const std::string& value) {
    figures.figures.emplace_back(name, value);
  };
  if (engine.excess) add("Largest error / allowed", fmt::format("{:.4g}", *engine.excess));
  const ZooCost& cost = engine.cost;
  if (cost.load_seconds) add("Load", fmt::format("{:.3g} s", *cost.load_seconds));
  if (cost.run_seconds) add("Run", fmt::format("{:.3g} s", *cost.run_seconds));
  if (cost.peak_bytes) add("Peak memory", size_text(*cost.peak_bytes));
  return figures;
}

ReportTable outputs_of(const ZooEngineResult& engine) {
  ReportTable table{
      .title = "Outputs of " + engine.engine,
      .columns = {{"Output", false, {}}, {"Verdict", false, {}}, {"Error / allowed", true, {}}},
      .rows = {}};
  for (const JudgedUnit& output : engine.outputs) {
    ReportTable::Row row{
        .cells = {output.name, std::string(name_of(output.agreement)), ReportTable::Cell()},
        .mark = mark_of(output.agreement)};
    if (output.excess) row.cells[2] = *output.excess;
    table.rows.push_back(std::move(row));
  }
  return table;
}

void add_engine(const ZooEngineResult& engine, std::vector<ReportSection>& sections) {
  sections.emplace_back(figures_of(engine));
  const std::string& text = engine.details.empty() ? engine.reason : engine.details;
  if (!text.empty()) sections.emplace_back(ReportNotes{.title = {}, .lines = {text}});
  if (engine.reduced) {
    sections.emplace_back(ReportNotes{
        .title = "The smallest model that crashes " + engine.engine,
        .lines = {fmt::format("Nodes: {}. Its file lies beside this page, with the end -{}.onnx.",
                              engine.reduced->nodes, plain_name(engine.engine))}});
  }
  if (!engine.guilty.empty()) {
    ReportTable table{.title = "Guilty nodes on " + engine.engine,
                      .columns = {{"Node", false, {}}, {"Operator", false, {}}},
                      .rows = {},
                      .nodes = ReportTable::Nodes{.keys = {"Node"}}};
    for (const std::string& node : engine.guilty) {  // "Relu_3 (Relu)"
      const size_t at = node.rfind(" (");
      table.rows.push_back(
          {.cells = {node.substr(0, at), node.substr(at + 2, node.size() - at - 3)},
           .mark = ReportMark::kBad});
    }
    sections.emplace_back(std::move(table));
  }
  if (!engine.outputs.empty()) sections.emplace_back(outputs_of(engine));
}

}  // namespace

std::string reduced_file_name(const ZooResult& result, size_t index, const std::string& engine) {
  std::string name = zoo_page_name(result, index);
  name.resize(name.rfind('.'));
  return name + "-" + plain_name(engine) + ".onnx";
}

std::string zoo_page_name(const ZooResult& result, size_t index) {
  const std::filesystem::path path(result.models.at(index).model);
  std::string name = (path.parent_path().filename() / path.stem()).native();
  if (name.size() > kLongestName) name = name.substr(name.size() - kLongestName);
  return fmt::format("{:04}-{}.html", index, plain_name(name));
}

std::vector<ReportSection> zoo_model_sections(
    const ZooModelResult& model, std::vector<std::pair<std::string, std::string>> commands) {
  std::vector<ReportSection> sections;
  const ZooOutcome outcome = model.outcome();
  const std::string account = model.account();
  ReportVerdict verdict{
      .mark = mark_of(outcome),
      .headline = to_upper(name_of(outcome)) + (account.empty() ? std::string() : ": " + account),
      .lines = {}};
  if (!model.problem.empty()) verdict.lines.push_back(model.problem);
  for (const ZooEngineResult& engine : model.engines)
    verdict.lines.push_back(line_of(model, engine));
  if (model.nodes > 0) verdict.lines.push_back(fmt::format("Nodes: {}", model.nodes));
  if (!model.inputs.empty()) {
    verdict.lines.push_back("Shapes of generated inputs: " + join(model.inputs, " "));
  }
  sections.emplace_back(std::move(verdict));
  if (!commands.empty()) {
    sections.emplace_back(
        ReportCommands{.title = "Commands to reproduce it", .commands = std::move(commands)});
  }
  for (const ZooEngineResult& engine : model.engines) add_engine(engine, sections);
  return sections;
}

}  // namespace polygraphy
