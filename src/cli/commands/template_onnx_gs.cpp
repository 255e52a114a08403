// `polygraphy template onnx-gs`.
#include <filesystem>

#include "base/arrays/py_repr.h"
#include "base/os/atomic_file.h"
#include "base/version.h"
#include "cli/args/logging.h"
#include "cli/args/model.h"
#include "cli/args/onnx_loading.h"
#include "cli/args/onnx_shape_inference.h"
#include "cli/session.h"
#include "cli/syntax/command.h"
#include "cli/unsupported_options.h"
#include "polygraphy/codegen/onnx_loaders.h"

namespace polygraphy::cli {
namespace {

constexpr std::string_view kModule = "tools/template/subtool/onnx_gs.py";

constexpr GroupUse kGroups[] = {
    {&args_logging},
    {&args_required_model, "model_file --input-shapes"},
    {&args_onnx_shape_inference, "--shape-inference --no-onnxruntime-shape-inference"},
    {&args_onnx_loading,
     "--external-data-dir --ignore-external-data --onnx-outputs --onnx-exclude-outputs "
     "--onnx-outputs-by-type --fp-to-fp16"},
};

constexpr Option kOptions[] = {
    {.spellings = "-o --output",
     .help = "Where to write the script.",
     .type = ValueType::kPath,
     .required = true},
};

// "m.onnx" -> "m_updated.onnx"
std::string updated(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  return path.substr(0, path.size() - extension.size()) + "_updated" + extension;
}

std::string script(const ParsedArgs& args, const ModelSource& source,
                   const std::string& command_line) {
  OnnxLoaderOptions options;
  options.source = source;
  options.external_data_dir = args.text("--external-data-dir").value_or("");
  options.allow_onnxruntime = !args.has("--no-onnxruntime-shape-inference");
  PythonImports imports;
  imports.add("polygraphy", "mod");
  OnnxLoaders loaders(options, imports);
  loaders.load();
  loaders.add("load_gs", "GsFromOnnx");
  imports.add_lazy("gs", "onnx_graphsurgeon");
  imports.add_lazy("onnx", "onnx");
  std::string text = script_header(kCompatibleVersion, command_line);
  text += "# Edits an ONNX model with ONNX-GraphSurgeon.\n" + imports.text() + "\n# Loaders\n" +
          loaders.lines() + "\ngraph = load_gs()\n";
  text += R"(
# What the graph takes and gives are lists of tensors, which may be assigned:
#
#   graph.inputs, graph.outputs

# Every tensor by its name:
#
#   tensors = graph.tensors()

# The nodes in order; each has lists of input and output tensors and a dictionary of attributes:
#
#   for node in graph.nodes:
#       print(node.op, node.name, node.attrs, [t.name for t in node.inputs], [t.name for t in node.outputs])

# After edits, remove what is not used any more and put the nodes in order:
#
#   graph.cleanup().toposort()

)";
  return text + "onnx.save(gs.export_onnx(graph), " + py_str_repr(updated(source.path)) + ")\n";
}

int run(Session& session) {
  const ParsedArgs& args = session.args();
  check_for_unsupported_options(args, session.log());
  const ModelArgs model = resolve_model(args, session.env(), session.log());
  const ModelSource source = resolve_model_source(args, session.env(), model.path);
  const std::string typed = *args.text("--output");
  session.log().info(kModule, "Writing script to: " + typed);
  write_file(typed == "-" ? typed : session.env().path(typed),
             script(args, source, session.command_line()));
  return 0;
}

}  // namespace

extern const Command command_template_onnx_gs;
constinit const Command command_template_onnx_gs = {
    .path = "template onnx-gs",
    .summary = "A script that loads a model, edits it and saves it.",
    .description =
        "Write a Python script that loads a model into ONNX-GraphSurgeon with the given options, "
        "leaves a place for edits, and saves MODEL_updated.onnx. It needs the original's "
        "polygraphy and onnx_graphsurgeon packages.",
    .order = 2,
    .groups = kGroups,
    .options = kOptions,
    .run = run,
};

}  // namespace polygraphy::cli
