#include "polygraphy/model_tools/codegen/onnx_gs_script.h"

#include <filesystem>

#include "base/arrays/py_repr.h"
#include "base/version.h"

namespace polygraphy {
namespace {

// "m.onnx" -> "m_updated.onnx"
std::string updated(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  return path.substr(0, path.size() - extension.size()) + "_updated" + extension;
}

}  // namespace

std::string onnx_gs_script(const OnnxLoaderOptions& options, const std::string& command_line) {
  PythonImports imports;
  imports.add("polygraphy", "mod");
  LoaderLines lines;
  OnnxLoaders loaders(options, imports, lines);
  loaders.load();
  loaders.add("load_gs", "GsFromOnnx");
  imports.add_lazy("gs", "onnx_graphsurgeon");
  imports.add_lazy("onnx", "onnx");
  std::string text = script_header(kCompatibleVersion, command_line);
  text += "# Edits an ONNX model with ONNX-GraphSurgeon.\n" + imports.text() + "\n# Loaders\n" +
          lines.text() + "\ngraph = load_gs()\n";
  text += R"(
# Inputs and outputs are lists of tensors, which may be assigned:
#
#   graph.inputs, graph.outputs

# Every tensor by its name:
#
#   tensors = graph.tensors()

# The nodes in order; each has lists of input and output tensors and a dictionary of attributes:
#
#   for node in graph.nodes:
#       print(node.op, node.name, node.attrs, [t.name for t in node.inputs], [t.name for t in node.outputs])

# After edits, remove unused nodes and tensors, and sort the nodes:
#
#   graph.cleanup().toposort()

)";
  return text + "onnx.save(gs.export_onnx(graph), " + py_str_repr(updated(options.source.path)) +
         ")\n";
}

}  // namespace polygraphy
