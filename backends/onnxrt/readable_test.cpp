// The readable part of ONNX Runtime's messages.
#include <gtest/gtest.h>

#include "onnxrt/library.h"

namespace onnxrt {
namespace {

TEST(Readable, WithoutPlaceAndSignature) {
  EXPECT_EQ(readable("/onnxruntime_src/onnxruntime/core/graph/model.cc:256 "
                     "onnxruntime::Model::Model(onnx::ModelProto&&, "
                     "const onnxruntime::PathString&, const onnxruntime::ModelOptions&) "
                     "Unsupported model IR version: "
                     "14, max supported IR version: 13\n\n"),
            "Unsupported model IR version: 14, max supported IR version: 13");
  EXPECT_EQ(readable("/onnxruntime_src/core/x.h:64 T* onnxruntime::Get(int) const [with T = "
                     "std::vector<long int>] "
                     "it is empty"),
            "it is empty");
  EXPECT_EQ(readable("Node failed:/onnxruntime_src/x.cc:1 auto ns::<lambda(int)>::operator()(int) "
                     "const a < b"),
            "Node failed: a < b");
}

TEST(Readable, WithoutWhatEveryCallerSays) {
  EXPECT_EQ(readable("Load model from a b.onnx failed:Protobuf parsing failed."),
            "Protobuf parsing failed.");
}

TEST(Readable, OthersStayAsTheyAre) {
  EXPECT_EQ(readable("Could not find an implementation for Add(6) node with name 'n (1)'"),
            "Could not find an implementation for Add(6) node with name 'n (1)'");
  EXPECT_EQ(readable("see model.cc: line 3"), "see model.cc: line 3");
  EXPECT_EQ(readable("x.cc:12 never closed (bracket"), "never closed (bracket");
  EXPECT_EQ(readable(""), "");
}

}  // namespace
}  // namespace onnxrt
