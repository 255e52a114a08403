#include "running/inspector.h"

#include <algorithm>

#include "formats/json_writer.h"
#include "forward.h"
#include "types.h"

namespace tensorrt_double {
namespace {

using nvinfer1::LayerInformationFormat;
using polygraphy::JsonWriter;

struct InspectorImpl {
  explicit InspectorImpl(std::shared_ptr<const Plan> p) : plan(std::move(p)) {}
  nvinfer1::IEngineInspector* self = nullptr;
  std::shared_ptr<const Plan> plan;
  const nvinfer1::IExecutionContext* context = nullptr;
  nvinfer1::IErrorRecorder* recorder = nullptr;
  std::string answer;  // valid until the next question

  nvinfer1::IEngineInspector* getPImpl() { return self; }
  bool setExecutionContext(const nvinfer1::IExecutionContext* value) {
    return context = value, true;
  }
  const nvinfer1::IExecutionContext* getExecutionContext() const { return context; }
  void setErrorRecorder(nvinfer1::IErrorRecorder* value) { recorder = value; }
  nvinfer1::IErrorRecorder* getErrorRecorder() const { return recorder; }

  const char* getLayerInformation(int32_t index, LayerInformationFormat format);
  const char* getEngineInformation(LayerInformationFormat format);

 private:
  bool has_details() const {
    return plan->verbosity == static_cast<int>(nvinfer1::ProfilingVerbosity::kDETAILED);
  }
  int32_t layer_count() const {
    return static_cast<int32_t>(plan->layers.size() * plan->profiles.size());
  }
  // Of all profiles but the first, layers say which one they are of.
  std::string name_of_layer(int32_t index) const;
  const PlanLayer& layer(int32_t index) const {
    return plan->layers[static_cast<size_t>(index) % plan->layers.size()];
  }
  void write_tensor(JsonWriter& json, const std::string& name, const PlanLayer& of) const;
  void write_layer(JsonWriter& json, int32_t index) const;
  std::string line(int32_t index) const;
};

std::string InspectorImpl::name_of_layer(int32_t index) const {
  const size_t profile = static_cast<size_t>(index) / plan->layers.size();
  const std::string& name = layer(index).name;
  return profile == 0 ? name : fmt::format("{} [profile {}]", name, profile);
}

std::string short_type(const std::string& precision) {
  if (precision == "Half") return "FP16";
  if (precision == "Float") return "FP32";
  return precision;
}

void InspectorImpl::write_tensor(JsonWriter& json, const std::string& name,
                                 const PlanLayer& of) const {
  const PlanTensor* known = plan->find(name);
  json.begin_object();
  json.key("Name");
  json.string(name);
  json.key("Location");
  json.string("Device");
  json.key("Dimensions");
  json.begin_array();
  for (int i = 0; known && i < known->dims.nbDims; ++i) json.integer(known->dims.d[i]);
  json.end_array();
#if NV_TENSORRT_MAJOR >= 11
  json.key("Datatype");
  json.string(short_type(of.precision));
  json.key("Format");
  json.string("Row major linear");
#else
  json.key("Format/Datatype");
  json.string("Row major linear " + short_type(of.precision));
#endif
  json.end_object();
}

void InspectorImpl::write_layer(JsonWriter& json, int32_t index) const {
  if (!has_details()) {
    json.string(name_of_layer(index));
    return;
  }
  const PlanLayer& one = layer(index);
  json.begin_object();
  json.key("Name");
  json.string(name_of_layer(index));
  json.key("LayerType");
  json.string(one.type);
  for (const bool inputs : {true, false}) {
    json.key(inputs ? "Inputs" : "Outputs");
    json.begin_array();
    for (const std::string& name : inputs ? one.inputs : one.outputs) write_tensor(json, name, one);
    json.end_array();
  }
  json.key("ParameterType");
  json.string(one.type);
  json.key("TacticName");
  json.string("double_" + one.precision);
  json.key("TacticValue");
  json.string("0x0000000000000001");
  json.key("StreamId");
  json.integer(0);
  json.key("Metadata");
  json.string(one.metadata);
  json.end_object();
}

std::string InspectorImpl::line(int32_t index) const {
  if (!has_details()) return name_of_layer(index) + "\n";
  const PlanLayer& one = layer(index);
  const auto tensors = [&](const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) {
      const PlanTensor* known = plan->find(name);
      text += fmt::format("{}{{ Name: {}, Dimensions: {}, Format/Datatype: Row major linear {} }}",
                          text.empty() ? " " : ", ", name, known ? text_of(known->dims) : "[]",
                          short_type(one.precision));
    }
    return "[" + text + "]";
  };
  return fmt::format(
      "Name: {}, LayerType: {}, Inputs: {}, Outputs: {}, ParameterType: {}, "
      "TacticValue: 0x0000000000000001, StreamId: 0, Metadata: {}\n",
      name_of_layer(index), one.type, tensors(one.inputs), tensors(one.outputs), one.type,
      one.metadata);
}

const char* InspectorImpl::getLayerInformation(int32_t index, LayerInformationFormat format) {
  const bool known = index >= 0 && index < layer_count();
  const bool has_none = plan->verbosity == static_cast<int>(nvinfer1::ProfilingVerbosity::kNONE);
  if (!known || has_none) return answer.clear(), answer.c_str();
  if (format == LayerInformationFormat::kONELINE) return (answer = line(index)).c_str();
  polygraphy::StringSink sink;
  JsonWriter json(sink);
  write_layer(json, index);
  return (answer = sink.text()).c_str();
}

const char* InspectorImpl::getEngineInformation(LayerInformationFormat format) {
  if (format == LayerInformationFormat::kONELINE) {
    std::string text = "Layers:\n";
    for (int32_t i = 0; i < layer_count(); ++i) text += line(i);
    text += "\nBindings:\n";
    for (const PlanTensor& tensor : plan->tensors) {
      if (tensor.is_input || tensor.is_output) text += tensor.name + "\n";
    }
    return (answer = text).c_str();
  }
  polygraphy::StringSink sink;
  JsonWriter json(sink);
  json.begin_object();
  json.key("Layers");
  json.begin_array();
  for (int32_t i = 0; i < layer_count(); ++i) write_layer(json, i);
  json.end_array();
  json.key("Bindings");
  json.begin_array();
  for (const PlanTensor& tensor : plan->tensors) {
    if (tensor.is_input || tensor.is_output) json.string(tensor.name);
  }
  json.end_array();
  json.end_object();
  return (answer = sink.text()).c_str();
}

using InspectorObject = Made<nvinfer1::IEngineInspector, ForwardVEngineInspector<InspectorImpl>>;

}  // namespace

nvinfer1::IEngineInspector* inspector_of(const std::shared_ptr<const Plan>& plan) {
  return new InspectorObject(plan);
}

}  // namespace tensorrt_double
