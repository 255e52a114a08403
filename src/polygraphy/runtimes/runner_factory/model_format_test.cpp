#include "polygraphy/runtimes/runner_factory/model_format.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/os/testdata/temporary_folder.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"

namespace polygraphy {
namespace {

std::string_view format_for(std::string_view path) {
  return format_by_name(path, backend_option_tables());
}

TEST(ModelFormat, OfABackEnd) {
  EXPECT_EQ(format_for("models/net.plan"), "engine");
  EXPECT_EQ(format_for("net.pte"), "executorch");
  EXPECT_EQ(format_for("net.onnx"), "") << "every back end may call it so";
  EXPECT_EQ(format_for("net"), "");
  EXPECT_EQ(format_by_name("net.plan", {}), "");
}

TEST(ModelFormat, ByExtension) {
  EXPECT_EQ(usual_format("folder.pb/net.onnx"), "onnx");
  EXPECT_EQ(usual_format("net.h5"), "keras");
  EXPECT_EQ(usual_format("net.engine"), "engine");
  EXPECT_EQ(usual_format("net.py"), "trt-network-script");
  EXPECT_EQ(usual_format("net.py:load"), "trt-network-script");
  EXPECT_EQ(usual_format("net.bin"), "");
  EXPECT_EQ(usual_format(".onnx"), "") << "no extension";
}

TEST(ModelFormat, OfAFolder) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/net.onnx";
  std::filesystem::create_directory(path);
  EXPECT_EQ(usual_format(path), "");
  std::ofstream(path + "/checkpoint") << "";
  EXPECT_EQ(usual_format(path + "/"), "ckpt");
  std::ofstream(path + "/saved_model.pb") << "";
  EXPECT_EQ(usual_format(path + "/"), "saved_model");
}

TEST(ModelFormat, Scripts) {
  EXPECT_TRUE(names_python_script("net.py"));
  EXPECT_TRUE(names_python_script("folder/net.py:load"));
  EXPECT_FALSE(names_python_script("folder.py/net.onnx"));
}

}  // namespace
}  // namespace polygraphy
