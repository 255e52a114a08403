#include "polygraphy/runtimes/runner_factory/model_format.h"

#include <filesystem>
#include <string>
#include <system_error>

#include "polygraphy/models/loaders/model_source.h"
#include "polygraphy/models/tensorflow/convert_tensorflow.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"
#include "polygraphy/runtimes/compiled/python_scripts.h"

namespace polygraphy {
namespace {

struct Extension {
  std::string_view suffix, format;
};
// Of the original; it runs no models of UFF and Caffe.
constexpr Extension kExtensions[] = {
    {".hdf5", kKerasFormat},  {".keras", kKerasFormat},     {".h5", kKerasFormat},
    {".pb", kFrozenFormat},   {".meta", kCheckpointFormat}, {".uff", "uff"},
    {".prototxt", "caffe"},   {".onnx", kOnnxFormat},       {".engine", kEngineFormat},
    {".plan", kEngineFormat}, {".graphdef", kFrozenFormat}, {".py", kNetworkScriptFormat},
};

std::string_view file_name(std::string_view path) {
  if (path.ends_with('/')) path.remove_suffix(1);
  path.remove_prefix(path.rfind('/') + 1);
  return path;
}

bool is_folder(std::string_view path) {
  std::error_code failed;
  return std::filesystem::is_directory(path, failed);
}

}  // namespace

std::string_view format_by_name(std::string_view path,
                                std::span<const pgb_backend_options* const> backends) {
  const std::string_view name = file_name(path);
  const bool folder = is_folder(path);
  for (const pgb_backend_options* backend : backends) {
    for (size_t i = 0; i < backend->format_count; ++i) {
      const pgb_model_format& format = backend->formats[i];
      if (format.name != kOnnxFormat && is_named_by(format, name, folder)) return format.name;
    }
  }
  return {};
}

std::string_view usual_format(std::string_view path) {
  if (is_folder(path)) return tensorflow_folder(std::string(path));
  const std::string_view name = file_name(path);
  if (name.find(".py:") != name.npos) return kNetworkScriptFormat;
  for (const auto& [suffix, format] : kExtensions) {
    if (name.size() > suffix.size() && name.ends_with(suffix)) return format;
  }
  return {};
}

bool names_python_script(std::string_view path) {
  const std::string_view name = file_name(path);
  return name.ends_with(".py") || name.find(".py:") != name.npos;
}

}  // namespace polygraphy
