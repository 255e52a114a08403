// `polygraphy inspect model`.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/log_modules.h"
#include "base/os/atomic_file.h"
#include "base/os/child_process.h"
#include "base/os/file_text.h"
#include "base/os/scratch_folder.h"
#include "base/text.h"
#include "cli/args/model.h"
#include "cli/args/onnx_loading.h"
#include "cli/args/visualization.h"
#include "cli/jobs/engine_job.h"
#include "cli/jobs/tf_model.h"
#include "cli/session/deferred_interrupts.h"
#include "cli/session/plugin_paths.h"
#include "cli/session/session.h"
#include "cli/syntax/command.h"
#include "polygraphy/model_tools/inspect/inspect_model.h"
#include "polygraphy/model_tools/surgeon/extract.h"
#include "polygraphy/model_tools/visual/graph_svg.h"
#include "polygraphy/model_tools/visual/neighbourhood.h"
#include "polygraphy/model_tools/visual/viewer_page.h"
#include "polygraphy/model_tools/visual/viewer_server.h"
#include "polygraphy/model_tools/visual/visual_model.h"
#include "polygraphy/model_tools/visual/visualize_engine.h"
#include "polygraphy/model_tools/visual/visualize_onnx.h"
#include "polygraphy/models/loaders/load_onnx.h"
#include "polygraphy/models/tensorflow/convert_tensorflow.h"
#include "polygraphy/runtimes/compiled/combine_tensor_info.h"
#include "polygraphy/runtimes/compiled/engine_text.h"
#include "polygraphy/runtimes/compiled/network_text.h"
#include "polygraphy/runtimes/compiled/python_scripts.h"

namespace polygraphy::cli {

namespace {

constexpr GroupUse kGroups[] = {
    {&args_logging},
    {&args_required_model, "model_file --model-type"},
    {&args_engines, "--ckpt --freeze-graph --tf-signature --tf-lib"},
    {&args_onnx_shape_inference, "--shape-inference --no-onnxruntime-shape-inference"},
    {&args_onnx_loading, kLoadingOptions},
    {&args_engines,
     "--plugins --layer-precisions --decomposable-attentions --tensor-dtypes --all-tensor-dtypes "
     "--tensor-formats --all-tensor-formats --trt-network-postprocess-script "
     "--trt-network-func-name --strongly-typed --mark-debug "
     "--mark-unfused-tensors-as-debug-tensors --save-timing-cache --load-runtime "
     "--dla-workspace-allocation-strategy --onnx-flags --plugin-instancenorm "
     "--enable-uint8-asymmetric-quantization-dla --trt-lib --trt-driver"},
    {&args_visualization},
    {&args_backend_path},
};

constexpr Option kOptions[] = {
    {.spellings = "--convert-to --display-as",
     .help = "Show TensorRT's network of the model.",
     .choices = "trt"},
    {.spellings = "--show",
     .help = "Details to show besides inputs and outputs: layers (nodes and their tensors), attrs "
             "(with layers: their attributes), weights (values).",
     .arity = Arity::kOneOrMore,
     .choices = "layers attrs weights"},
    {.spellings = "--list-unbounded-dds",
     .help = "Also list the tensors with an unbounded data-dependent size.",
     .arity = Arity::kFlag},
    {.spellings = "--combine-tensor-info",
     .help =
         "For an engine, with --show layers: also the range and mean of the tensors in this file "
         "of saved outputs (`run --mark-unfused-tensors-as-debug-tensors --save-outputs FILE`).",
     .files = FileUse::kRead},
};

// In a separate session, so that Ctrl-C and the end of the command do not end it. Does nothing
// without a desktop.
void open_browser(const Environment& env, const std::string& url, Logger& log) {
  if (env.variable("DISPLAY").empty() && env.variable("WAYLAND_DISPLAY").empty()) return;
  try {
    ChildProcess browser({.argv = {"setsid", "--fork", "xdg-open", url},
                          .out = ChildStream::null(),
                          .err = ChildStream::null()});
    browser.wait();
  } catch (const Error& error) {
    log.verbose(log_modules::kViewer, std::string("No browser was opened: ") + error.what());
  }
}

// Throws Error.
std::string part_of_model(Session& session, const ModelSource& model, const PartOfModel& part) {
  const ScratchFolder folder(temporary_folder() + "/.polygraphy-part-");
  const std::string file = folder / "part.onnx";
  const auto ports = [](const std::vector<std::string>& names) {
    Metadata open;
    for (const std::string& name : names) open.set(name, {});
    return open;
  };
  const ExtractOptions options{.files = {.model = model, .output = {.path = file}},
                               .inputs = ports(part.inputs),
                               .outputs = ports(part.outputs),
                               .run = {.plugins = resolve_plugin_paths(session.env()),
                                       .cancel = cancel_token(session.env())}};
  const Extracted extracted = extract(options, session.log());
  if (!extracted.undefined.empty())
    throw Error("nothing makes '" + extracted.undefined.front() +
                "': make it an input of the part.");
  if (std::filesystem::exists(file + ".data"))
    throw Error(
        "the part exceeds the 2 GiB of one file: extract it by `polygraphy surgeon extract`.");
  return read_text(file);
}

void serve(Session& session, int port, VisualModel model, ExtractPart extract) {
  Environment& env = session.env();
  const DeferredInterrupts interrupts(env);
  ViewerServer server(std::move(model), port, std::move(extract));
  session.log().info(log_modules::kViewer,
                     "Viewer available at " + server.url() + "  (press Ctrl+C to exit)");
  env.out.flush();
  open_browser(env, server.url(), session.log());
  server.serve(cancel_token(env));
}

// Serves until Ctrl-C, or writes the file. Throws Error.
void show_in_viewer(Session& session, const VisualizationArgs& args, VisualModel model,
                    ExtractPart extract = {}) {
  if (args.around) model = neighbourhood(model, *args.around, args.depth);
  if (!args.save_path) return serve(session, args.port, std::move(model), std::move(extract));
  const bool picture = to_lower(*args.save_path).ends_with(".svg");
  write_file(*args.save_path, picture ? graph_svg(model) : viewer_page(model));
  session.log().info(
      log_modules::kViewer,
      (picture ? "Graph picture saved to " : "Viewer HTML saved to ") + *args.save_path);
}

struct Shown {
  bool layers, attrs, weights;
  std::optional<VisualizationArgs> visual;  // in a browser instead
};

Shown what_is_shown(Session& session) {
  const auto list = session.args().list("--show");
  const auto shows = [&](std::string_view what) {
    return std::find(list.begin(), list.end(), what) != list.end();
  };
  return {shows("layers"), shows("attrs"), shows("weights"),
          resolve_visualization(session.args(), session.env())};
}

void show_engine(Session& session, const ModelSource& model, const Shown& shown) {
  EngineDescription engine = describe_engine(resolve_engine_job(session, model), session.log());
  const auto saved = session.args().text("--combine-tensor-info");
  if (saved && (shown.layers || shown.visual))
    combine_tensor_info(engine, session.env().path(*saved), session.log());
  if (shown.visual) return show_in_viewer(session, *shown.visual, visualize(engine));
  session.log().info(log_modules::kInspectModel,
                     engine_text(engine, {.layers = shown.layers, .attrs = shown.attrs}));
}

void show_network(Session& session, const ModelSource& model, const Shown& shown) {
  const bool with_weights = shown.layers && shown.attrs && shown.weights && !shown.visual;
  const NetworkDescription network =
      describe_network(resolve_engine_job(session, model), session.log(), with_weights);
  if (shown.visual) return show_in_viewer(session, *shown.visual, visualize(network));
  session.log().info(log_modules::kInspectModel,
                     network_text(network, {shown.layers, shown.attrs, shown.weights}));
}

void show_tensorflow(Session& session, ModelSource model, const Shown& shown) {
  make_readable_for_tensorflow(session, model);
  refuse_folder(model);
  const NetworkDescription graph =
      describe_network(resolve_engine_job(session, model, {}, "tensorflow"), session.log());
  if (shown.visual) return show_in_viewer(session, *shown.visual, visualize(graph));
  session.log().info(log_modules::kInspectModel,
                     tensorflow_text(graph, {shown.layers, shown.attrs, shown.weights}));
}

void show_onnx(Session& session, const ModelSource& model, const Shown& shown) {
  if (shown.visual) {
    const auto loaded = load_onnx(model, session.log());
    VisualModel visual = visualize(*loaded, session.log(), kMostShownValues);
    visual.path = session.args().text("model_file").value();
    return show_in_viewer(session, *shown.visual, std::move(visual), [&](const PartOfModel& part) {
      return part_of_model(session, model, part);
    });
  }
  InspectModelOptions options;
  options.show = {shown.layers, shown.attrs, shown.weights};
  options.unbounded_sizes = session.args().has("--list-unbounded-dds");
  session.discard(
      std::make_unique<graphsurgeon::Model>(inspect_model(model, options, session.log())));
}

void warn_of_values_that_nothing_shows(Session& session, bool of_engine, const Shown& shown) {
  if (!session.args().has("--combine-tensor-info")) return;
  if (of_engine && (shown.layers || shown.visual)) return;
  session.log().warning(
      log_modules::kInspectModel,
      "--combine-tensor-info has no effect: it is for engines, with --show layers or --visual.");
}

int run_command(Session& session) {
  const ParsedArgs& args = session.args();
  ModelSource model = resolve_model(args, session.env(), session.log());
  const Shown shown = what_is_shown(session);
  warn_of_values_that_nothing_shows(session, model.format == kEngineFormat, shown);
  if (model.format == kEngineFormat) {
    show_engine(session, model, shown);
    return 0;
  }
  if (is_of_tensorflow(model.format) && !args.has("--convert-to")) {
    show_tensorflow(session, std::move(model), shown);
    return 0;
  }
  const bool is_script = model.format == kNetworkScriptFormat;
  require_script_or_make_onnx(session, model);
  if (is_script || args.has("--convert-to")) {
    show_network(session, model, shown);
  } else {
    show_onnx(session, model, shown);
  }
  return 0;
}

}  // namespace

extern constinit const Command command_inspect_model = {
    .path = "inspect model",
    .summary = "Show a model's inputs, outputs, layers, attributes and weights.",
    .description =
        "Show a model's inputs and outputs and, on request, its layers, their attributes and its "
        "weights.",
    .examples =
        "polygraphy inspect model model.onnx --show layers attrs weights\n"
        "polygraphy inspect model model.onnx --visual --save-visual graph.html",
    .order = 0,
    .groups = kGroups,
    .options = kOptions,
    .run = run_command,
};

}  // namespace polygraphy::cli
