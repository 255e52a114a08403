// The ONNX parser: our reader, and one layer per node.
#pragma once

#include <NvInfer.h>
#include <NvOnnxParser.h>

#include <list>
#include <memory>
#include <string>
#include <vector>

#include "building/network.h"
#include "forward.h"

namespace tensorrt_double {

struct ParserErrorImpl {
  nvonnxparser::ErrorCode error_code;
  std::string text, file_name;
  int line_number;
  std::string function;
  int node_index;
  std::string node_name, op;

  nvonnxparser::ErrorCode code() const { return error_code; }
  const char* desc() const { return text.c_str(); }
  const char* file() const { return file_name.c_str(); }
  int line() const { return line_number; }
  const char* func() const { return function.c_str(); }
  int node() const { return node_index; }
  const char* nodeName() const { return node_name.c_str(); }
  const char* nodeOperator() const { return op.c_str(); }
  const char* const* localFunctionStack() const { return nullptr; }
  int32_t localFunctionStackSize() const { return 0; }
};
using ParserErrorObject = ForwardIParserError<ParserErrorImpl>;

class ParserImpl {
 public:
  ParserImpl(nvinfer1::INetworkDefinition& network, nvinfer1::ILogger* logger)
      : network_(NetworkObject::impl_of(network)), log_(logger) {}

  bool parseFromFile(const char* path, int verbosity);
  bool parse(const void* bytes, size_t size, const char* path);
  bool supportsModelV2(const void* bytes, size_t size, const char* path);
  int64_t getNbSubgraphs() const { return static_cast<int64_t>(subgraphs_.size()); }
  bool isSubgraphSupported(int64_t) const { return all_supported_; }
  int64_t* getSubgraphNodes(int64_t index, int64_t& length);
  // The older form of the same.
  bool supportsModel(const void* bytes, size_t size, auto& collection, const char* path) {
    const bool supported = supportsModelV2(bytes, size, path);
    for (const auto& nodes : subgraphs_) {
      collection.emplace_back(std::vector<size_t>(nodes.begin(), nodes.end()), all_supported_);
    }
    return supported;
  }
  bool loadModelProto(const void* bytes, size_t size, const char* path);
  bool loadInitializer(const char* name, const void* data, size_t size);
  bool parseModelProto();
  bool supportsOperator(const char* op) const;
  int getNbErrors() const { return static_cast<int>(errors_.size()); }
  const nvonnxparser::IParserError* getError(int index) const;
  void clearErrors() { errors_.clear(); }
  const char* const* getUsedVCPluginLibraries(int64_t& count) const { return count = 0, nullptr; }
  void setFlags(uint32_t flags) { flags_ = flags; }
  uint32_t getFlags() const { return flags_; }
  void setFlag(nvonnxparser::OnnxParserFlag flag) { flags_ |= 1U << static_cast<int>(flag); }
  void clearFlag(nvonnxparser::OnnxParserFlag flag) { flags_ &= ~(1U << static_cast<int>(flag)); }
  bool getFlag(nvonnxparser::OnnxParserFlag flag) const {
    return flags_ >> static_cast<int>(flag) & 1;
  }
  const nvinfer1::ITensor* getLayerOutputTensor(const char* name, int64_t index) const;
  bool setBuilderConfig(const nvinfer1::IBuilderConfig*) { return true; }

 private:
  bool load(const void* bytes, size_t size, const char* path);
  bool take_over(graphsurgeon::Model model);
  void check_inputs(const graphsurgeon::Graph& graph);
  void check_nodes(const graphsurgeon::Graph& graph);
  void check_outputs(const graphsurgeon::Graph& graph);
  bool infer(graphsurgeon::Model& model);
  void refuse(nvonnxparser::ErrorCode code, const std::string& text, const char* function,
              int index = -1, const graphsurgeon::Node* node = nullptr);
  void say_shape_tensors();

  NetworkImpl& network_;
  Log log_;
  uint32_t flags_ = 1;
  std::list<ParserErrorObject> errors_;
  std::vector<std::vector<int64_t>> subgraphs_;
  bool all_supported_ = false, has_parsed_ = false;
  std::unique_ptr<graphsurgeon::Model> loaded_;
};
using ParserObject = ForwardIParser<ParserImpl>;

}  // namespace tensorrt_double
