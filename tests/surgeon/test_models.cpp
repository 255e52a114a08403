#include "test_models.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>

#include "base/error.h"
#include "base/os/mapped_file.h"
#include "built_runtime.h"
#include "graphsurgeon/io/load.h"
#include "graphsurgeon/onnx/checker.h"
#include "polygraphy/data/inputs/data_loader.h"
#include "polygraphy/data/tensors/flat_names.h"
#include "polygraphy/model_tools/surgeon/verification/output_agreement.h"
#include "polygraphy/runtimes/backend/bundled_runtime.h"
#include "polygraphy/runtimes/backend/instance.h"

namespace polygraphy {
namespace {

namespace fs = std::filesystem;

// Hundreds of MiB of weights each, made at run time.
constexpr std::string_view kGiants[] = {"light_bvlc_alexnet", "light_vgg19", "light_zfnet512"};

std::vector<std::string> model_paths() {
  std::vector<std::string> paths;
  const fs::path root = fs::path(PG_DEPS_DIR) / "onnx-testdata";
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    const bool giant =
        std::count(std::begin(kGiants), std::end(kGiants), entry.path().stem().native()) != 0;
    if (entry.path().extension() == ".onnx" && !giant) paths.push_back(entry.path().native());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

void put_varint(std::string& out, size_t value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

std::string field(char key, const std::string& contents) {
  std::string out(1, key);
  put_varint(out, contents.size());
  return out + contents;
}

// A TensorProto file: read as the only initializer of a model.
Array read_tensor(const fs::path& path) {
  const auto file = MappedFile::open(path.native());
  const std::string tensor(reinterpret_cast<const char*>(file->bytes().data()),
                           file->bytes().size());
  const std::string model = field(0x3a, field(0x2a, tensor));
  const graphsurgeon::Model loaded =
      graphsurgeon::load_model_from_bytes(std::as_bytes(std::span(model)), nullptr, path.native());
  return loaded.graph->initializers().at(0)->payload()->load("input").clone();
}

// The inputs beside the model, else generated ones. nullopt: not a tensor.
std::optional<ValueMap> feed_for(const BackendSession& session, const fs::path& model) {
  const fs::path data = model.parent_path() / "test_data_set_0";
  const bool has_data = fs::exists(data / "input_0.pb");
  ValueMap feed;
  Metadata inputs;
  for (size_t i = 0; i < session.inputs().size(); ++i) {
    const ValueInfo& input = session.inputs()[i];
    if (input.info.kind != ValueKind::kTensor) return std::nullopt;
    inputs.set(input.name, input.info);
    if (has_data) feed.set(input.name, read_tensor(data / ("input_" + std::to_string(i) + ".pb")));
  }
  Logger silent;
  return has_data ? feed : DataLoader({}, silent).generate(0, inputs);
}

bool passes_checker(const graphsurgeon::Model& model) {
  try {
    graphsurgeon::check_model(model);
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

std::vector<TestModel> runnable_models(BundledRuntime& runtime) {
  const fs::path root = fs::path(PG_DEPS_DIR) / "onnx-testdata";
  std::vector<TestModel> models;
  for (const std::string& path : model_paths()) {
    try {
      const graphsurgeon::Model model = graphsurgeon::load_model(path);
      const auto session = runtime.load(model);
      const std::optional<ValueMap> feed = feed_for(*session, path);
      if (!feed) continue;
      TestModel found{fs::relative(path, root).parent_path().native(),
                      path,
                      model.graph->nodes().size(),
                      *feed,
                      {},
                      false};
      if (found.name == "light") found.name = fs::relative(path, root).native();
      found.outputs = flatten(run_model(*session, found.feed));
      if (!agreement(found.outputs, flatten(run_model(*session, found.feed))).equal) continue;
      found.checks = passes_checker(model);
      models.push_back(std::move(found));
    } catch (const Error&) {  // the runtime does not run it
    }
  }
  return models;
}

std::string worse_than_before(BundledRuntime& runtime, const TestModel& before,
                              const graphsurgeon::Model& after, bool bit_equal) {
  if (before.checks) {
    try {
      graphsurgeon::check_model(after);
    } catch (const Error& error) {
      return std::string("the checker: ") + error.what();
    }
  }
  try {
    const auto session = runtime.load(after);
    const OutputAgreement found =
        agreement(before.outputs, flatten(run_model(*session, before.feed)));
    if (!found.equal) return "output '" + found.output + "': " + found.difference;
    if (bit_equal && !found.bit_equal) return "rounding differs";
  } catch (const Error& error) {
    return std::string("it does not run: ") + error.what();
  }
  return {};
}

BundledRuntime& OnTestModels::runtime() {
  static Logger silent;
  static auto* const runtime = new BundledRuntime(built_paths(), silent);
  return *runtime;
}

const std::vector<TestModel>& OnTestModels::models() {
  static const auto* const models = new std::vector<TestModel>(runnable_models(runtime()));
  return *models;
}

bool OnTestModels::is_small_graph(const TestModel& model) {
  return model.nodes >= 3 && model.nodes < 100;
}

void OnTestModels::expect_unchanged(
    Which which, const std::function<graphsurgeon::Model(const TestModel&)>& edit,
    Exactly exactly) {
  for (const TestModel& model : models()) {
    if (which == Which::kGraphs && !is_small_graph(model)) continue;
    try {
      const std::string problem =
          worse_than_before(runtime(), model, edit(model), exactly == Exactly::kBits);
      EXPECT_EQ(problem, "") << model.name;
    } catch (const Error& error) {
      ADD_FAILURE() << model.name << ": " << error.what();
    }
  }
}

}  // namespace polygraphy
