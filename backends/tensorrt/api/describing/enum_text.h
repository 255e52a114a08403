// Enumerators of layers' attributes as TensorRT's Python module prints them:
// "ElementWiseOperation.SUM".
#pragma once

#include <string>

#include "tensorrt/api/headers.h"

namespace tensorrt::TENSORRT_FAMILY {

// The type's name and "?" for a value without a name here.
std::string enum_text(nv::ActivationType value);
std::string enum_text(nv::AttentionNormalizationOp value);
std::string enum_text(nv::BoundingBoxFormat value);
std::string enum_text(nv::CumulativeOperation value);
std::string enum_text(nv::DataType value);
std::string enum_text(nv::ElementWiseOperation value);
std::string enum_text(nv::FillOperation value);
std::string enum_text(nv::GatherMode value);
std::string enum_text(nv::InterpolationMode value);
std::string enum_text(nv::KVCacheMode value);
std::string enum_text(nv::LayerType value);
std::string enum_text(nv::LoopOutput value);
std::string enum_text(nv::MatrixOperation value);
std::string enum_text(nv::MoEActType value);
std::string enum_text(nv::PaddingMode value);
std::string enum_text(nv::PoolingType value);
std::string enum_text(nv::ReduceOperation value);
std::string enum_text(nv::ResizeCoordinateTransformation value);
std::string enum_text(nv::ResizeRoundMode value);
std::string enum_text(nv::ResizeSelector value);
std::string enum_text(nv::SampleMode value);
std::string enum_text(nv::ScaleMode value);
std::string enum_text(nv::ScatterMode value);
std::string enum_text(nv::TopKOperation value);
std::string enum_text(nv::TripLimit value);
std::string enum_text(nv::UnaryOperation value);

}  // namespace tensorrt::TENSORRT_FAMILY
