#include "cli/jobs/annotated_model.h"

#include <fmt/format.h>

#include <string>
#include <unordered_map>
#include <utility>
#include <variant>

#include "cli/args/model.h"
#include "pictures/report_page/report_form.h"
#include "polygraphy/models/loaders/load_onnx.h"
#include "polygraphy/models/loaders/save_onnx.h"

namespace polygraphy::cli {
namespace {

constexpr std::string_view kAnnotatedModel = "--annotated-model";
constexpr std::string_view kPrefix = "polygraphy.";

using Nodes = std::unordered_map<std::string_view, graphsurgeon::Node*>;

// By their names and by the tensors that they make, in all graphs.
Nodes nodes_of(graphsurgeon::Graph& graph) {
  Nodes nodes;
  const auto add = [&](graphsurgeon::Graph& one) {
    for (const graphsurgeon::NodeRef& node : one.nodes()) {
      if (!node->name().empty()) nodes.emplace(node->name(), node.get());
      for (const graphsurgeon::Tensor* output : node->outputs())
        nodes.emplace(output->name(), node.get());
    }
  };
  add(graph);
  for (const graphsurgeon::GraphRef& inner : graph.subgraphs(true)) add(*inner);
  return nodes;
}

std::string text_of(const ReportTable::Cell& cell) {
  if (const auto* number = std::get_if<double>(&cell)) return fmt::format("{:.6g}", *number);
  const auto* text = std::get_if<std::string>(&cell);
  return text ? *text : std::string();
}

void annotate(const ReportTable& table, const Nodes& nodes) {
  std::vector<std::string> columns = table.nodes->figures;
  if (const std::string outcome = outcome_column(table); !outcome.empty())
    columns.insert(columns.begin(), outcome);
  for (const ReportTable::Row& row : table.rows) {
    graphsurgeon::Node* node = nullptr;
    for (const std::string& key : table.nodes->keys) {
      const auto found = nodes.find(text_of(row.cells[column_of(table, key)]));
      if (!node && found != nodes.end()) node = found->second;
    }
    if (!node) continue;
    for (const std::string& column : columns) {
      const std::string value = text_of(row.cells[column_of(table, column)]);
      if (!value.empty()) node->set_metadata(std::string(kPrefix) + column, value);
    }
  }
}

void set_metadata(graphsurgeon::Model& model, const std::string& key, const std::string& value) {
  std::erase_if(model.metadata, [&](const auto& entry) { return entry.first == key; });
  model.metadata.emplace_back(key, value);
}

}  // namespace

bool wants_annotated_model(const Session& session) {
  const ParsedArgs& args = session.args();
  if (!args.has(kAnnotatedModel)) return false;
  if (args.syntax().find("model_file") && args.has("model_file")) return true;
  throw Error(std::string(kAnnotatedModel) + ": this command has no model to copy");
}

void write_annotated_model(Session& session, const ReportPage& page) {
  const ParsedArgs& args = session.args();
  Logger silent;
  const ModelSource source = resolve_model(args, session.env(), silent);
  if (source.format != kOnnxFormat)
    throw Error(fmt::format("{}: {} is not an ONNX model", kAnnotatedModel, source.path));
  // As it is, without further outputs.
  const auto model =
      load_onnx({.path = source.path, .external_data_dir = source.external_data_dir}, silent);
  const Nodes nodes = nodes_of(*model->graph);
  for (const ReportSection& section : page.sections) {
    const auto* table = std::get_if<ReportTable>(&section);
    if (table && table->nodes) annotate(*table, nodes);
  }
  if (const ReportVerdict* verdict = report_verdict_of(page))
    set_metadata(*model, std::string(kPrefix) + "verdict", verdict->headline);
  const std::string typed(*args.text(kAnnotatedModel));
  save_onnx(*model, {.typed = typed, .path = session.env().path(typed)}, session.log());
}

}  // namespace polygraphy::cli
