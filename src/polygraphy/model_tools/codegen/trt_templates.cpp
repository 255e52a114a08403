#include "polygraphy/model_tools/codegen/trt_templates.h"

#include "base/version.h"
#include "polygraphy/model_tools/codegen/script_inputs.h"

namespace polygraphy {
namespace {

// A function for the user to complete, which extends `loader` and has these parameters.
std::string extension(const std::string& loader, const std::string& name,
                      const std::string& parameters) {
  return "\n@func.extend(" + loader + ")\ndef " + name + "(" + parameters + "):\n    " +
         "pass  # Edits go here: change the arguments in place, and return nothing.\n";
}

std::string script_text(const std::string& command_line, const std::string& summary,
                        const PythonImports& imports, const std::string& text) {
  return script_header(kCompatibleVersion, command_line) + "# " + summary + "\n" + imports.text() +
         text;
}

}  // namespace

std::string trt_network_script(const std::optional<OnnxLoaderOptions>& model,
                               const TrtScript& script, const std::string& command_line) {
  PythonImports imports;
  imports.add("polygraphy", "func");
  imports.add_lazy("trt", "tensorrt>=8.5");
  std::string text, loader = "CreateNetwork()", parameters = "builder, network";
  if (model) {
    LoaderLines lines;
    loader = TrtLoaders(script, imports, lines, {}).network(*model, false);
    text = "\n# Loaders\n" + lines.text();
    parameters += ", parser";
  } else {
    imports.add("polygraphy.backend.trt", "CreateNetwork");
  }
  return script_text(command_line, "Makes a TensorRT network.", imports,
                     text + extension(loader, "load_network", parameters));
}

std::string trt_config_script(const TrtScript& script, const RunScript::Inputs& inputs,
                              const std::string& command_line) {
  PythonImports imports;
  imports.add("polygraphy", "func");
  imports.add_lazy("trt", "tensorrt>=8.5");
  std::string text, data_loader;
  if (script.config.arguments.contains("int8")) {
    const DataLoaderScript loader = data_loader_script(inputs, imports);
    if (!loader.call.empty()) text = "\n# Data Loader\ndata_loader = " + loader.call + "\n";
    data_loader = loader.use;
  }
  LoaderLines lines;
  const std::string config =
      TrtLoaders(script, imports, lines, data_loader).config("create_trt_config", true);
  text += "\n# Loaders\n" + lines.text();
  return script_text(command_line, "Configures a TensorRT builder.", imports,
                     text + extension(config, "load_config", "builder, network, config"));
}

}  // namespace polygraphy
