#include "polygraphy/models/loaders/prepare_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "base/error.h"
#include "base/log_modules.h"
#include "base/os/mapped_file.h"
#include "base/os/memory/memory_map.h"
#include "graphsurgeon/io/external_locations.h"
#include "graphsurgeon/io/load.h"
#include "graphsurgeon/io/model_visitor.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/ir/payloads/source.h"
#include "graphsurgeon/onnx/shape_inference.h"
#include "graphsurgeon/passes/cleanup.h"
#include "graphsurgeon/passes/float16.h"
#include "graphsurgeon/passes/toposort.h"
#include "polygraphy/backend.h"
#include "polygraphy/models/loaders/ir_version.h"
#include "polygraphy/models/loaders/model_folder.h"
#include "polygraphy/models/loaders/model_header.h"
#include "polygraphy/models/loaders/opset_version.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;

using log_modules::kOnnxLoader;
// All recent runtimes load these, so their limit is not needed.
constexpr int64_t kIrVersionForAll = 9;
constexpr int64_t kOpsetForAll = 19;

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string absolute(const std::string& path) {
  std::error_code error;
  const auto result = std::filesystem::absolute(path, error);
  return error ? path : result.lexically_normal().native();
}

bool wants_edit(const ModelSource& source) {
  return !source.outputs.empty() || !source.exclude_outputs.empty() ||
         !source.outputs_by_type.empty() || !source.external_data_dir.empty() ||
         source.shape_inference || source.float16 || !source.also_outputs.empty() || source.tidy;
}

// The versions that the runtime's copy of a model is stamped with; nullopt: the model's own will
// do.
struct Stamps {
  std::optional<int64_t> ir_version, opset;
};

// Throws when the model needs a newer IR version than the runtime takes: the runtime's own message
// would not say why.
std::optional<int64_t> ir_version_to_stamp(const Model& model, int64_t most, Logger& log) {
  if (most == 0 || model.ir_version <= most) return std::nullopt;
  const IrNeed need = needed_ir_version(model);
  if (need.version > most) {
    throw Error(fmt::format("the model has IR version {}, but the runtime supports versions up to "
                            "{}, and the model needs {}: {}",
                            model.ir_version, most, need.version, need.reason),
                "Use a newer version of the runtime's library.");
  }
  log.info(kOnnxLoader, fmt::format("The model has IR version {}, newer than the runtime supports, "
                                    "but needs only {}: the runtime gets a copy with version {}",
                                    model.ir_version, need.version, most));
  return most;
}

// A model that needs a newer opset is passed on: the runtime may accept more than it reports.
std::optional<int64_t> opset_to_stamp(const Model& model, int64_t most, Logger& log) {
  const int64_t opset = model.opset().value_or(0);
  if (most == 0 || opset <= most) return std::nullopt;
  const std::optional<OpsetNeed> need = needed_opset(model);
  if (!need || need->version > most) {
    if (need) {
      log.verbose(kOnnxLoader,
                  fmt::format("The model needs opset {}: {}", need->version, need->reason));
    }
    return std::nullopt;
  }
  log.info(kOnnxLoader, fmt::format("The model has opset {}, newer than the runtime supports, but "
                                    "needs only {}: the runtime gets a copy with opset {}",
                                    opset, need->version, most));
  return most;
}

bool may_be_too_new(int64_t ir_version, int64_t opset, const BackendLimits& limits) {
  const auto exceeds = [](int64_t version, int64_t most) { return most != 0 && version > most; };
  return (ir_version > kIrVersionForAll && exceeds(ir_version, limits.max_ir_version())) ||
         (opset > kOpsetForAll && exceeds(opset, limits.max_opset()));
}

Stamps stamps_for(const Model& model, const BackendLimits& limits, Logger& log) {
  if (!may_be_too_new(model.ir_version, model.opset().value_or(0), limits)) return {};
  return {ir_version_to_stamp(model, limits.max_ir_version(), log),
          opset_to_stamp(model, limits.max_opset(), log)};
}

// The model under the runtime's versions, for as long as this lives.
class Stamped {
 public:
  Stamped(const Model& model, const Stamps& wanted) : copy_(model) {
    if (wanted.ir_version) copy_.ir_version = *wanted.ir_version;
    if (!wanted.opset) return;
    // Functions are shared with the copy, so their imports are put back.
    for (const graphsurgeon::FunctionRef& function : copy_.functions) {
      imports_.push_back(function->opset_imports);
    }
    lower_opset(copy_, *wanted.opset);
  }
  ~Stamped() {
    for (size_t i = 0; i < imports_.size(); ++i) {
      copy_.functions[i]->opset_imports = std::move(imports_[i]);
    }
  }
  Stamped(const Stamped&) = delete;
  Stamped& operator=(const Stamped&) = delete;

  const Model& model() const { return copy_; }

 private:
  Model copy_;
  std::vector<std::vector<graphsurgeon::OpsetImport>> imports_;
};

bool fits_one_message(const Model& model) {
  constexpr int64_t kMost = 2'000'000'000;  // the rest is for everything but values
  int64_t bytes = 0;
  graphsurgeon::for_each_payload(model, [&](const graphsurgeon::PayloadUse& use) {
    if (!use.values->external()) bytes += use.values->nbytes();
  });
  return bytes < kMost;
}

// Weights that are left where they are, in the model's own file, for runtimes that map them: an
// edit of the graph would else copy them four times, here and there. Smaller ones are read often
// while the runtime rewrites the graph.
constexpr int64_t kLargeWeight = int64_t{64} << 10;
constexpr int64_t kWorthIt = int64_t{1} << 20;

int64_t bytes_of_large_weights(const Model& model) {
  int64_t bytes = 0;
  graphsurgeon::for_each_payload(model, [&](const graphsurgeon::PayloadUse& use) {
    const graphsurgeon::Payload& values = *use.values;
    if (use.initializer && values.kind() == graphsurgeon::Payload::Kind::kInline &&
        values.nbytes() >= kLargeWeight) {
      bytes += values.nbytes();
    }
  });
  return bytes;
}

// The file under a name that is in its folder, as runtimes demand of external data: links lead out.
std::optional<DataFile> real_file(const std::string& path) {
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(path, error);
  if (error || !std::filesystem::is_regular_file(real, error)) return std::nullopt;
  return DataFile{real.parent_path().native(), real.filename().native()};
}

void infer(Model& model, Logger& log) {
  const graphsurgeon::InferResult result = graphsurgeon::infer_shapes(model, {}, log);
  for (const std::string& problem : result.problems)
    log.verbose(kOnnxLoader, "Shape inference: " + problem);
}

bool lacks_types(const graphsurgeon::Graph& graph) {
  return std::any_of(graph.outputs().begin(), graph.outputs().end(),
                     [](const auto& output) { return output->dtype() == DataType::kUndefined; });
}

}  // namespace

Model load_as_is(const ModelSource& source) {
  if (source.model) return graphsurgeon::copy(*source.model);
  if (source.format != kOnnxFormat) {
    throw Error(fmt::format("{} is a model of type {}, but an ONNX model is needed", source.path,
                            source.format),
                "Leave out options that need the ONNX graph, or give an ONNX model.");
  }
  graphsurgeon::LoadOptions options;
  options.external_data_dir = source.external_data_dir;
  options.ignore_external_data = source.ignore_external_data;
  return graphsurgeon::load_model(source.path, options);
}

struct PreparedModel::State {
  std::string path;
  std::string format = std::string(kOnnxFormat);
  std::string external_data_dir;
  std::string_view bytes;  // into one of the following
  std::shared_ptr<const MappedFile> file;
  MemoryMap patched;  // a private copy of `file`: only the pages of changed bytes cost memory
  std::string encoded;
  std::optional<Model> model;  // keeps loaded_bytes alive
  std::unique_ptr<ModelFolder> folder;

  // Where only numbers of one byte differ the file is not encoded again.
  void patch(const ModelHeader& header, const Stamps& wanted) {
    const auto is_byte = [](const std::optional<HeaderNumber>& number,
                            const std::optional<int64_t>& value) {
      return !value || (number && number->size == 1 && *value < 0x80);
    };
    const bool changes = wanted.ir_version || wanted.opset;
    if (!changes || !file || !model->untouched() ||
        !is_byte(header.ir_version, wanted.ir_version) || !is_byte(header.opset, wanted.opset) ||
        (wanted.opset && !model->functions.empty())) {
      return;
    }
    if (file->fd() < 0) return;  // a pipe
    patched = MemoryMap(file->fd(), 0, file->bytes().size(), MemoryMap::Writes::kPrivate);
    if (!patched) return;
    const auto set = [this](const HeaderNumber& number, int64_t value) {
      patched.data()[number.offset] = static_cast<std::byte>(value);
    };
    if (wanted.ir_version) set(*header.ir_version, *wanted.ir_version);
    if (wanted.opset) set(*header.opset, *wanted.opset);
  }

  // The model without its large weights, which stay in its file. False: that cannot be.
  bool encode_beside_weights(const BackendLimits& limits) {
    if (bytes_of_large_weights(*model) < kWorthIt || !external_data_files(*model).empty() ||
        !(limits.capabilities() & PGB_MAPS_WEIGHTS)) {
      return false;
    }
    // The file of that name may be another one by now.
    const auto& source = model->graph->store().source();
    if (!source || !source->file || !source->file->unchanged()) return false;
    const std::optional<DataFile> weights = real_file(source->file->path());
    if (!weights) return false;
    encoded = graphsurgeon::encode_beside_weights(*model, weights->location, kLargeWeight);
    bytes = encoded;
    external_data_dir = weights->folder;
    return true;
  }

  // Bytes for runtimes that read external data from a folder of their choice; a folder for the
  // others.
  void hand_over(std::string_view what, const BackendLimits& limits) {
    const std::vector<DataFile> data = external_data_files(*model);
    if (!data.empty() && !(limits.capabilities() & PGB_EXTERNAL_FOLDER)) {
      folder = std::make_unique<ModelFolder>(what, data);
      path = folder->model_path();
      return;
    }
    bytes = what;
    if (!data.empty()) external_data_dir = absolute(data.front().folder);
  }

  // Of all tensors, as the runtime will see them: it may read tensors that the graph library does
  // not.
  void check_locations() const {
    if (format != kOnnxFormat) return;
    if (!bytes.empty()) {
      return graphsurgeon::check_external_locations(bytes, {external_data_dir, {}});
    }
    const auto opened = file ? file : MappedFile::open(path);
    const std::string beside = std::filesystem::path(path).parent_path().native();
    graphsurgeon::check_external_locations(text_of(opened->bytes()), {beside, path});
  }
};

PreparedModel::PreparedModel(std::unique_ptr<State> state) : state_(std::move(state)) {
  state_->check_locations();
}
PreparedModel::PreparedModel(PreparedModel&&) noexcept = default;
PreparedModel::~PreparedModel() = default;

ModelBlob PreparedModel::blob() const {
  return {state_->path, state_->bytes, state_->external_data_dir, state_->format};
}

PreparedModel prepare_model(const ModelSource& source, const BackendLimits& limits, Logger& log) {
  if (source.model && !wants_edit(source)) return prepare_loaded_model(*source.model, limits, log);
  auto state = std::make_unique<PreparedModel::State>();
  state->path = source.path;
  const bool edit = wants_edit(source);
  if (source.format != kOnnxFormat) {
    if (edit) static_cast<void>(load_as_is(source));
    state->format = source.format;
    return PreparedModel(std::move(state));
  }
  ModelHeader header;
  if (!edit) {
    state->file = MappedFile::open(source.path);
    header = find_header(text_of(state->file->bytes()));
    if (!may_be_too_new(header.ir_version ? header.ir_version->value : 0,
                        header.opset ? header.opset->value : 0, limits)) {
      return PreparedModel(std::move(state));
    }
  } else if (!source.model) {
    log.info(kOnnxLoader, fmt::format("Loading model: {}", absolute(source.path)));
    if (!source.external_data_dir.empty()) {
      log.verbose(kOnnxLoader,
                  fmt::format("Loading external data from: {}", source.external_data_dir));
    }
  }

  Model& model = state->model.emplace(load_as_is(source));
  if (edit && !source.ignore_external_data) graphsurgeon::check_external_data(model);
  if (source.shape_inference) infer(model, log);
  select_outputs(model, output_selection(source), log);
  if (edit && lacks_types(*model.graph) && (limits.capabilities() & PGB_WANTS_TYPES))
    infer(model, log);
  if (source.tidy) tidy_model(model, log);
  if (source.float16) make_float16(model, log);

  const Stamps wanted = stamps_for(model, limits, log);
  state->patch(header, wanted);
  if (state->patched) {
    state->hand_over(text_of({state->patched.data(), state->patched.size()}), limits);
    return PreparedModel(std::move(state));
  }
  if (wanted.ir_version) model.ir_version = *wanted.ir_version;
  if (wanted.opset) lower_opset(model, *wanted.opset);
  if (model.untouched()) {
    state->hand_over(model.loaded_bytes, limits);
  } else if (state->encode_beside_weights(limits)) {
    state->model.reset();
  } else if (fits_one_message(model)) {
    state->encoded = graphsurgeon::encode_model(model);
    state->hand_over(state->encoded, limits);
    state->model.reset();
  } else {
    state->folder = std::make_unique<ModelFolder>(model);
    state->path = state->folder->model_path();
    state->model.reset();
  }
  return PreparedModel(std::move(state));
}

void tidy_model(Model& model, Logger& log) {
  const size_t before = model.graph->nodes().size();
  graphsurgeon::cleanup(model);
  graphsurgeon::toposort(model);
  log.info(kOnnxLoader,
           fmt::format("Loaded through the graph library: {} of {} nodes are needed for "
                       "the outputs",
                       model.graph->nodes().size(), before));
}

OutputSelection output_selection(const ModelSource& source) {
  return {.names = source.outputs,
          .types = source.outputs_by_type,
          .exclude = source.exclude_outputs,
          .also = source.also_outputs};
}

void make_float16(Model& model, Logger& log, std::unordered_set<const graphsurgeon::Node*> kept) {
  log.info(kOnnxLoader, "Converting float tensors to float16");
  graphsurgeon::Float16Options options;
  options.kept_nodes = std::move(kept);
  const float largest = options.limits.largest;
  options.limits.on_clamped = [&log, largest](std::string_view tensor, float number) {
    log.warning(kOnnxLoader,
                fmt::format("Numbers of '{}' are too large for float16 and were cut to {}; the "
                            "largest was {}",
                            tensor, largest, number));
  };
  graphsurgeon::convert_to_float16(model, options, log);
}

PreparedModel prepare_loaded_model(const Model& given, const BackendLimits& limits, Logger& log) {
  std::optional<Model> typed;
  if (lacks_types(*given.graph) && (limits.capabilities() & PGB_WANTS_TYPES))
    infer(typed.emplace(graphsurgeon::copy(given)), log);
  const Model& model = typed ? *typed : given;
  auto state = std::make_unique<PreparedModel::State>();
  const Stamps wanted = stamps_for(model, limits, log);
  const bool as_loaded = !wanted.ir_version && !wanted.opset && model.untouched();
  if (as_loaded && !model.loaded_bytes.empty()) {
    const std::string_view bytes = state->model.emplace(model).loaded_bytes;
    state->hand_over(bytes, limits);
  } else if (fits_one_message(model)) {
    state->encoded = graphsurgeon::encode_model(Stamped(model, wanted).model());
    state->model.emplace(model);
    state->hand_over(state->encoded, limits);
    state->model.reset();
  } else {
    state->folder = std::make_unique<ModelFolder>(Stamped(model, wanted).model());
    state->path = state->folder->model_path();
  }
  return PreparedModel(std::move(state));
}

void check_model_file(const ModelSource& source) {
  if (source.format != kOnnxFormat || source.model) return;
  const Model model = load_as_is(source);
  if (!source.ignore_external_data) graphsurgeon::check_external_data(model);
}

}  // namespace polygraphy
