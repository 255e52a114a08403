#include "polygraphy/models/loaders/prepare_model.h"

#include <gmock/gmock.h>

#include "base/error.h"
#include "base/os/testdata/temporary_folder.h"
#include "base/testdata/recording_log.h"
#include "graphsurgeon/io/load.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "polygraphy/backend.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;
using graphsurgeon::parse_onnx_text;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::string_view kModel = "g (float[N] x) => (float[N] y) { a = Relu (x) y = Neg (a) }";

class PrepareModel : public testing::Test {
 protected:
  std::string save(std::string_view text, int64_t ir_version) {
    Model model = parse_onnx_text(text);
    model.ir_version = ir_version;
    return write(folder_, "m.onnx", graphsurgeon::encode_model(model));
  }
  PreparedModel prepare(const ModelSource& source) {
    return prepare_model(source, limits(), log_.log());
  }
  PreparedModel prepare_loaded(const Model& model) {
    return prepare_loaded_model(model, limits(), log_.log());
  }
  BackendLimits limits() {
    return {[this] { return capabilities_; },
            [this] {
              ++asked_;
              return max_ir_version_;
            },
            [this] { return max_opset_; }};
  }
  static Model decode(std::string_view bytes) {
    return graphsurgeon::load_model_from_bytes(std::as_bytes(std::span(bytes)), nullptr, "bytes");
  }

  TemporaryFolder folder_;
  RecordingLog log_;
  uint32_t capabilities_ = PGB_EXTERNAL_FOLDER;
  int64_t max_ir_version_ = 10;
  int64_t max_opset_ = 21;
  int asked_ = 0;
};

TEST_F(PrepareModel, AModelInMemoryIsCopiedAndEdited) {
  const Model model = parse_onnx_text(kModel);
  const PreparedModel as_it_is = prepare({.path = "in memory", .model = &model});
  EXPECT_EQ(decode(as_it_is.blob().bytes).graph->nodes().size(), 2u);
  const PreparedModel cut = prepare({.path = "in memory", .model = &model, .outputs = {"a"}});
  EXPECT_EQ(decode(cut.blob().bytes).graph->outputs()[0]->name(), "a");
  EXPECT_EQ(model.graph->outputs()[0]->name(), "y");
}

TEST_F(PrepareModel, WhatNeedsNoEditIsItsPath) {
  const std::string path = save(kModel, 8);
  const PreparedModel prepared = prepare({.path = path});
  EXPECT_EQ(prepared.blob().path, path);
  EXPECT_THAT(prepared.blob().bytes, IsEmpty());
  EXPECT_THAT(log_.messages(), IsEmpty());
  EXPECT_EQ(asked_, 0) << "the runtime was bothered";
}

TEST_F(PrepareModel, WhatIsNoModelIsLeftToTheRuntime) {
  const std::string path = write(folder_, "m.onnx", "text");
  EXPECT_EQ(prepare({.path = path}).blob().path, path);
  EXPECT_THROW(check_model_file({.path = path}), Error);
}

TEST_F(PrepareModel, NewerThanTheRuntimeIsStampedWithoutBeingWrittenAgain) {
  const std::string path = save(kModel, 14);
  const std::string before = contents_of(path);
  const PreparedModel prepared = prepare({.path = path});
  std::string expected = before;
  expected[1] = 10;
  EXPECT_EQ(prepared.blob().bytes, expected);
  EXPECT_EQ(contents_of(path), before);
  EXPECT_TRUE(log_.has(
      "[I] The model has IR version 14, newer than the runtime supports, but needs only 3"));
}

TEST_F(PrepareModel, AnOpsetNewerThanTheRuntimeIsLoweredWhereItChangesNothing) {
  const std::string path = save(
      "<ir_version: 8, opset_import: [\"\": 26]> g (float[2] x) => (float[2] y) { y = Neg (x) }",
      8);
  const PreparedModel prepared = prepare({.path = path});
  EXPECT_EQ(prepared.blob().bytes.size(), contents_of(path).size());
  EXPECT_EQ(decode(prepared.blob().bytes).opset(), 21);
  EXPECT_TRUE(
      log_.has("[I] The model has opset 26, newer than the runtime supports, but needs only 13: "
               "the runtime gets a copy with opset 21"));
  EXPECT_EQ(decode(prepare({.path = path, .outputs = {"y"}}).blob().bytes).opset(), 21);
}

TEST_F(PrepareModel, AnOpsetThatIsNeededStays) {
  const std::string path = save(
      "<ir_version: 8, opset_import: [\"\": 24]> g (float[2, 2] x) => (float[2, 2] y) { y = Swish "
      "(x) }",
      8);
  const PreparedModel prepared = prepare({.path = path});
  EXPECT_EQ(decode(prepared.blob().bytes).opset(), 24);
  EXPECT_THAT(log_.messages(), IsEmpty());
}

TEST_F(PrepareModel, FunctionsAreLoweredToo) {
  const std::string path = save(R"(<ir_version: 8, opset_import: ["": 26, "here": 1]>
      g (float[2] x) => (float[2] y) { y = here.f (x) }
      <domain: "here", opset_import: ["": 26]> f (a) => (b) { b = Neg (a) })",
                                8);
  const PreparedModel prepared = prepare({.path = path});
  EXPECT_EQ(decode(prepared.blob().bytes).functions[0]->opset_imports[0].version, 21);
}

TEST_F(PrepareModel, NewButNotTooNewIsItsPath) {
  const std::string path = save(kModel, 10);
  EXPECT_THAT(prepare({.path = path}).blob().bytes, IsEmpty());
  max_ir_version_ = 0;  // a runtime that does not care
  EXPECT_THAT(prepare({.path = save(kModel, 14)}).blob().bytes, IsEmpty());
}

TEST_F(PrepareModel, WhatNeedsANewerRuntimeSaysWhy) {
  const std::string path = save("g (uint2[4] x) => (uint2[4] y) { y = Identity (x) }", 13);
  try {
    prepare({.path = path});
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("tensor 'x' is uint2"));
  }
}

TEST_F(PrepareModel, EditedModelsAreBytes) {
  const std::string path = save(kModel, 14);
  const PreparedModel prepared = prepare({.path = path, .outputs = {"a"}});
  const Model model = decode(prepared.blob().bytes);
  EXPECT_EQ(model.graph->outputs()[0]->name(), "a");
  EXPECT_EQ(model.ir_version, 10);
  EXPECT_TRUE(log_.has("[I] Loading model: " + path));
}

TEST_F(PrepareModel, OutputsThatAreThoseAlreadyChangeNothingElse) {
  const std::string path = save(kModel, 8);
  const PreparedModel prepared = prepare({.path = path, .outputs = {"y"}});
  EXPECT_EQ(decode(prepared.blob().bytes).graph->outputs()[0]->dtype(), DataType::kFloat32);
}

class PrepareModelWithData : public PrepareModel {
 protected:
  PrepareModelWithData() {
    graphsurgeon::SaveOptions options;
    options.external_data = "w.bin";
    options.external_data_threshold = 0;
    graphsurgeon::save_model(
        parse_onnx_text(
            "g (float[2] x) => (float[2] y) <float[2] w = {1, 2}> { a = Add (x, w) y = Neg (a) }"),
        path_, options);
  }
  std::string path_ = folder_ / "m.onnx";
};

TEST_F(PrepareModelWithData, TheRuntimeReadsItFromTheModelsFolder) {
  const PreparedModel prepared = prepare({.path = path_, .outputs = {"a"}});
  EXPECT_EQ(prepared.blob().external_data_dir, folder_.path());
  EXPECT_FALSE(prepared.blob().bytes.empty());
}

TEST_F(PrepareModelWithData, OrFromAnotherFolder) {
  std::filesystem::create_directory(folder_ / "other");
  std::filesystem::rename(folder_ / "w.bin", folder_ / "other/w.bin");
  log_.log().set_severity(Severity::kVerbose);
  const PreparedModel prepared = prepare({.path = path_, .external_data_dir = folder_ / "other"});
  EXPECT_EQ(prepared.blob().external_data_dir, folder_ / "other");
  EXPECT_EQ(prepared.blob().bytes, contents_of(path_));
  EXPECT_TRUE(log_.has("[V] Loading external data from: " + folder_ / "other"));
}

TEST_F(PrepareModelWithData, RuntimesThatCannotGetAFolder) {
  capabilities_ = 0;
  std::string path;
  {
    const PreparedModel prepared = prepare({.path = path_, .outputs = {"a"}});
    path = prepared.blob().path;
    EXPECT_THAT(prepared.blob().bytes, IsEmpty());
    const Model model = graphsurgeon::load_model(path);
    EXPECT_EQ(model.graph->initializers()[0]->payload()->load("w").get_double(1), 2);
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

// The runtime may read tensors that the graph library keeps without a look at them.
TEST_F(PrepareModel, LocationsThatAreNoFilesOfTheModelAreRefused) {
  const auto field = [](int number, const std::string& bytes) {
    return std::string{static_cast<char>(number % 16 * 8 + 2 + (number > 15 ? 128 : 0))} +
           (number > 15 ? std::string(1, static_cast<char>(number / 16)) : "") +
           static_cast<char>(bytes.size()) + bytes;
  };
  for (const std::string location :
       {"*/_ORT_MEM_ADDR_/*", "*/_ORT_LITTLE_ENDIAN_MEM_ADDR_/*", "/etc/passwd", "../w.bin"}) {
    const std::string tensor = field(8, "w") + field(13, field(1, "location") + field(2, location));
    const std::string graph = field(5, tensor), attribute = field(5, tensor);
    const std::string node = field(5, attribute), body = field(1, field(5, field(6, graph)));
    for (const std::string& model :
         {field(7, graph), field(7, field(15, field(1, tensor))), field(7, field(1, node)),
          field(7, body), field(20, field(1, graph)), field(25, field(7, node)),
          field(25, field(11, attribute))}) {
      const std::string path = write(folder_, "m.onnx", model);
      try {
        prepare({.path = path});
        FAIL() << location;
      } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("tensor 'w': its external data '" + location + "'"));
      }
    }
  }
}

TEST_F(PrepareModelWithData, MissingDataIsNamed) {
  std::filesystem::remove(folder_ / "w.bin");
  try {
    prepare({.path = path_, .outputs = {"a"}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("w.bin"));
  }
}

class PrepareLargeModel : public PrepareModel {
 protected:
  PrepareLargeModel() {
    capabilities_ = PGB_EXTERNAL_FOLDER | PGB_MAPS_WEIGHTS;
    Model model = parse_onnx_text(
        "g (float[262144] x) => (float[262144] y) { a = Add (x, w) b = Add (a, small) y = Relu (b) "
        "}");
    const auto weight = [&](std::string_view name, int64_t count) {
      const std::vector<float> ones(static_cast<size_t>(count), 1);
      model.graph->tensor_map().at(name)->to_constant(
          Array::of({count}, std::span<const float>(ones)));
    };
    weight("w", 262144);
    weight("small", 1);
    path_ = write(folder_, "m.onnx", graphsurgeon::encode_model(model));
  }
  Model decode_here(const ModelBlob& blob) {
    graphsurgeon::LoadOptions options;
    options.external_data_dir = blob.external_data_dir;
    return graphsurgeon::load_model(write(folder_, "seen.onnx", std::string(blob.bytes)), options);
  }
  std::string path_;
};

TEST_F(PrepareLargeModel, LargeWeightsOfAnEditedModelStayInItsFile) {
  const PreparedModel prepared = prepare({.path = path_, .outputs = {"a"}});
  EXPECT_LT(prepared.blob().bytes.size(), 1000u);
  const Model model = decode_here(prepared.blob());
  const auto& weights = model.graph->initializers();
  ASSERT_EQ(weights.size(), 2u);
  EXPECT_EQ(weights[0]->payload()->external()->location, "m.onnx");
  EXPECT_EQ(weights[0]->payload()->load("w").get_double(262143), 1);
  EXPECT_FALSE(weights[1]->payload()->external()) << "small ones are in the model";
}

TEST_F(PrepareLargeModel, ALinkIsFollowedToTheFileThatHasTheWeights) {
  std::filesystem::create_directory(folder_ / "links");
  const std::string link = folder_ / "links/model.onnx";
  std::filesystem::create_symlink(path_, link);
  const PreparedModel prepared = prepare({.path = link, .outputs = {"a"}});
  EXPECT_EQ(prepared.blob().external_data_dir, folder_.path());
  EXPECT_EQ(decode_here(prepared.blob()).graph->initializers()[0]->payload()->external()->location,
            "m.onnx");
}

TEST_F(PrepareLargeModel, OtherRuntimesGetThemInTheModel) {
  capabilities_ = PGB_EXTERNAL_FOLDER;
  const PreparedModel prepared = prepare({.path = path_, .outputs = {"a"}});
  EXPECT_THAT(prepared.blob().external_data_dir, IsEmpty());
  EXPECT_EQ(decode(prepared.blob().bytes).graph->initializers()[0]->payload()->load("w").size(),
            262144);
}

TEST_F(PrepareModel, InMemoryAndUntouchedIsItsFilesBytes) {
  const Model model = graphsurgeon::load_model(save(kModel, 8));
  EXPECT_EQ(prepare_loaded(model).blob().bytes.data(), model.loaded_bytes.data());
}

TEST_F(PrepareModel, InMemoryAndEditedIsEncoded) {
  const PreparedModel prepared = [&] {
    Model model = parse_onnx_text(kModel);
    model.graph->nodes()[1]->set_op("Abs");
    return prepare_loaded(model);
  }();
  EXPECT_EQ(decode(prepared.blob().bytes).graph->nodes()[1]->op(), "Abs");
}

TEST_F(PrepareModel, InMemoryAndNewerThanTheRuntimeIsStampedInTheCopyOnly) {
  const Model model = parse_onnx_text(
      "<ir_version: 14, opset_import: [\"\": 26, \"f\": 1]> "
      "g (float[2] x) => (float[2] y) { y = f.Minus (x) } "
      "<domain: \"f\", opset_import: [\"\": 26]> Minus (x) => (y) { y = Neg (x) }");
  const PreparedModel prepared = prepare_loaded(model);
  const Model copy = decode(prepared.blob().bytes);
  EXPECT_EQ(copy.ir_version, 10);
  EXPECT_EQ(copy.opset(), 21);
  EXPECT_EQ(copy.functions[0]->opset_imports[0].version, 21);
  EXPECT_EQ(model.ir_version, 14);
  EXPECT_EQ(model.opset(), 26);
  EXPECT_EQ(model.functions[0]->opset_imports[0].version, 26);
}

TEST_F(PrepareModelWithData, InMemoryRefersToItWhereItLies) {
  const PreparedModel prepared = prepare_loaded(graphsurgeon::load_model(path_));
  EXPECT_EQ(prepared.blob().external_data_dir, folder_.path());
  EXPECT_EQ(prepared.blob().bytes, contents_of(path_));
}

}  // namespace
}  // namespace polygraphy
