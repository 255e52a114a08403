#include "cli/args/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "base/error.h"
#include "base/log_modules.h"
#include "base/os/atomic_file.h"
#include "base/os/mapped_file.h"
#include "base/os/protected_files.h"
#include "base/shell_words.h"
#include "base/text.h"
#include "cli/args/onnx_loading.h"
#include "cli/syntax/arg_group.h"
#include "polygraphy/data/user_python/user_python.h"
#include "polygraphy/models/tensorflow/convert_tensorflow.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"
#include "polygraphy/runtimes/compiled/python_scripts.h"
#include "polygraphy/runtimes/runner_factory/model_format.h"

namespace polygraphy::cli {
namespace {

constexpr Option kOptions[] = {
    {.spellings = "model_file",
     .help = "Model to run.",
     .arity = Arity::kOptional,
     .files = FileUse::kReadModel},
    {.spellings = "--model-type",
     .help = "Type of the model, if its file name does not show it.",
     .choices = "frozen keras ckpt onnx engine uff trt-network-script caffe",
     .offered = "onnx",
     .lists_formats = true},
    {.spellings = "--input-shapes --inputs",
     .help = "Shapes of generated inputs, such as image:[1,3,224,224]. Names may have wildcards. "
             "Without one, each dynamic dimension is 1.",
     .arity = Arity::kOneOrMore,
     .metavar = "NAME:SHAPE"},
};

// The format that the runners know the name by, else any back end of this command; empty: unknown.
// A script is what the runners say it is, and one of TensorRT without them.
std::string_view format_by_back_ends(const ParsedArgs& args, const std::string& path) {
  std::vector<const pgb_backend_options*> backends;
  for (const Occurrence& occurrence : args.occurrences()) {
    if (occurrence.entry->runner) backends.push_back(occurrence.entry->runner);
  }
  if (!names_python_script(path)) {
    for (const auto& section : args.syntax().sections()) {
      if (section.backend) backends.push_back(section.backend);
    }
  }
  return format_by_name(path, backends);
}

// Throws Error where a back end of `run` knows the name: no other command takes its models.
void refuse_format_of_a_runner(const std::string& path) {
  for (const pgb_backend_options* backend : backend_option_tables()) {
    const std::string_view format = format_by_name(path, {&backend, 1});
    if (format.empty()) continue;
    throw Error(fmt::format("only {} can read models such as '{}' (format {})", backend->flags,
                            path, format),
                fmt::format("Use `polygraphy run {} {}`; other commands need an ONNX model.",
                            shell_word(path), backend->flags));
  }
}

// Whether the file is the model, in its folder, or one of the files of its checkpoint.
bool is_part_of(const std::string& file, const ModelSource& model) {
  namespace fs = std::filesystem;
  std::error_code failed;
  const std::string model_file = model.format == kNetworkScriptFormat
                                     ? parse_script_symbol(model.path, kNetworkFunction).path
                                     : model.path;
  if (const auto identity = identity_of(file); identity && identity == identity_of(model_file))
    return true;
  const std::string path = fs::weakly_canonical(file, failed).native();
  const std::string read = fs::weakly_canonical(model.path, failed).native();
  if (fs::is_directory(read, failed)) return path.starts_with(read + "/");
  return model.format == kCheckpointFormat &&
         path.starts_with(fs::path(read).replace_extension("").native() + ".");
}

// Or a device: its contents can be read only once.
bool is_pipe(const std::string& path) {
  std::error_code failed;
  const auto status = std::filesystem::status(path, failed);
  return std::filesystem::exists(status) && !std::filesystem::is_directory(status) &&
         !std::filesystem::is_regular_file(status);
}

void require_script_name(const std::string& type, const std::string& path) {
  if (type != kNetworkScriptFormat || names_python_script(path)) return;
  throw Error("TensorRT network scripts must exist and have '.py' extensions.",
              "Note: Provided network script path was: " + path);
}

std::string format_of(const ParsedArgs& args, const std::string& path) {
  if (!args.syntax().find("--model-type")) return "onnx";  // the command takes nothing else
  if (const auto type = args.text("--model-type")) {
    require_script_name(*type, path);
    return *type;
  }
  if (const auto format = format_by_back_ends(args, path); !format.empty())
    return std::string(format);
  const auto given = [&](std::string_view key) { return args.syntax().find(key) && args.has(key); };
  const std::string_view usual = usual_format(path);
  std::error_code failed;
  const bool may_be_checkpoint = std::filesystem::is_directory(path, failed) || given("--ckpt");
  if (may_be_checkpoint && usual != kSavedModelFormat) return std::string(kCheckpointFormat);
  if (!usual.empty()) return std::string(usual);
  if (given("--tf")) return std::string(kFrozenFormat);
  if (is_pipe(path)) return std::string(kOnnxFormat);
  refuse_format_of_a_runner(path);
  const bool may_be_saved = path.ends_with(".json") && args.syntax().find("--load-outputs");
  throw Error("Could not automatically determine model type for: " + path,
              std::string("Please explicitly specify the type with the --model-type option") +
                  (may_be_saved ? "\nSaved outputs are compared with --load-outputs " + path : ""));
}

}  // namespace

extern constinit const ArgGroup args_model = {
    .title = "Model", .summary = "Model, and shapes of its inputs.", .options = kOptions};

// A folder counts as a checkpoint of TensorFlow, as in the original; most folders are not.
void refuse_folder(const ModelSource& model) {
  namespace fs = std::filesystem;
  std::error_code failed;
  if (model.format != "ckpt" || !fs::is_directory(model.path, failed)) return;
  std::vector<std::string> models;
  bool has_checkpoint = fs::exists(fs::path(model.path) / "checkpoint", failed);
  for (const auto& entry : fs::directory_iterator(model.path, failed)) {
    if (entry.path().extension() == ".onnx") models.push_back(entry.path().native());
    has_checkpoint |= entry.path().extension() == ".meta";
  }
  if (has_checkpoint) return;
  std::sort(models.begin(), models.end());
  throw Error("'" + model.path + "' is a folder, not a model",
              models.empty() ? "Give the path of the model's file."
                             : "It contains the model " + models.front());
}

namespace {

std::string absolute(const std::string& path) {
  std::string result = std::filesystem::absolute(path).lexically_normal().string();
  if (result.size() > 1 && result.ends_with('/')) result.pop_back();
  return result;
}

// Warns of a path that does not exist. FILE.py:FUNCTION is a script, if the file exists.
std::string resolve_path(const std::string& path, Logger& log) {
  std::error_code failed;
  if (std::filesystem::exists(path, failed)) return absolute(path);
  const size_t function = path.rfind(".py:");
  const std::string script = function == std::string::npos ? "" : path.substr(0, function + 3);
  if (!script.empty() && std::filesystem::exists(script, failed))
    return absolute(script) + path.substr(function + 3);
  // A path without read permission may exist.
  if (!failed) log.warning(log_modules::kModelOptions, "Model path does not exist: " + path);
  return path;
}

TensorFlowReading resolve_reading(const ParsedArgs& args) {
  const auto knows = [&](std::string_view key) { return args.syntax().find(key) != nullptr; };
  TensorFlowReading reading;
  if (knows("--ckpt")) reading.checkpoint = args.text("--ckpt").value_or("");
  if (knows("--tf-signature")) reading.signature = args.text("--tf-signature").value_or("");
  if (knows("--tf-outputs")) reading.outputs = args.list("--tf-outputs");
  if (knows("--opset")) reading.opset = args.integer("--opset");
  reading.freeze = knows("--freeze-graph") && args.has("--freeze-graph");
  return reading;
}

}  // namespace

Metadata resolve_shapes(const ParsedArgs& args) {
  Metadata shapes;
  for (const std::string_view key :
       {"--input-shapes", "--model-input-shapes", "--override-input-shapes"}) {
    if (!args.syntax().find(key)) continue;
    shapes = parse_metadata(args.list(key), {.shape = true, .dtype = false});
    const TensorInfo* nameless = shapes.find("");
    if (!nameless) continue;
    const std::string shape = nameless->shape ? shape_list_text(*nameless->shape) : "auto";
    throw Error(std::string(key) + ": the shape " + shape + " has no name of an input",
                "Write NAME:" + shape + ". A shape with blanks needs quotes.");
  }
  return shapes;
}

ModelSource resolve_model(const ParsedArgs& args, const Environment& env, Logger& log) {
  ModelSource model{.tensorflow = resolve_reading(args)};
  if (const auto typed = args.text("model_file")) {
    model.path = resolve_path(env.path(*typed), log);
    model.format = format_of(args, model.path);
  }
  resolve_onnx_loading(args, env, model);
  return model;
}

void refuse_to_replace(const ModelSource& model, std::string_view option, const std::string& typed,
                       const std::string& path) {
  if (!is_part_of(path, model)) return;
  throw Error(std::string(option) + " would overwrite '" + typed + "': this command reads it",
              "Write to another path.");
}

std::shared_ptr<const ScratchFolder> file_of_pipe(std::string& path) {
  if (path.empty() || !is_pipe(path)) return nullptr;
  const auto read = MappedFile::open(path);
  auto folder = std::make_shared<const ScratchFolder>(temporary_folder() + "/.polygraphy-model.");
  path = *folder / "model.onnx";
  write_file(path, read->bytes(), Durability::kNone);
  return folder;
}

void refuse_type(const ModelSource& model, const pgb_backend_options& backend) {
  throw Error(std::string(split(backend.flags, ' ').front()) + " cannot run " + model.path +
                  ": its model type is " + model.format,
              std::string(backend.name) + " supports these model types: " + formats_text(backend) +
                  ". Give --model-type TYPE if the model's name misleads.");
}

void require_onnx(const ModelSource& model) {
  if (model.format == kOnnxFormat) return;
  refuse_folder(model);
  throw Error(
      "Model type: " + model.format + " could not be converted to an ONNX model.",
      "Model: " + model.path +
          (model.format == "engine"
               ? "\nAn engine can be run (`run --trt`) and inspected (`inspect "
                 "model`), but not converted back."
               : "") +
          (model.format == "trt-network-script"
               ? "\nA script defines networks for engines: `convert " +
                     std::filesystem::path(model.path).filename().string() +
                     " -o FILE.engine`, `run --trt`."
           : is_of_tensorflow(model.format)
               ? "\nFor an ONNX model: `polygraphy convert " +
                     std::filesystem::path(model.path).filename().string() + " -o FILE.onnx`."
               : "\nGive --model-type onnx if it is an ONNX model under another name."));
}

}  // namespace polygraphy::cli
