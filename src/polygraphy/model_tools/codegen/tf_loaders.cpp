#include "polygraphy/model_tools/codegen/tf_loaders.h"

#include "base/arrays/py_repr.h"
#include "polygraphy/models/loaders/mark_outputs.h"

namespace polygraphy {
namespace {

std::string path_or_nothing(const std::string& path) {
  return path.empty() ? std::string() : py_str_repr(path);
}

}  // namespace

std::optional<TfScript::Format> tensorflow_script_format(std::string_view format) {
  if (format == "frozen") return TfScript::Format::kFrozen;
  if (format == "keras") return TfScript::Format::kKeras;
  if (format == "ckpt") return TfScript::Format::kCheckpoint;
  return std::nullopt;
}

std::string TfLoaders::add(const std::string& variable, const PythonCall& call) {
  imports_.add("polygraphy.backend.tf", call.name());
  return lines_.add(variable, call.text());
}

std::string TfLoaders::loaded() {
  const std::string path = py_str_repr(script_.path);
  switch (script_.format) {
    case TfScript::Format::kKeras:
      return add("load_keras", PythonCall("GraphFromKeras").arg(path));
    case TfScript::Format::kCheckpoint: {
      const std::string& name = script_.checkpoint;
      return add(
          "load_ckpt",
          PythonCall("GraphFromCkpt").arg(path).arg(name.empty() ? "None" : py_str_repr(name)));
    }
    case TfScript::Format::kFrozen:
      break;
  }
  return add("load_frozen", PythonCall("GraphFromFrozen").arg(path));
}

std::string TfLoaders::graph(const std::vector<std::string>& outputs) {
  std::string last = loaded();
  if (script_.freeze) last = add("optimize_graph", PythonCall("OptimizeGraph").arg(last));
  if (selects_all(outputs)) {
    imports_.add("polygraphy", "constants");
    last = add("modify_tf",
               PythonCall("ModifyGraphOutputs").arg(last).arg("outputs", "constants.MARK_ALL"));
  } else if (!outputs.empty()) {
    last = add("modify_tf",
               PythonCall("ModifyGraphOutputs").arg(last).arg("outputs", py_names(outputs)));
  }
  if ((script_.save_graph + script_.save_tensorboard + script_.save_engines).empty()) return last;
  return add("save_tf", PythonCall("SaveGraph")
                            .arg(last)
                            .arg_if("path", path_or_nothing(script_.save_graph))
                            .arg_if("tensorboard_dir", path_or_nothing(script_.save_tensorboard))
                            .arg_if("engine_dir", path_or_nothing(script_.save_engines)));
}

// Independent of the runner's outputs: the ONNX model's outputs are chosen there.
std::string TfLoaders::onnx_model() {
  PythonCall call("OnnxFromTfGraph");
  call.arg(graph({}));
  if (script_.opset) call.arg("opset", std::to_string(*script_.opset));
  imports_.add("polygraphy.backend.onnx", call.name());
  return lines_.add("export_onnx_from_tf", call.text());
}

// Empty for the default one.
std::string TfLoaders::config() {
  PythonCall call("CreateConfig");
  if (script_.gpu_memory_fraction)
    call.arg("gpu_memory_fraction", py_number(*script_.gpu_memory_fraction));
  call.flag_if("allow_growth", script_.allow_growth).flag_if("use_xla", script_.xla);
  return call.has_arguments() ? add("create_tf_config", call) : std::string();
}

std::string TfLoaders::runner() {
  const std::string taken = graph(script_.outputs);
  const std::string session =
      add("build_tf_session", PythonCall("SessionFromGraph").arg(taken).arg_if("config", config()));
  imports_.add("polygraphy.backend.tf", "TfRunner");
  return PythonCall("TfRunner")
      .arg(session)
      .arg_if("timeline_path", path_or_nothing(script_.save_timeline))
      .text();
}

}  // namespace polygraphy
