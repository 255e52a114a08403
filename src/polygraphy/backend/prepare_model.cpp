#include "polygraphy/backend/prepare_model.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <filesystem>
#include <optional>

#include "base/error.h"
#include "base/mapped_file.h"
#include "graphsurgeon/io/load.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/onnx/shape_inference.h"
#include "polygraphy/backend/ir_version.h"
#include "polygraphy/backend/mark_outputs.h"
#include "polygraphy/backend/model_folder.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;

constexpr std::string_view kModule = "backend/onnx/loader.py";
// Every engine of the last years loads models up to this IR version: only for newer ones is it
// asked.
constexpr int64_t kAlwaysLoaded = 9;

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string absolute(const std::string& path) {
  std::error_code error;
  const auto result = std::filesystem::absolute(path, error);
  return error ? path : result.lexically_normal().native();
}

// A private view of a file with one byte changed: only the page around it costs memory.
class PatchedView {
 public:
  // Null when the file is not mapped (a pipe), or the system refuses.
  static std::shared_ptr<PatchedView> make(const MappedFile& file, size_t offset, char byte) {
    const size_t size = file.bytes().size();
    if (file.fd() < 0 || size == 0) return nullptr;
    void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, file.fd(), 0);
    if (memory == MAP_FAILED) return nullptr;
    std::shared_ptr<PatchedView> view(new PatchedView(static_cast<char*>(memory), size));
    view->memory_[offset] = byte;
    return view;
  }
  ~PatchedView() { munmap(memory_, size_); }
  PatchedView(const PatchedView&) = delete;
  PatchedView& operator=(const PatchedView&) = delete;

  std::string_view bytes() const { return {memory_, size_}; }

 private:
  PatchedView(char* memory, size_t size) : memory_(memory), size_(size) {}
  char* memory_;
  size_t size_;
};

bool wants_edit(const ModelSource& source) {
  return !source.outputs.empty() || !source.exclude_outputs.empty() ||
         !source.outputs_by_type.empty() || !source.external_data_dir.empty() ||
         source.shape_inference;
}

// The version to stamp the engine's copy with; nullopt: the model's own will do. Throws when the
// model needs a newer one.
std::optional<int64_t> version_to_stamp(const Model& model, int64_t max_ir_version, Logger& log) {
  if (max_ir_version == 0 || model.ir_version <= max_ir_version) return std::nullopt;
  const IrNeed need = needed_ir_version(model);
  if (need.version > max_ir_version) {
    throw Error(fmt::format("the model has IR version {}, the engine takes versions up to {}, and "
                            "the model needs {}: {}",
                            model.ir_version, max_ir_version, need.version, need.reason),
                "Use a newer version of the engine's library.");
  }
  log.info(
      kModule,
      fmt::format(
          "The model has IR version {}, newer than the engine takes, but needs no more than {}: "
          "the engine gets a copy stamped with {}",
          model.ir_version, need.version, max_ir_version));
  return max_ir_version;
}

Model load(const ModelSource& source) {
  graphsurgeon::LoadOptions options;
  options.external_data_dir = source.external_data_dir;
  options.ignore_external_data = source.ignore_external_data;
  return graphsurgeon::load_model(source.path, options);
}

}  // namespace

struct PreparedModel::State {
  std::string path;
  std::string external_data_dir;
  std::string_view bytes;  // into one of the following
  std::shared_ptr<const MappedFile> file;
  std::shared_ptr<PatchedView> patched;
  std::string encoded;
  std::optional<Model> model;  // keeps loaded_bytes alive
  std::unique_ptr<ModelFolder> folder;

  // Bytes for engines that read external data from a folder of their choice; a folder for the
  // others.
  void hand_over(std::string_view what, const EngineLimits& limits) {
    const std::vector<DataFile> data = external_data_files(*model);
    if (!data.empty() && !(limits.capabilities() & PGB_EXTERNAL_FOLDER)) {
      folder = std::make_unique<ModelFolder>(what, data);
      path = folder->model_path();
      return;
    }
    bytes = what;
    if (!data.empty()) external_data_dir = absolute(data.front().folder);
  }
};

PreparedModel::PreparedModel(std::unique_ptr<State> state) : state_(std::move(state)) {}
PreparedModel::PreparedModel(PreparedModel&&) noexcept = default;
PreparedModel::~PreparedModel() = default;

ModelBlob PreparedModel::blob() const {
  return {state_->path, state_->bytes, state_->external_data_dir};
}

PreparedModel prepare_model(const ModelSource& source, const EngineLimits& limits, Logger& log) {
  auto state = std::make_unique<PreparedModel::State>();
  state->path = source.path;
  const bool edit = wants_edit(source);
  std::optional<IrStamp> stamp;
  if (!edit) {
    state->file = MappedFile::open(source.path);
    stamp = find_ir_stamp(text_of(state->file->bytes()));
    if (!stamp || stamp->version <= kAlwaysLoaded || limits.max_ir_version() == 0 ||
        stamp->version <= limits.max_ir_version()) {
      return PreparedModel(std::move(state));
    }
  } else {
    log.info(kModule, fmt::format("Loading model: {}", absolute(source.path)));
    if (!source.external_data_dir.empty()) {
      log.verbose(kModule, fmt::format("Loading external data from: {}", source.external_data_dir));
    }
  }

  Model& model = state->model.emplace(load(source));
  if (edit && !source.ignore_external_data) graphsurgeon::check_external_data(model);
  if (source.shape_inference) {
    const graphsurgeon::InferResult result = graphsurgeon::infer_shapes(model, {}, log);
    for (const std::string& problem : result.problems)
      log.verbose(kModule, "Shape inference: " + problem);
  }
  select_outputs(model, {source.outputs, source.outputs_by_type, source.exclude_outputs}, log);

  std::optional<int64_t> version;
  if (model.ir_version > kAlwaysLoaded)
    version = version_to_stamp(model, limits.max_ir_version(), log);
  if (version && model.untouched() && state->file && stamp->value_size == 1 && *version < 0x80) {
    state->patched =
        PatchedView::make(*state->file, stamp->value_offset, static_cast<char>(*version));
  }
  if (state->patched) {
    state->hand_over(state->patched->bytes(), limits);
    return PreparedModel(std::move(state));
  }
  if (version) model.ir_version = *version;
  if (model.untouched()) {
    state->hand_over(model.loaded_bytes, limits);
  } else {
    state->encoded = graphsurgeon::encode_model(model);
    state->hand_over(state->encoded, limits);
    state->model.reset();
  }
  return PreparedModel(std::move(state));
}

void check_model_file(const ModelSource& source) {
  const Model model = load(source);
  if (!source.ignore_external_data) graphsurgeon::check_external_data(model);
}

}  // namespace polygraphy
