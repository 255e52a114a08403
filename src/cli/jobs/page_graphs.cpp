#include "cli/jobs/page_graphs.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "base/error.h"
#include "cli/syntax/parser.h"
#include "polygraphy/model_tools/visual/visualize_onnx.h"
#include "polygraphy/models/loaders/load_onnx.h"

namespace polygraphy::cli {
namespace {

bool has_nodes(const ReportSection& section) {
  const auto* table = std::get_if<ReportTable>(&section);
  return table && table->nodes && !table->rows.empty();
}

std::unique_ptr<graphsurgeon::Model> model_of(ModelSource source) {
  source.outputs = source.exclude_outputs = source.outputs_by_type = source.also_outputs = {};
  Logger silent;
  return load_onnx(source, silent);
}

std::string file_of(const ModelSource& model) {
  return std::filesystem::path(model.path).filename();
}

}  // namespace

void add_graphs(const Session& session, const std::vector<ModelSource>& models, ReportPage& page,
                const PartnersOf& partners_of) {
  if (!session.args().has("--report") || std::ranges::none_of(page.sections, has_nodes)) return;
  Logger silent;
  std::vector<std::unique_ptr<graphsurgeon::Model>> loaded;
  std::vector<VisualModel> visual;
  for (const ModelSource& model : models) {
    if (model.format != kOnnxFormat || model.path.empty()) return;
    try {
      loaded.push_back(model_of(model));
      visual.push_back(visualize(*loaded.back(), silent));
      const bool is_known = std::ranges::count(models, file_of(model), file_of) == 1;
      visual.back().title = is_known ? file_of(model) : model.path;
    } catch (const Error&) {
      return;  // the page says why: the command could not read it either
    }
  }
  if (models.size() == 1 && session.args().syntax().find("model_file"))
    visual.front().path = session.args().text("model_file").value_or(std::string());
  const bool pair = loaded.size() == 2 && partners_of;
  page.sections.push_back(graphs_section(
      visual, "Graph", pair ? partners_of(*loaded[0], *loaded[1]) : TensorPartners()));
}

}  // namespace polygraphy::cli
