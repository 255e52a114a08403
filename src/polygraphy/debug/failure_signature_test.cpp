#include "polygraphy/debug/failure_signature.h"

#include <gmock/gmock.h>

namespace polygraphy {
namespace {

constexpr ExitStatus kOne{.code = 1};

TEST(FailureSignature, IsTheStatusAndTheFirstLineThatNamesAnError) {
  EXPECT_EQ(failure_signature(kOne, "loading\n", "warning: slow\nerror: bad reshape\nerror: more"),
            "exited with 1: error: bad reshape");
}

TEST(FailureSignature, LeavesOutNamesNumbersAndPaths) {
  EXPECT_EQ(failure_signature(kOne, "", "[E] Node 'conv_3' failed at /tmp/x/model.onnx:17 (0x7f)"),
            failure_signature(kOne, "", "[E] Node 'a' failed at /home/y.onnx:3 (0x80)"));
}

TEST(FailureSignature, TakesTheLastLineOfAPythonTraceback) {
  EXPECT_EQ(
      failure_signature(kOne, "",
                        "Traceback (most recent call last):\n  File \"x.py\", line 3, in <module>\n"
                        "    raise ValueError('no')\nValueError: no\n"),
      "exited with 1: ValueError: no");
}

TEST(FailureSignature, TellsCrashesFromMismatches) {
  EXPECT_NE(failure_signature({.signal = 11}, "", "error: x"),
            failure_signature(kOne, "", "error: x"));
  EXPECT_NE(failure_signature(kOne, "[E] FAILED | Output: y | mismatch", ""),
            failure_signature(kOne, "[E] Invalid model", ""));
}

TEST(FailureSignature, OfSilenceIsTheStatus) {
  EXPECT_EQ(failure_signature(kOne, "all is well", ""), "exited with 1");
}

}  // namespace
}  // namespace polygraphy
