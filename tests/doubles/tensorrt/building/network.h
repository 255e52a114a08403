// The network: tensors and layers over a model of our graph library.
#pragma once

#include <NvInfer.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "forward.h"
#include "graphsurgeon/ir/graph.h"
#include "log.h"
#include "types.h"

namespace tensorrt_double {

struct TensorImpl {
  explicit TensorImpl(graphsurgeon::TensorRef t);
  nvinfer1::ITensor* self = nullptr;
  graphsurgeon::TensorRef tensor;
  std::string name;
  nvinfer1::Dims dims{};
  nvinfer1::DataType type{};
  bool is_input = false, is_output = false, is_shape = false, is_execution = true, is_debug = false;
  nvinfer1::TensorFormats formats;
  nvinfer1::TensorLocation location = nvinfer1::TensorLocation::kDEVICE;
  std::map<int32_t, std::string> dimension_names;
  std::optional<std::pair<float, float>> range;

  const std::string& subject() const { return name; }
  void setName(const char* text);
  const char* getName() const { return name.c_str(); }
  void setDimensions(const nvinfer1::Dims& value);
  nvinfer1::Dims getDimensions() const { return dims; }
  void setType(nvinfer1::DataType value) { type = value; }
  nvinfer1::DataType getType() const { return type; }
  bool isNetworkInput() const { return is_input; }
  bool isNetworkOutput() const { return is_output; }
  nvinfer1::TensorLocation getLocation() const { return location; }
  void setLocation(nvinfer1::TensorLocation value) { location = value; }
  void setAllowedFormats(nvinfer1::TensorFormats value) { formats = value; }
  nvinfer1::TensorFormats getAllowedFormats() const { return formats; }
  bool isShapeTensor() const { return is_shape; }
  bool isExecutionTensor() const { return is_execution; }
  void setDimensionName(int32_t index, const char* text) { dimension_names[index] = text; }
  const char* getDimensionName(int32_t index) const;
  bool setDynamicRange(float low, float high) { return range = {low, high}, true; }
  bool dynamicRangeIsSet() const { return range.has_value(); }
  void resetDynamicRange() { range.reset(); }
  float getDynamicRangeMin() const { return range ? range->first : 0; }
  float getDynamicRangeMax() const { return range ? range->second : 0; }
};
using TensorObject = Made<nvinfer1::ITensor, ForwardVTensor<TensorImpl>>;

// Common part of all layers.
struct LayerImpl {
  nvinfer1::LayerType type{};
  std::string name, metadata;
  graphsurgeon::NodeRef node;
  std::vector<nvinfer1::ITensor*> inputs, outputs;  // null: an optional one that is left out
  std::optional<nvinfer1::DataType> precision;
  std::map<int32_t, nvinfer1::DataType> output_types;

  const std::string& subject() const { return name; }
  nvinfer1::LayerType getType() const { return type; }
  void setName(const char* text) { name = text; }
  const char* getName() const { return name.c_str(); }
  int32_t getNbInputs() const { return static_cast<int32_t>(inputs.size()); }
  nvinfer1::ITensor* getInput(int32_t index) const;
  int32_t getNbOutputs() const { return static_cast<int32_t>(outputs.size()); }
  nvinfer1::ITensor* getOutput(int32_t index) const;
  void setPrecision(nvinfer1::DataType value) { precision = value; }
  nvinfer1::DataType getPrecision() const;
  bool precisionIsSet() const { return precision.has_value(); }
  void resetPrecision() { precision.reset(); }
  void setOutputType(int32_t index, nvinfer1::DataType value) { output_types[index] = value; }
  nvinfer1::DataType getOutputType(int32_t index) const;
  bool outputTypeIsSet(int32_t index) const { return output_types.contains(index); }
  void resetOutputType(int32_t index) { output_types.erase(index); }
  void setMetadata(const char* text) { metadata = text; }
  const char* getMetadata() const { return metadata.c_str(); }
  bool setNbRanks(int32_t ranks) { return ranks == 1; }
  int32_t getNbRanks() const { return 1; }
};

// A layer of the interface that its type has, with what keeps it.
struct LayerObject {
  std::shared_ptr<void> keep;
  nvinfer1::ILayer* layer = nullptr;
  LayerImpl* impl = nullptr;
};

struct NetworkImpl {
  NetworkImpl(Log l, nvinfer1::IBuilder* b, nvinfer1::NetworkDefinitionCreationFlags f);
  nvinfer1::INetworkDefinition* self = nullptr;
  Log log;
  nvinfer1::IBuilder* builder;
  nvinfer1::NetworkDefinitionCreationFlags flags;
  std::string name = "Unnamed Network 0";
  graphsurgeon::Model model;
  std::vector<std::shared_ptr<TensorObject>> tensors;
  std::unordered_map<const graphsurgeon::Tensor*, TensorImpl*> by_tensor;
  std::vector<LayerObject> layers;
  std::vector<nvinfer1::ITensor*> inputs, outputs;
  bool all_unfused_are_debug = false;
  std::set<std::string> refittable;

  // The one that stands for a tensor of the model; made on first use.
  TensorImpl& tensor_for(graphsurgeon::Tensor& tensor);

  nvinfer1::ITensor* addInput(const char* text, nvinfer1::DataType type,
                              const nvinfer1::Dims& dims);
  nvinfer1::IIdentityLayer* addIdentity(nvinfer1::ITensor& input);
  void markOutput(nvinfer1::ITensor& tensor);
  void unmarkOutput(nvinfer1::ITensor& tensor);
  int32_t getNbLayers() const { return static_cast<int32_t>(layers.size()); }
  nvinfer1::ILayer* getLayer(int32_t index) const;
  int32_t getNbInputs() const { return static_cast<int32_t>(inputs.size()); }
  nvinfer1::ITensor* getInput(int32_t index) const;
  int32_t getNbOutputs() const { return static_cast<int32_t>(outputs.size()); }
  nvinfer1::ITensor* getOutput(int32_t index) const;
  void setName(const char* text) { name = text; }
  const char* getName() const { return name.c_str(); }
  bool hasImplicitBatchDimension() const { return false; }
  nvinfer1::IBuilder& getBuilder() const { return *builder; }
  nvinfer1::NetworkDefinitionCreationFlags getFlags() const { return flags; }
  bool getFlag(nvinfer1::NetworkDefinitionCreationFlag flag) const {
    return flags >> static_cast<int>(flag) & 1;
  }
  bool markDebug(nvinfer1::ITensor& tensor);
  bool unmarkDebug(nvinfer1::ITensor& tensor);
  bool isDebugTensor(const nvinfer1::ITensor& tensor) const;
  bool markUnfusedTensorsAsDebugTensors() { return all_unfused_are_debug = true; }
  bool unmarkUnfusedTensorsAsDebugTensors() { return all_unfused_are_debug = false, true; }
  bool markWeightsRefittable(const char* weights) { return refittable.insert(weights).second; }
  bool unmarkWeightsRefittable(const char* weights) { return refittable.erase(weights) > 0; }
  bool areWeightsMarkedRefittable(const char* weights) const {
    return refittable.contains(weights);
  }
  void setErrorRecorder(nvinfer1::IErrorRecorder* recorder) { log.recorder = recorder; }
  nvinfer1::IErrorRecorder* getErrorRecorder() const { return log.recorder; }
};
using NetworkObject = Made<nvinfer1::INetworkDefinition, ForwardVNetworkDefinition<NetworkImpl>>;

}  // namespace tensorrt_double
