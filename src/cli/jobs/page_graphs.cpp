#include "cli/jobs/page_graphs.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <variant>

#include "base/error.h"
#include "cli/syntax/parser.h"
#include "polygraphy/model_tools/visual/viewer_page.h"
#include "polygraphy/model_tools/visual/visualize_onnx.h"
#include "polygraphy/models/loaders/load_onnx.h"

namespace polygraphy::cli {
namespace {

bool has_nodes(const ReportSection& section) {
  const auto* table = std::get_if<ReportTable>(&section);
  return table && table->nodes && !table->rows.empty();
}

VisualModel visual_model(ModelSource source) {
  source.outputs = source.exclude_outputs = source.outputs_by_type = source.also_outputs = {};
  Logger silent;
  return visualize(*load_onnx(source, silent), silent);
}

std::string file_of(const ModelSource& model) {
  return std::filesystem::path(model.path).filename();
}

}  // namespace

void add_graphs(const Session& session, const std::vector<ModelSource>& models, ReportPage& page) {
  if (!session.args().has("--report") || std::ranges::none_of(page.sections, has_nodes)) return;
  std::vector<VisualModel> visual;
  for (const ModelSource& model : models) {
    if (model.format != kOnnxFormat || model.path.empty()) return;
    try {
      visual.push_back(visual_model(model));
      const bool is_known = std::ranges::count(models, file_of(model), file_of) == 1;
      visual.back().title = is_known ? file_of(model) : model.path;
    } catch (const Error&) {
      return;  // the page says why: the command could not read it either
    }
  }
  if (models.size() == 1)
    visual.front().path = session.args().text("model_file").value_or(std::string());
  page.sections.push_back(graphs_section(visual, "Graph"));
}

}  // namespace polygraphy::cli
