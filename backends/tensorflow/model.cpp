#include "tensorflow/model.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "common/files.h"
#include "tensorflow/values.h"
#include "tensorflow/wire/messages.h"

namespace tensorflow {
namespace {

namespace fs = std::filesystem;

constexpr const char* kModule = "backend/tf/loader.py";

std::string_view text_of(const pgb::FileBytes& file) {
  return {static_cast<const char*>(file.data()), file.size()};
}

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

bool selects_all(const std::vector<std::string>& names) {
  return names == std::vector<std::string>{"*"} || names == std::vector<std::string>{"mark", "all"};
}

// The first of them, and how many more there are.
std::string shown_text(std::vector<std::string> names) {
  constexpr size_t kShown = 50;
  const size_t more = names.size() > kShown ? names.size() - kShown : 0;
  if (more) names.resize(kShown);
  return pgb::list_text(names) + (more ? " and " + std::to_string(more) + " more" : "");
}

// Throws if the values of the model's variables are missing. Without variables, there is no file of
// them.
void require_variables(const std::string& folder, const Graph& graph) {
  std::error_code ignored;
  if (fs::exists(fs::path(folder) / "variables" / "variables.index", ignored)) return;
  const Api& api = graph.library().api();
  for (TF_Operation* operation : graph.operations()) {
    const std::string_view op = api.OperationOpType(operation);
    if (op != "VarHandleOp" && op != "VariableV2" && op != "Variable") continue;
    throw pgb::Failure("the model has variables ('" + std::string(api.OperationName(operation)) +
                           "'), but the folder has no variables/variables.index with their values",
                       "Copy the whole folder, including its folder `variables`.");
  }
}

double fraction_of(const pgb::Options& options) {
  const auto text = options.value("gpu_memory_fraction");
  if (!text) return Configuration{}.gpu_memory_fraction;
  char* end = nullptr;
  const double number = std::strtod(text->c_str(), &end);
  if (text->empty() || *end != '\0' || !(number > 0) || number > 1) {
    throw pgb::bad_option(
        "--gpu-memory-fraction takes a number above 0 and up to 1, but received: " + *text);
  }
  return number;
}

// The path of a checkpoint without its extension, from its folder or its *.meta.
std::string checkpoint_prefix(const std::string& path, const std::string& name) {
  if (!is_folder(path)) {
    const fs::path file(path);
    return file.extension() == ".meta" ? file.parent_path() / file.stem() : file;
  }
  if (!name.empty()) return fs::path(path) / name;
  const auto list = pgb::read_file(fs::path(path) / "checkpoint");
  const std::string newest = list ? newest_checkpoint(*list) : std::string();
  if (newest.empty()) {
    throw pgb::Failure("the folder has no file `checkpoint` with the checkpoint's name",
                       "Give the checkpoint's name with --ckpt NAME, without its extension: model, "
                       "of model.meta.");
  }
  return fs::path(path) / newest;  // which may be absolute
}

const Signature& choose(const MetaGraph& meta, const std::string& wanted) {
  std::vector<std::string> names;
  for (const auto& [name, signature] : meta.signatures) {
    // The initialization of a SavedModel is one by form.
    if (!signature.outputs.empty() && name != "__saved_model_init_op") names.push_back(name);
  }
  if (names.empty()) {
    throw pgb::Failure(
        "the model has no signature, so its inputs and outputs are unknown",
        "Save it with a signature: tf.saved_model.save(model, FOLDER, signatures=FUNCTION).");
  }
  std::string chosen = wanted;
  if (chosen.empty()) {
    constexpr const char* kDefault = "serving_default";
    chosen = meta.signatures.contains(kDefault) ? kDefault : names.front();
  }
  if (std::find(names.begin(), names.end(), chosen) == names.end()) {
    throw pgb::bad_option("--tf-signature " + chosen + ": the model has no such signature",
                          "Its signatures: " + pgb::list_text(names));
  }
  return meta.signatures.at(chosen);
}

// The tags of the graph that is for inference: "serve", else the tags of the only one.
std::vector<std::string> tags_in(const std::string& folder) {
  const auto bytes = pgb::read_file(fs::path(folder) / "saved_model.pb");
  if (!bytes) return {"serve"};  // saved_model.pbtxt, or nothing: TensorFlow says so
  const auto tags = read_saved_model_tags(*bytes);
  for (const auto& each : tags) {
    if (each == std::vector<std::string>{"serve"}) return each;
  }
  for (const auto& each : tags) {
    if (std::find(each.begin(), each.end(), "serve") != each.end()) return each;
  }
  if (tags.size() == 1) return tags.front();
  return {"serve"};
}

}  // namespace

Model::Model(const Library& library, const pgb::Host& host, const pgb_model& model,
             const pgb::Options& options)
    : library_(library),
      host_(host),
      graph_(library),
      session_options_(library.api().NewSessionOptions(), library.api().DeleteSessionOptions) {
  const Configuration configuration{.gpu_memory_fraction = fraction_of(options),
                                    .allow_growth = options.has("allow_growth"),
                                    .xla = options.has("xla")};
  const std::string config = encode_configuration(configuration);
  const Status status(library_);
  library_.api().SetConfig(session_options_.get(), config.data(), config.size(), status.get());
  status.check();
  const std::string format = model.format, path = model.path ? model.path : "";
  is_frozen_ = format == "frozen";
  if (is_frozen_) {
    load_frozen(model);
  } else if (format == "ckpt") {
    load_checkpoint(path, options.value("ckpt").value_or(""));
  } else if (format == "saved_model") {
    load_saved_model(path, options.value("signature").value_or(""));
  } else {
    throw pgb::Failure("TensorFlow's library does not read models of type " + format,
                       "Save it as a SavedModel: model.export(FOLDER).", PGB_UNSUPPORTED);
  }
  if (const auto names = options.values("tf_outputs"); !names.empty()) select_outputs(names);
  std::vector<std::string> names;
  for (const Port& output : outputs_) names.push_back(output.name);
  host_.log(pgb::kVerbose, kModule, "Using TensorFlow outputs: " + pgb::list_text(names));
}

Model::~Model() {
  if (!session_) return;
  const Status status(library_);
  library_.api().DeleteSession(session_, status.get());
}

void Model::open_session() {
  const Status status(library_);
  session_ = library_.api().NewSession(graph_.get(), session_options_.get(), status.get());
  status.check("TensorFlow cannot create a session");
}

void Model::load_frozen(const pgb_model& model) {
  std::optional<pgb::FileBytes> file;
  if (model.bytes) {
    file.emplace(model.bytes, model.byte_count);
  } else if (is_folder(model.path)) {
    throw pgb::Failure("it is a folder, but a frozen graph is a file",
                       "Give --model-type saved_model, or ckpt, if it is one of those.");
  } else {
    file.emplace(model.path);
  }
  try {
    graph_.import(text_of(*file));
  } catch (const pgb::Failure& failure) {
    throw pgb::Failure(
        std::string("TensorFlow could not import it as a GraphDef: ") + failure.what(),
        "Is this a frozen graph? Give --model-type TYPE if it is something else.",
        failure.status());
  }
  if (graph_.operations().empty()) throw pgb::Failure("the GraphDef has no nodes");
  open_session();
  for (const Output& each : graph_.placeholders())
    graph_.add_port(inputs_, Graph::name_of(library_.api(), each), each);
  for (const Output& each : graph_.likely_outputs())
    graph_.add_port(outputs_, Graph::name_of(library_.api(), each), each);
}

void Model::load_checkpoint(const std::string& path, const std::string& name) {
  const std::string prefix = checkpoint_prefix(path, name);
  std::error_code ignored;
  if (!fs::exists(prefix + ".meta", ignored)) {
    throw pgb::Failure(
        "there is no " + prefix + ".meta with the checkpoint's graph",
        "Check --ckpt. Checkpoints of TensorFlow 2 have no graph: save a SavedModel instead, with "
        "tf.saved_model.save().");
  }
  const pgb::FileBytes file((prefix + ".meta").c_str());
  const MetaGraph meta = read_meta_graph(text_of(file));
  graph_.import(meta.graph);
  open_session();
  restore(meta, prefix);
  std::vector<Output> outputs = graph_.likely_outputs();
  std::erase_if(outputs, [&](const Output& each) {
    return Graph::name_of(library_.api(), each) == meta.saver_save_tensor;
  });
  for (const Output& each : outputs)
    graph_.add_port(outputs_, Graph::name_of(library_.api(), each), each);
  // The name of the checkpoint's file is fed to a placeholder, too.
  for (const Output& each : graph_.needed(graph_.placeholders(), outputs))
    graph_.add_port(inputs_, Graph::name_of(library_.api(), each), each);
}

void Model::restore(const MetaGraph& meta, const std::string& prefix) {
  const Api& api = library_.api();
  const auto file = graph_.tensor(meta.saver_file_tensor);
  TF_Operation* restore =
      api.GraphOperationByName(graph_.get(), meta.saver_restore_operation.c_str());
  if (meta.saver_restore_operation.empty()) return;  // no variables
  if (!file || !restore) throw pgb::Failure("its graph lacks the saver that it names");
  TString name = TString::view_of(prefix.data(), prefix.size());
  const OwnedTensor tensor(
      api.NewTensor(
          kString, nullptr, 0, &name, sizeof(name), [](void*, size_t, void*) {}, nullptr),
      api.DeleteTensor);
  const Output input = *file;
  TF_Tensor* const value = tensor.get();
  const TF_Operation* const target = restore;
  const Status status(library_);
  api.SessionRun(session_, nullptr, &input, &value, 1, nullptr, nullptr, 0, &target, 1, nullptr,
                 status.get());
  status.check("TensorFlow could not restore the checkpoint's values");
}

void Model::load_saved_model(const std::string& path, const std::string& signature) {
  const Api& api = library_.api();
  const std::vector<std::string> tags = tags_in(path);
  std::vector<const char*> raw_tags;
  for (const std::string& tag : tags) raw_tags.push_back(tag.c_str());
  const Owned<Buffer> buffer = make_buffer(library_);
  const Status status(library_);
  session_ = api.LoadSessionFromSavedModel(session_options_.get(), nullptr, path.c_str(),
                                           raw_tags.data(), static_cast<int>(raw_tags.size()),
                                           graph_.get(), buffer.get(), status.get());
  status.check();
  require_variables(path, graph_);
  const MetaGraph meta = read_meta_graph(bytes_of(buffer));
  const Signature& chosen = choose(meta, signature);
  take(chosen.inputs, inputs_, "input");
  take(chosen.outputs, outputs_, "output");
}

void Model::take(const SignedTensors& tensors, Ports& into, const char* what) {
  for (const auto& [name, described] : tensors) {
    const auto found = graph_.tensor(described.tensor);
    if (!found) {
      throw pgb::Failure(
          std::string(what) + " '" + name + "' of its signature is " +
              (described.tensor.empty() ? "not a dense tensor, but sparse or composite"
                                        : "not in the graph: " + described.tensor),
          {}, PGB_UNSUPPORTED);
    }
    graph_.add_port(into, name, *found);
  }
}

// Beside nodes that the outputs need, a graph may have nodes that save the model, and that give
// variables their first values.
std::vector<Output> Model::selectable(std::vector<Output> tensors) const {
  std::vector<Output> outputs;
  for (const Port& output : outputs_) outputs.push_back(output.output);
  return is_frozen_ ? tensors : graph_.needed(tensors, outputs);
}

std::string Model::of_functions() const {
  std::vector<std::string> names;
  for (const Output& call : selectable(graph_.calls()))
    names.emplace_back(library_.api().OperationName(call.operation));
  if (names.empty()) return {};
  return "The model has operations in functions (" + shown_text(names) +
         "); their intermediate results cannot become outputs. --freeze-graph or a conversion to "
         "ONNX turns them into nodes of the graph.";
}

Ports Model::all_outputs() const {
  const auto are_same = [](const Output& one, const Output& other) {
    return one.operation == other.operation && one.index == other.index;
  };
  Ports all;
  for (const Output& each : selectable(graph_.all_outputs())) {
    const bool is_own = std::any_of(outputs_.begin(), outputs_.end(),
                                    [&](const Port& own) { return are_same(own.output, each); });
    if (!is_own) graph_.add_port(all, Graph::name_of(library_.api(), each), each);
  }
  for (const Port& own : outputs_) graph_.add_port(all, own.name, own.output);
  return all;
}

void Model::select_outputs(const std::vector<std::string>& names) {
  const std::string functions = of_functions();
  if (selects_all(names)) {
    if (!functions.empty()) host_.log(pgb::kWarning, kModule, functions);
    outputs_ = all_outputs();
    return;
  }
  Ports selected;
  std::vector<std::string> missing;
  for (const std::string& name : names) {
    const auto by_signature = std::find_if(outputs_.begin(), outputs_.end(),
                                           [&](const Port& port) { return port.name == name; });
    if (by_signature != outputs_.end()) {
      graph_.add_port(selected, name, by_signature->output);
    } else if (const auto tensor = graph_.tensor(name)) {
      graph_.add_port(selected, Graph::name_of(library_.api(), *tensor), *tensor);
    } else {
      missing.push_back(name);
    }
  }
  if (!missing.empty()) {
    std::vector<std::string> known;
    for (const Port& each : all_outputs()) known.push_back(each.name);
    throw pgb::bad_option(
        "The following outputs were not found in the model: " + pgb::list_text(missing),
        "All outputs are: " + shown_text(known) + (functions.empty() ? "" : "\n" + functions));
  }
  outputs_ = std::move(selected);
}

}  // namespace tensorflow
