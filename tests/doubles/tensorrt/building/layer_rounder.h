// Lower precision on a machine without a GPU: float32 results are rounded to the type that a layer
// would compute in, by a pair of Casts behind it. Results that are float16 in the model get an
// Identity behind them: ONNX Runtime computes in float32, and would leave out the Casts in between.
#pragma once

#include <string>

#include "building/config.h"
#include "building/network.h"

namespace tensorrt_double {

class LayerRounder {
 public:
  LayerRounder(const NetworkImpl& network, const ConfigImpl& config);
  // The type that a layer computes in, as the inspector says it: "Float", "Half" ...
  std::string name_for(const LayerImpl& layer) const;
  // In a copy of the network's model.
  void apply(graphsurgeon::Model& model) const;

 private:
  nvinfer1::DataType type_for(const LayerImpl& layer) const;

  const NetworkImpl& network_;
  nvinfer1::DataType type_ = nvinfer1::DataType::kFLOAT;  // of layers without a type
  bool obeys_ = false;                                    // layers keep their requested types
};

}  // namespace tensorrt_double
