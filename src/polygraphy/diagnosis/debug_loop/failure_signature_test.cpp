#include "polygraphy/diagnosis/debug_loop/failure_signature.h"

#include <gmock/gmock.h>

namespace polygraphy {
namespace {

constexpr ExitStatus kOne{.code = 1};

TEST(FailureSignature, IsTheStatusAndTheFirstLineThatNamesAnError) {
  EXPECT_EQ(failure_signature(kOne, "loading\n", "warning: slow\nerror: bad reshape\nerror: more"),
            "exited with 1: error: bad reshape");
}

TEST(FailureSignature, IsNoLineThatOnlyInforms) {
  EXPECT_EQ(
      failure_signature(kOne, "[I]     Absolute error of y: 0.5\n[E]     FAILED | Output: y", ""),
      "exited with 1: [E] FAILED | Output: y");
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

// The node at fault fails in the same way inside a body and outside.
TEST(FailureSignature, LeavesOutTheNodesAround) {
  EXPECT_EQ(error_signature("cannot load /a: Node (i) Op (If) [TypeInferenceError] Graph attribute "
                            "inferencing failed: Node (l) Op (Loop) [TypeInferenceError] Graph "
                            "attribute inferencing failed: Node (mm) Op (MatMul) "
                            "[ShapeInferenceError] Incompatible dimensions"),
            error_signature("cannot load /b: Node (other) Op (MatMul) [ShapeInferenceError] "
                            "Incompatible dimensions"));
  EXPECT_EQ(error_signature("Non-zero status code returned while running If node. Name:'i' Status "
                            "Message: Non-zero status code returned while running Reshape node. "
                            "Name:'r' Status Message: cannot be reshaped"),
            error_signature("Non-zero status code returned while running Reshape node. Name:'' "
                            "Status Message: cannot be reshaped"));
  EXPECT_EQ(
      error_signature("In Node, (\"n\", If, \"\", -1) : (\"c\": tensor(bool),) -> (\"y\",) , "
                      "Error No Op registered for Foo"),
      error_signature("In Node, (\"\", Foo, \"\", -1) : (\"x\",) -> (\"y\": tensor(float),) , "
                      "Error No Op registered for Foo"));
  EXPECT_EQ(error_signature("Node (a) Op (F) output arg (y) type inference failed, inferred types: "
                            "index=0,tensor(uint8),tensor(float)"),
            error_signature("Node (b) Op (F) output arg (y) type inference failed, inferred types: "
                            "index=0,tensor(float)"));
  EXPECT_NE(error_signature("Node (a) Op (MatMul) [ShapeInferenceError] Incompatible dimensions"),
            error_signature("Node (a) Op (Gemm) [ShapeInferenceError] Incompatible dimensions"));
}

TEST(FailureSignature, OfSilenceIsTheStatus) {
  EXPECT_EQ(failure_signature(kOne, "all is well", ""), "exited with 1");
}

}  // namespace
}  // namespace polygraphy
