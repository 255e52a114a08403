// Field numbers of the ONNX messages. Source: onnx-ml.proto of onnx 1.23 (IR version 14).
#pragma once

#include <cstdint>

namespace graphsurgeon::wire {

namespace model {
enum : uint32_t {
  kIrVersion = 1,
  kProducerName = 2,
  kProducerVersion = 3,
  kDomain = 4,
  kModelVersion = 5,
  kDocString = 6,
  kGraph = 7,
  kOpsetImport = 8,
  kMetadataProps = 14,
  kTrainingInfo = 20,
  kFunctions = 25,
  kConfiguration = 26,
};
}
namespace opset {
enum : uint32_t { kDomain = 1, kVersion = 2 };
}
namespace entry {  // StringStringEntryProto
enum : uint32_t { kKey = 1, kValue = 2 };
}
namespace graph {
enum : uint32_t {
  kNode = 1,
  kName = 2,
  kInitializer = 5,
  kDocString = 10,
  kInput = 11,
  kOutput = 12,
  kValueInfo = 13,
  kQuantizationAnnotation = 14,
  kSparseInitializer = 15,
  kMetadataProps = 16,
};
}
namespace function {
enum : uint32_t {
  kName = 1,
  kInput = 4,
  kOutput = 5,
  kAttribute = 6,
  kNode = 7,
  kDocString = 8,
  kOpsetImport = 9,
  kDomain = 10,
  kAttributeProto = 11,
  kValueInfo = 12,
  kOverload = 13,
  kMetadataProps = 14,
};
}
namespace node {
enum : uint32_t {
  kInput = 1,
  kOutput = 2,
  kName = 3,
  kOpType = 4,
  kAttribute = 5,
  kDocString = 6,
  kDomain = 7,
  kOverload = 8,
  kMetadataProps = 9,
  kDeviceConfigurations = 10,
};
}
namespace attribute {
enum : uint32_t {
  kName = 1,
  kFloat = 2,
  kInt = 3,
  kString = 4,
  kTensor = 5,
  kGraph = 6,
  kFloats = 7,
  kInts = 8,
  kStrings = 9,
  kTensors = 10,
  kGraphs = 11,
  kDocString = 13,
  kTypeProto = 14,
  kTypeProtos = 15,
  kType = 20,
  kRefAttrName = 21,
  kSparseTensor = 22,
  kSparseTensors = 23,
};
}
namespace value_info {
enum : uint32_t { kName = 1, kType = 2, kDocString = 3, kMetadataProps = 4 };
}
namespace tensor {
enum : uint32_t {
  kDims = 1,
  kDataType = 2,
  kSegment = 3,
  kFloatData = 4,
  kInt32Data = 5,
  kStringData = 6,
  kInt64Data = 7,
  kName = 8,
  kRawData = 9,
  kDoubleData = 10,
  kUint64Data = 11,
  kDocString = 12,
  kExternalData = 13,
  kDataLocation = 14,
  kMetadataProps = 16,
};
inline constexpr uint64_t kLocationExternal = 1;  // TensorProto.DataLocation.EXTERNAL
}  // namespace tensor
namespace sparse_tensor {
enum : uint32_t { kValues = 1, kIndices = 2, kDims = 3 };
}
namespace type {
enum : uint32_t {
  kTensor = 1,
  kSequence = 4,
  kMap = 5,
  kDenotation = 6,
  kOpaque = 7,
  kSparseTensor = 8,
  kOptional = 9,
};
}
namespace tensor_type {  // of TypeProto.Tensor and TypeProto.SparseTensor
enum : uint32_t { kElemType = 1, kShape = 2 };
}
namespace shape {
enum : uint32_t { kDim = 1 };
}
namespace dim {
enum : uint32_t { kValue = 1, kParam = 2, kDenotation = 3 };
}

}  // namespace graphsurgeon::wire
