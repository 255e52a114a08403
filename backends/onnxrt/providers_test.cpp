#include "onnxrt/providers.h"

#include <gtest/gtest.h>

#include "onnxrt/values.h"

namespace onnxrt {
namespace {

TEST(MatchProvider, ExactThenPartEitherWayInAnyCase) {
  const std::vector<std::string> available = {"TensorrtExecutionProvider", "CUDAExecutionProvider",
                                              "CPUExecutionProvider"};
  EXPECT_EQ(match_provider("CUDAExecutionProvider", available), "CUDAExecutionProvider");
  EXPECT_EQ(match_provider("cuda", available), "CUDAExecutionProvider");
  EXPECT_EQ(match_provider("ExecutionProvider", available), "TensorrtExecutionProvider");
  EXPECT_EQ(match_provider("my-cpuexecutionprovider-2", available), "CPUExecutionProvider");
  EXPECT_EQ(match_provider("warp", available), "");
  EXPECT_EQ(match_provider("cpu", {}), "");
}

TEST(ElementTypes, AreNumberedAsInOnnx) {
  for (int32_t type = 0; type <= 23; ++type) {
    EXPECT_EQ(onnx_type(ort_type(type)), type);
    EXPECT_EQ(static_cast<int32_t>(ort_type(type)), type);
  }
  EXPECT_EQ(onnx_type(static_cast<ONNXTensorElementDataType>(24)), 25);  // uint2
  EXPECT_EQ(onnx_type(static_cast<ONNXTensorElementDataType>(25)), 26);  // int2
  EXPECT_EQ(onnx_type(static_cast<ONNXTensorElementDataType>(26)), 24);  // float8e8m0
  for (int32_t type = 24; type <= 26; ++type) EXPECT_EQ(onnx_type(ort_type(type)), type);
}

}  // namespace
}  // namespace onnxrt
