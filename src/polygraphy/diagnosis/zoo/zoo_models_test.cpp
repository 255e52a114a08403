#include "polygraphy/diagnosis/zoo/zoo_models.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/onnx/onnx_text.h"

namespace polygraphy {
namespace {

using ::testing::ElementsAre;
namespace fs = std::filesystem;

class ZooModels : public ::testing::Test {
 protected:
  ZooModels() {
    fs::remove_all(folder_);
    for (const char* name : {"b/deep/m.onnx", "a.onnx", "b/notes"}) write(name, "");
  }
  std::string at(const std::string& name) const { return folder_ + "/" + name; }
  void write(const std::string& name, const std::string& text) const {
    fs::create_directories(fs::path(at(name)).parent_path());
    write_file(at(name), text);
  }
  std::vector<std::string> models(std::vector<std::string> places) const {
    return zoo_models(places);
  }

  const std::string folder_ = ::testing::TempDir() + "/zoo_models";
};

TEST_F(ZooModels, OfAFolderAreAllAtAnyDepthByName) {
  EXPECT_THAT(models({folder_}), ElementsAre(at("a.onnx"), at("b/deep/m.onnx")));
}

TEST_F(ZooModels, OfAListBeginInItsFolder) {
  write("list.txt", "# the best\n\n  b/deep/m.onnx \n/elsewhere/n.onnx\n");
  EXPECT_THAT(models({at("a.onnx"), at("list.txt")}),
              ElementsAre(at("a.onnx"), at("b/deep/m.onnx"), "/elsewhere/n.onnx"));
}

TEST_F(ZooModels, MustBeThere) {
  fs::create_directories(at("empty"));
  EXPECT_THROW(models({at("empty")}), Error);
  EXPECT_THROW(models({at("missing.txt")}), IoError);
}

TEST_F(ZooModels, KnowTheNamesOfGivenInputs) {
  const auto model = [&](const std::string& name, const std::string& input) {
    graphsurgeon::save_model(
        graphsurgeon::parse_onnx_text("g (float[N] " + input + ") => (float[N] y) { y = Neg(" +
                                      input + ") }"),
        at(name));
  };
  model("a.onnx", "image");
  model("b/deep/m.onnx", "ids");
  const std::vector<std::string> all = {at("b/notes"), at("a.onnx"), at("b/deep/m.onnx")};
  DataLoaderOptions inputs;
  inputs.shapes.set("im*", {.shape = graphsurgeon::DimList{1}});
  inputs.val_range = {{"ids", {0, 9}}, {"", {0, 1}}};
  EXPECT_NO_THROW(require_inputs_of_models(inputs, all));
  inputs.val_range.set("idz", {0, 9});
  try {
    require_inputs_of_models(inputs, all);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "No model has an input 'idz'");
    EXPECT_NE(error.hint().find("Did you mean 'ids'?"), std::string::npos) << error.hint();
  }
}

TEST_F(ZooModels, HaveTheirInputsAsCompanions) {
  write("b/deep/test_data_set_0/input_1.pb", "");
  write("b/deep/test_data_set_0/input_0.pb", "");
  EXPECT_THAT(zoo_companions(at("b/deep/m.onnx")),
              ElementsAre(at("b/deep/test_data_set_0/input_0.pb"),
                          at("b/deep/test_data_set_0/input_1.pb")));
  EXPECT_THAT(zoo_companions(at("a.onnx")), ElementsAre());
}

}  // namespace
}  // namespace polygraphy
