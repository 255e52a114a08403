#include "cli/surgery.h"

#include "cli/args/data_loader.h"
#include "cli/args/onnx_loading.h"
#include "cli/plugin_paths.h"
#include "cli/unsupported_options.h"
#include "cli/user_scripts.h"
#include "graphsurgeon/diff/diff.h"
#include "graphsurgeon/io/load.h"
#include "polygraphy/backend/bundled_engine.h"
#include "polygraphy/inspect/diff_text.h"
#include "polygraphy/inspect/model_text.h"
#include "polygraphy/loaders/prepare_model.h"
#include "polygraphy/surgeon/fallback_shapes.h"

namespace polygraphy::cli {
namespace {

constexpr std::string_view kModule = "tools/surgeon/subtool/base.py";

ModelArgs resolve_onnx_model(Session& session) {
  check_for_unsupported_options(session.args(), session.log());
  return resolve_model(session.args(), session.env(), session.log());
}

}  // namespace

void show_model(const graphsurgeon::Model& model, std::string_view title, Logger& log) {
  if (!log.enabled(Severity::kInfo, kModule)) return;
  std::string text = std::string(title) + ":\n" + model_text(model, {}, log);
  while (text.ends_with('\n')) text.pop_back();
  log.info(kModule, text + "\n\n");
}

Metadata observe_model(Session& session, const graphsurgeon::Model& model, const Metadata& shapes,
                       const std::vector<graphsurgeon::TensorRef>& tensors, Logger& log) {
  DataLoaderArgs inputs = resolve_data_loader(session.args(), session.env(), shapes, log);
  inputs.options.announce_shapes = false;
  use_graph_of(model, inputs);
  const auto feeds = make_feeds(inputs, make_user_python(session.env(), log), log);
  BundledEngine engine(resolve_plugin_paths(session.env()), log);
  return observe_shapes(engine, model, tensors, *feeds, log);
}

Surgery::Surgery(Session& session)
    : session_(session),
      model_args_(resolve_onnx_model(session)),
      source_(resolve_model_source(session.args(), session.env(), model_args_.path)),
      saving_(resolve_onnx_saving(session.args(), session.env())) {
  if (!source_.ignore_external_data) return;
  // What is not looked at cannot be copied: references stay as they are written, wherever the
  // result goes.
  saving_.options.share_external_data = true;
  saving_.options.keep_references = true;
}

std::unique_ptr<graphsurgeon::Model> Surgery::open(Logger& log, const Edit& more) const {
  auto model = load_onnx(source_, log);
  if (!source_.ignore_external_data) graphsurgeon::check_external_data(*model);
  if (more) more(*model);
  show_model(*model, "Original Model", log);
  return model;
}

graphsurgeon::Model& Surgery::load() {
  model_ = open(session_.log());
  return *model_;
}

void Surgery::say_what_changed() const {
  Logger& log = session_.log();
  if (!log.enabled(Severity::kVerbose, kModule)) return;
  try {
    const auto before = load_as_is(source_);
    graphsurgeon::DiffOptions what;
    what.read_weights = false;
    log.verbose(kModule,
                "What changed: " + diff_summary(graphsurgeon::diff(before, *model_, what)));
  } catch (const Error& error) {
    // The surgery itself went well.
    log.verbose(kModule, std::string("What changed cannot be told: ") + error.what());
  }
}

int Surgery::save() {
  say_what_changed();  // while the input is still there: the result may replace it
  save_onnx(*model_, saving_, session_.log());
  show_model(*model_, "New Model", session_.log());
  session_.discard(std::move(model_));
  return 0;
}

}  // namespace polygraphy::cli
