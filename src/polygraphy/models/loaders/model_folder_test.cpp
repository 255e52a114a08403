#include "polygraphy/models/loaders/model_folder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "base/error.h"
#include "base/os/testdata/temporary_folder.h"
#include "graphsurgeon/io/load.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/onnx/onnx_text.h"

namespace polygraphy {
namespace {

namespace fs = std::filesystem;

TEST(ModelFolder, HoldsTheModelAndItsData) {
  const TemporaryFolder source, parent;
  write(source, "w.bin", "weights");
  write(source, "deep/er/v.bin", "more");
  std::string folder;
  {
    const ModelFolder made(
        "model bytes", {{source.path(), "w.bin"}, {source.path(), "deep/er/v.bin"}}, parent.path());
    folder = made.folder();
    EXPECT_EQ(contents_of(made.model_path()), "model bytes");
    EXPECT_EQ(contents_of(folder + "/w.bin"), "weights");
    EXPECT_EQ(contents_of(folder + "/deep/er/v.bin"), "more");
    EXPECT_EQ(fs::hard_link_count(folder + "/w.bin"), 2u);  // no copy
  }
  EXPECT_FALSE(fs::exists(folder));
  EXPECT_TRUE(fs::exists(source.path() + "/w.bin"));
  EXPECT_TRUE(fs::exists(source.path() + "/deep/er/v.bin"));
}

// A model too large for one message.
TEST(ModelFolder, TakesModelsInMemory) {
  const TemporaryFolder parent;
  {
    const ModelFolder made(
        graphsurgeon::parse_onnx_text("g (float[2] x) => (float[2] y) <float[2] w = {1, 2}> "
                                      "{ y = Add (x, w) }"),
        parent.path());
    const graphsurgeon::Model model = graphsurgeon::load_model(made.model_path());
    EXPECT_EQ(model.graph->initializers()[0]->payload()->load("w").get_double(1), 2);
  }
  EXPECT_TRUE(fs::is_empty(parent.path()));
  EXPECT_THROW(ModelFolder(graphsurgeon::parse_onnx_text("g () => () {}"), "/nowhere"), IoError);
}

TEST(ModelFolder, LocationsThatLeaveTheFolderAreRefusedAndNothingStays) {
  const TemporaryFolder source, parent;
  for (const char* location : {"../w.bin", "/etc/passwd", "a/../../w.bin", ""}) {
    EXPECT_THROW(ModelFolder("m", {{source.path(), location}}, parent.path()), IoError) << location;
  }
  EXPECT_TRUE(fs::is_empty(parent.path()));
}

TEST(ModelFolder, IsMadeBesideTheDataWhereTheParentIsNoGood) {
  const TemporaryFolder source;
  write(source, "w.bin", "weights");
  {
    const ModelFolder made("m", {{source.path(), "w.bin"}}, "/nowhere");
    EXPECT_TRUE(made.folder().starts_with(source.path() + "/.polygraphy-model.")) << made.folder();
    EXPECT_EQ(contents_of(made.folder() + "/w.bin"), "weights");
  }
  EXPECT_EQ(source.names(), std::vector<std::string>{"w.bin"});
}

TEST(ModelFolder, CopiesWhatCannotBeLinked) {
  // A file of another user in a folder of another user: a folder cannot be created there and, on
  // most systems, no hard link to it.
  const TemporaryFolder source;
  write(source, "w.bin", "weights");
  fs::permissions(source.path(), fs::perms(0755));
  const WithoutRoot nobody;
  const ModelFolder made("m", {{source.path(), "w.bin"}});
  EXPECT_TRUE(made.folder().starts_with(temporary_folder() + "/.polygraphy-model."));
  EXPECT_EQ(contents_of(made.folder() + "/w.bin"), "weights");
}

constexpr const char* kWeightsInBodies = R"(
g (bool c) => (float[2] y) {
    y = If (c) <then_branch = then () => (float[2] a) <float[2] w = {1, 2}> { a = Identity (w) },
                else_branch = else () => (float[2] b) <float[2] v = {3, 4}> { b = Identity (v) }>
})";

// Runtimes refuse data of bodies that has several names: the user's, too, while a link is there.
TEST(ModelFolder, DataOfBodiesIsCopied) {
  const TemporaryFolder source, parent;
  write(source, "main.bin", "weights");
  graphsurgeon::save_model(graphsurgeon::parse_onnx_text(kWeightsInBodies), source / "model.onnx",
                           {.external_data = "body.bin", .external_data_threshold = 0});
  std::vector<DataFile> data = external_data_files(graphsurgeon::load_model(source / "model.onnx"));
  ASSERT_EQ(data.size(), 1u);
  EXPECT_TRUE(data[0].of_bodies);
  data.push_back({source.path(), "main.bin"});
  const ModelFolder made("m", data, parent.path());
  EXPECT_EQ(contents_of(made.folder() + "/body.bin"), contents_of(source / "body.bin"));
  EXPECT_EQ(fs::hard_link_count(source / "body.bin"), 1u);
  EXPECT_EQ(fs::hard_link_count(source / "main.bin"), 2u);
}

TEST(ModelFolder, DataThatIsALinkIsFollowed) {
  const TemporaryFolder source, parent;
  write(source, "real.bin", "weights");
  fs::create_symlink("real.bin", source / "w.bin");
  const ModelFolder made("m", {{source.path(), "w.bin"}}, parent.path());
  EXPECT_FALSE(fs::is_symlink(made.folder() + "/w.bin"));
  EXPECT_EQ(contents_of(made.folder() + "/w.bin"), "weights");
}

TEST(ModelFolder, IsMadeWhereTemporaryFilesGo) {
  const TemporaryFolder mine;
  const char* before = std::getenv("TMPDIR");
  const std::string kept = before ? before : "";
  ::setenv("TMPDIR", mine.path().c_str(), 1);
  const std::string there = ModelFolder("m", {}).folder();
  ::setenv("TMPDIR", "/nowhere", 1);
  const std::string elsewhere = ModelFolder("m", {}).folder();
  before ? ::setenv("TMPDIR", kept.c_str(), 1) : ::unsetenv("TMPDIR");
  EXPECT_TRUE(there.starts_with(mine.path() + "/.polygraphy-model.")) << there;
  EXPECT_TRUE(elsewhere.starts_with("/tmp/.polygraphy-model.")) << elsewhere;
}

TEST(ModelFolder, FoldersAndDataThatAreNotThereAreErrors) {
  const TemporaryFolder source;
  EXPECT_THROW(ModelFolder("m", {}, "/nowhere"), IoError);
  EXPECT_THROW(ModelFolder("m", {{source.path(), "gone.bin"}}, source.path()), IoError);
  EXPECT_TRUE(fs::is_empty(source.path()));
}

}  // namespace
}  // namespace polygraphy
