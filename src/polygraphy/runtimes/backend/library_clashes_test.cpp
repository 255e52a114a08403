#include "polygraphy/runtimes/backend/library_clashes.h"

#include <gtest/gtest.h>

namespace polygraphy {
namespace {

TEST(LibraryClashesTest, TwoVersionsOfALibraryThatClashDoNotShareAProcess) {
  EXPECT_NE(library_clash({{"openvino", "a"}, {"onnxrt", ""}, {"openvino", "b"}}), "");
  EXPECT_EQ(library_clash({{"openvino", "a"}, {"openvino", "a"}}), "");
  EXPECT_EQ(library_clash({{"onnxrt", "a"}, {"onnxrt", "b"}, {"openvino", ""}}), "");
  EXPECT_NE(library_clash({{"tensorflow", "a"}, {"tensorflow", "b"}}), "");
  EXPECT_EQ(library_clash({}), "");
}

}  // namespace
}  // namespace polygraphy
