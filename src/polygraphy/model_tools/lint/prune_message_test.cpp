#include "polygraphy/model_tools/lint/prune_message.h"

#include <gtest/gtest.h>

namespace polygraphy {
namespace {

struct Case {
  const char *message, *pruned;
};

TEST(PruneMessage, LeavesWhatScriptsKnow) {
  const Case cases[] = {
      {"plain", "plain"},
      {"", ""},
      {"two\nlines\n", "twolines"},
      {"[ONNXRuntimeError] : 1 : FAIL : no kernel", "no kernel"},
      {"[ONNXRuntimeError] : unexpected", "unexpected"},
      {"[ONNXRuntimeError] : 1 : FAIL : a : b", "ab"},
      {"[ONNXRuntimeError] : 10 : INVALID_GRAPH : This is an invalid model. Error: two \"names\"\n",
       "two `names`"},
      {"[ONNXRuntimeError] : 1 : FAIL : Node (n) Op (MatMul) [ShapeInferenceError] Incompatible "
       "dimensions for matrix multiplication",
       " Incompatible dimensions for matrix multiplication"},
      {"In the middle: Node (n) Op (MatMul) [ShapeInferenceError] x",
       "In the middle: Node (n) Op (MatMul) [ShapeInferenceError] x"},
      {"\x1b[0;93mtext\x1b[m", "text"},
      {"\x1b[0;93m2026-01-02 03:04:05.678 [W:onnxruntime:, graph.cc:1 Clean] Removing\x1b[m",
       "Removing"},
      {"2026-01-02 03:04:05.678 [W:onnxruntime:, graph.cc:1 Clean] Removing", "Removing"},
      {"/src/core/graph/model.cc:181 onnxruntime::Model::Model(int) Unsupported", " Unsupported"},
      {"[ONNXRuntimeError] : 1 : FAIL : Load model from m.onnx failed:/a/b/graph.cc:7 "
       "onnxruntime::Graph::f(int) In Node, (\"a\", Foo, \"\", -1) : (), Error no",
       ", Error no"},
      {"In Node, (a), Error Unrecognized attribute", "Unrecognized attribute"},
      {"Non-zero status code returned while running Gather node. Name:'g' Status Message: out of "
       "bounds",
       "out of bounds"},
  };
  for (const Case& each : cases) EXPECT_EQ(prune_message(each.message), each.pruned);
}

}  // namespace
}  // namespace polygraphy
