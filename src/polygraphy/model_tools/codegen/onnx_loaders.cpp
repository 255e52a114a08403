#include "polygraphy/model_tools/codegen/onnx_loaders.h"

#include "base/arrays/py_repr.h"
#include "polygraphy/models/loaders/mark_outputs.h"

namespace polygraphy {
namespace {

constexpr std::string_view kOnnxBackend = "polygraphy.backend.onnx";

std::vector<std::string> output_arguments(const ModelSource& source, PythonImports& imports) {
  std::vector<std::string> arguments;
  const auto add_list = [&](const std::string& key, const std::vector<std::string>& names) {
    if (!names.empty()) arguments.push_back(key + "=" + py_names(names));
  };
  if (selects_all(source.outputs)) {
    imports.add("polygraphy", "constants");
    arguments.emplace_back("outputs=constants.MARK_ALL");
  } else {
    add_list("outputs", source.outputs);
  }
  add_list("exclude_outputs", source.exclude_outputs);
  add_list("mark_types", source.outputs_by_type);
  return arguments;
}

std::vector<std::string> save_arguments(const OnnxLoaderOptions& options) {
  std::vector<std::string> arguments = {"path=" + py_str_repr(options.save_path)};
  if (options.external_data) {
    arguments.push_back("external_data_path=" + py_str_repr(*options.external_data));
  }
  if (options.size_threshold) {
    arguments.push_back("size_threshold=" + std::to_string(*options.size_threshold));
  }
  if (!options.one_file) arguments.emplace_back("all_tensors_to_one_file=False");
  return arguments;
}

}  // namespace

OnnxLoaders::OnnxLoaders(const OnnxLoaderOptions& options, PythonImports& imports,
                         LoaderLines& lines)
    : imports_(imports), lines_(lines), last_(py_str_repr(options.source.path)) {
  const ModelSource& source = options.source;
  const std::string folder = options.external_data_dir.empty()
                                 ? ""
                                 : "external_data_dir=" + py_str_repr(options.external_data_dir);
  if (!folder.empty()) where_.push_back(folder);
  if (source.ignore_external_data) where_.emplace_back("ignore_external_data=True");
  if (options.tensorflow) {
    last_ = TfLoaders(*options.tensorflow, imports, lines).onnx_model();
    any_ = true;
  } else if (source.shape_inference) {
    std::vector<std::string> arguments;
    if (!folder.empty()) arguments.push_back(folder);
    if (!options.allow_onnxruntime) arguments.emplace_back("allow_onnxruntime=False");
    add("infer_shapes", "InferShapes", arguments);
  } else if (!where_.empty()) {
    load();
  }
  const auto outputs = output_arguments(source, imports);
  if (!outputs.empty()) {
    load();
    add("modify_outputs", "ModifyOutputs as ModifyOnnxOutputs", outputs);
  }
  if (source.float16) {
    load();
    add("convert_to_fp16", "ConvertToFp16");
  }
  if (!options.save_path.empty()) {
    load();
    add("save_onnx", "SaveOnnx", save_arguments(options));
  }
}

void OnnxLoaders::load() {
  if (!any()) add("load_onnx", "OnnxFromPath", where_);
}

void OnnxLoaders::add(const std::string& variable, const std::string& imported,
                      const std::vector<std::string>& arguments) {
  PythonCall call(imported.substr(imported.rfind(' ') + 1));
  call.arg(last_);
  for (const std::string& argument : arguments) call.arg(argument);
  imports_.add(std::string(kOnnxBackend), imported);
  last_ = lines_.add(variable, call.text());
  any_ = true;
}

}  // namespace polygraphy
