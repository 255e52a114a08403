#include "building/parser.h"

#include <sys/stat.h>

#include <algorithm>
#include <set>

#include "building/layers.h"
#include "building/operators.h"
#include "failures.h"
#include "graphsurgeon/io/load.h"
#include "graphsurgeon/onnx/node_inference.h"

namespace tensorrt_double {
namespace {

using graphsurgeon::Node;
using graphsurgeon::Tensor;
using nvonnxparser::ErrorCode;

// Tensors that are shapes for some node, and the small integers that they are computed from.
std::set<const Tensor*> shape_tensors(const graphsurgeon::Graph& graph) {
  std::set<const Tensor*> found;
  const auto& nodes = graph.nodes();
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
    const auto& outputs = (*node)->outputs();
    const bool makes_shape = computes_shapes((*node)->op()) &&
                             std::any_of(outputs.begin(), outputs.end(), [&](const Tensor* output) {
                               return found.contains(output);
                             });
    for (size_t i = 0; i < (*node)->inputs().size(); ++i) {
      const Tensor* input = (*node)->inputs()[i];
      const bool integers = input->dtype() == polygraphy::DataType::kInt64 ||
                            input->dtype() == polygraphy::DataType::kInt32;
      if (input->is_constant() || !integers) continue;
      if (makes_shape || reads_shape((*node)->op(), i)) found.insert(input);
    }
  }
  return found;
}

}  // namespace

void ParserImpl::refuse(ErrorCode code, const std::string& text, const char* function, int index,
                        const Node* node) {
  constexpr const char* kFile = "ModelImporter.cpp";
  constexpr int kLine = 140;
  if (node) {
    log_.error(1, fmt::format("While parsing node number {} [{} -> \"{}\"]:", index, node->op(),
                              node->outputs().empty() ? "" : node->outputs()[0]->name()));
  }
  log_.error(1, fmt::format("ERROR: {}:{} In function {}:\n[{}] {}", kFile, kLine, function,
                            static_cast<int>(code), text));
  errors_.emplace_back(ParserErrorImpl{code, text, kFile, kLine, function, index,
                                       node ? std::string(node->name()) : "",
                                       node ? std::string(node->op()) : ""});
}

bool ParserImpl::load(const void* bytes, size_t size, const char* path) {
  try {
    const std::string name = path && *path ? path : "model";
    const size_t slash = name.rfind('/');
    const std::string folder =
        path && *path ? (slash == std::string::npos ? "." : name.substr(0, slash)) : "";
    loaded_ = std::make_unique<graphsurgeon::Model>(graphsurgeon::load_model_from_bytes(
        {static_cast<const std::byte*>(bytes), size}, nullptr, name, folder));
    return true;
  } catch (const std::exception& failure) {
    refuse(ErrorCode::kMODEL_DESERIALIZE_FAILED, failure.what(), "deserializeOnnxModel");
    return false;
  }
}

bool ParserImpl::parseFromFile(const char* path, int) {
  struct stat file{};
  if (::stat(path, &file) != 0 || !S_ISREG(file.st_mode)) {
    refuse(ErrorCode::kINVALID_VALUE,
           fmt::format("Assertion failed: stat(onnxModelFile, &sb) == 0 && S_ISREG(sb.st_mode): "
                       "Input file cannot be found, or is not a regular file: {}",
                       path),
           "parseFromFile");
    return false;
  }
  try {
    return take_over(graphsurgeon::load_model(path));
  } catch (const std::exception& failure) {
    refuse(ErrorCode::kMODEL_DESERIALIZE_FAILED, failure.what(), "deserializeOnnxModel");
    return false;
  }
}

bool ParserImpl::parse(const void* bytes, size_t size, const char* path) {
  return load(bytes, size, path) && parseModelProto();
}

bool ParserImpl::loadModelProto(const void* bytes, size_t size, const char* path) {
  return load(bytes, size, path);
}

// The bytes are the caller's, who keeps them: the copy costs memory, but needs no such promise.
bool ParserImpl::loadInitializer(const char* name, const void* data, size_t size) {
  if (!loaded_) return false;
  for (const auto& tensor : loaded_->graph->initializers()) {
    if (tensor->name() != name) continue;
    const polygraphy::DataType type = tensor->dtype();
    const auto values = polygraphy::Array::view(type, tensor->payload()->shape(), data, nullptr);
    if (values.nbytes() != static_cast<int64_t>(size)) return false;
    tensor->replace_values(graphsurgeon::owned_payload(values.clone()));
    return true;
  }
  return false;
}

bool ParserImpl::parseModelProto() {
  if (!loaded_) return false;
  graphsurgeon::Model model = std::move(*loaded_);
  loaded_.reset();
  try {
    return take_over(std::move(model));
  } catch (const std::exception& failure) {
    refuse(ErrorCode::kINTERNAL_ERROR, failure.what(), "importModel");
    return false;
  }
}

void ParserImpl::check_inputs(const graphsurgeon::Graph& graph) {
  for (const auto& input : graph.inputs()) {
    if (!to_tensorrt(input->dtype())) {
      refuse(ErrorCode::kUNSUPPORTED_NODE,
             "Assertion failed: convertDtype(onnxDtype.elem_type(), &trtDtype) && \"Failed to "
             "convert ONNX date type to TensorRT data type.\"",
             "importInput");
    }
  }
}

void ParserImpl::check_nodes(const graphsurgeon::Graph& graph) {
  int index = -1;
  for (const auto& node : graph.nodes()) {
    ++index;
    if (is_supported(node->op(), node->domain())) continue;
    const bool custom = !(node->domain().empty() || node->domain() == "ai.onnx");
    if (custom) {
      refuse(ErrorCode::kINVALID_NODE,
             "creator && \"Plugin not found, are the plugin name, version, and namespace "
             "correct?\"",
             "checkFallbackPluginImporter", index, node.get());
    } else {
      refuse(ErrorCode::kUNSUPPORTED_NODE, "false", fmt::format("check{}", node->op()).c_str(),
             index, node.get());
    }
  }
}

// Infers types and shapes, as far as they are known before the model runs. False: a node
// contradicts itself, or the test requests a failure.
bool ParserImpl::infer(graphsurgeon::Model& model) {
  polygraphy::Logger silent;
  graphsurgeon::NodeInference inference(model, silent);
  const auto told = failure_argument("parse");
  int index = 0;
  for (const auto& node : model.graph->nodes()) {
    const std::string name = layer_name(*node);
    std::string problem = inference.infer(*node);
    if (problem.empty() && told == name) problem = "the double was told to fail";
    if (!problem.empty()) {
      refuse(ErrorCode::kINVALID_NODE, fmt::format("Invalid Node - {}\n{}", name, problem),
             "parseNode", index, node.get());
      return false;
    }
    ++index;
  }
  return true;
}

// Refuses a file without the type of an output, even if its nodes determine it.
void ParserImpl::check_outputs(const graphsurgeon::Graph& graph) {
  for (const auto& output : graph.outputs()) {
    if (output->dtype() != polygraphy::DataType::kUndefined) continue;
    refuse(ErrorCode::kUNSUPPORTED_GRAPH,
           "Assertion failed: convertDtype(output.type().tensor_type().elem_type(), "
           "&output_trt_dtype): Failed to convert ONNX date type to TensorRT data type.",
           "importModel");
  }
}

bool ParserImpl::supportsModelV2(const void* bytes, size_t size, const char* path) {
  subgraphs_.clear();
  errors_.clear();
  all_supported_ = false;
  if (!load(bytes, size, path)) return false;
  graphsurgeon::Model model = std::move(*loaded_);
  loaded_.reset();
  check_inputs(*model.graph);
  check_outputs(*model.graph);
  if (!errors_.empty()) return false;
  check_nodes(*model.graph);
  if (errors_.empty() && !infer(model)) return false;
  all_supported_ = errors_.empty();
  // Runs of nodes between those that are refused.
  std::set<int> refused;
  for (const auto& error : errors_) refused.insert(error.node());
  bool running = false;
  for (int i = 0; i < static_cast<int>(model.graph->nodes().size()); ++i) {
    if (refused.contains(i)) {
      running = false;
      continue;
    }
    if (!running) subgraphs_.emplace_back();
    running = true;
    subgraphs_.back().push_back(i);
  }
  return all_supported_;
}

int64_t* ParserImpl::getSubgraphNodes(int64_t index, int64_t& length) {
  if (index < 0 || index >= getNbSubgraphs()) return length = 0, nullptr;
  auto& nodes = subgraphs_[static_cast<size_t>(index)];
  length = static_cast<int64_t>(nodes.size());
  return nodes.data();
}

bool ParserImpl::take_over(graphsurgeon::Model model) {
  if (has_parsed_) {
    refuse(ErrorCode::kMODEL_DESERIALIZE_FAILED,
           "Assertion failed: model->ByteSizeLong() == 0: A model was previously parsed!",
           "deserializeOnnxModel");
    return false;
  }
  has_parsed_ = true;
  const graphsurgeon::Graph& graph = *model.graph;
  check_inputs(graph);
  check_outputs(graph);
  check_nodes(graph);
  if (!errors_.empty()) return false;
  if (!infer(model)) return false;
  network_.model = std::move(model);
  for (const auto& input : graph.inputs()) {
    if (input->is_constant()) continue;
    TensorImpl& tensor = network_.tensor_for(*input);
    tensor.is_input = true;
    const auto shape = input->shape();
    for (size_t i = 0; shape && i < shape->size(); ++i) {
      const std::string& parameter = (*shape)[i].param();
      if (!parameter.empty()) tensor.dimension_names[static_cast<int32_t>(i)] = parameter;
    }
    network_.inputs.push_back(tensor.self);
  }
  for (const auto& node : graph.nodes()) network_.layers.push_back(layer_for(network_, node));
  for (const auto& output : graph.outputs()) {
    network_.markOutput(*network_.tensor_for(*output).self);
  }
  say_shape_tensors();
  return true;
}

void ParserImpl::say_shape_tensors() {
  for (const Tensor* tensor : shape_tensors(*network_.model.graph)) {
    TensorImpl& impl = network_.tensor_for(const_cast<Tensor&>(*tensor));
    impl.is_shape = true;
    impl.is_execution = false;
    if (impl.is_input) impl.location = nvinfer1::TensorLocation::kHOST;
  }
}

bool ParserImpl::supportsOperator(const char* op) const {
  return is_supported(op, "");
}

const nvonnxparser::IParserError* ParserImpl::getError(int index) const {
  if (index < 0 || index >= getNbErrors()) return nullptr;
  return &*std::next(errors_.begin(), index);
}

const nvinfer1::ITensor* ParserImpl::getLayerOutputTensor(const char* name, int64_t index) const {
  for (const LayerObject& layer : network_.layers) {
    if (layer.impl->node->name() == name) return layer.layer->getOutput(static_cast<int>(index));
  }
  return nullptr;
}

}  // namespace tensorrt_double
