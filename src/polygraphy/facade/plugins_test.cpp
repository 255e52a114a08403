#include "polygraphy/facade/plugins.h"

#include <gmock/gmock.h>

#include "base/error.h"
#include "base/os/testdata/temporary_folder.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/onnx/onnx_text.h"

namespace polygraphy {
namespace {

using testing::HasSubstr;

class PluginsTest : public testing::Test {
 protected:
  PluginsTest() {
    model_.path = folder_.path() + "/m.onnx";
    graphsurgeon::save_model(graphsurgeon::parse_onnx_text(R"(
      <ir_version: 8, opset_import: ["" : 18]>
      g (float[2] x) => (float[2] y) { y = Relu (x) })"),
                             model_.path);
  }

  const TemporaryFolder folder_;
  ModelSource model_;
  Logger log_;
};

TEST_F(PluginsTest, NodesReplaceSubgraphsWithoutPython) {
  const auto replaced =
      replace_plugins(model_, {.folder = folder_.path()},
                      "name: p\nop: P\ninstances:\n- inputs: [x]\n  outputs: [y]\n", {}, log_);
  ASSERT_EQ(replaced->graph->nodes().size(), 1u);
  EXPECT_EQ(replaced->graph->nodes()[0]->op(), "P");
}

TEST_F(PluginsTest, PatternsNeedPython) {
  try {
    match_plugins(model_, {.folder = folder_.path()}, {}, log_);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("Patterns of plugins need Python"));
  }
}

}  // namespace
}  // namespace polygraphy
