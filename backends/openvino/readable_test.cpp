// The readable part of OpenVINO's messages.
#include <gtest/gtest.h>

#include "openvino/library.h"

namespace openvino {
namespace {

TEST(Readable, WithoutPlacesAndPhrases) {
  EXPECT_EQ(readable("Exception from src/inference/src/cpp/core.cpp:84:\n"
                     "Check 'false' failed at src/frontends/x.cpp:151:\n"
                     "FrontEnd API failed with OpConversionFailure:\n"
                     "Model wasn't fully converted.\nSummary:\n"
                     "-- No conversion rule found for operations: far.Teleport\n\n\n"),
            "No conversion rule found for operations: far.Teleport");
  EXPECT_EQ(readable("Exception from a.cpp:1:\nException from b.cpp:2:\n  first  \nsecond\n"),
            "first\nsecond");
}

TEST(Readable, OthersStayAsTheyAre) {
  EXPECT_EQ(readable("general error"), "general error");
  EXPECT_EQ(readable("Summary:\n"), "Summary:");
  EXPECT_EQ(readable(""), "");
}

}  // namespace
}  // namespace openvino
