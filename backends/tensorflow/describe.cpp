#include "tensorflow/describe.h"

#include "common/json_text.h"
#include "tensorflow/wire/node_attributes.h"

namespace tensorflow {
namespace {

void put_tensor(pgb::JsonText& json, const Port& port) {
  json.open('{').put("name", port.name).put("dtype", int64_t{port.info.dtype});
  json.key("shape");
  if (port.info.rank < 0) {
    json.raw("null");
  } else {
    json.value(port.dims);
  }
  json.put("executed", true).close('}');
}

void put_tensors(pgb::JsonText& json, const char* key, const Ports& ports) {
  json.key(key).open('[');
  for (const Port& port : ports) put_tensor(json, port);
  json.close(']');
}

void put_attributes(const Library& library, TF_Operation* operation, pgb::JsonText& json) {
  const Owned<Buffer> node_def = make_buffer(library);
  const Status status(library);
  library.api().OperationToNodeDef(operation, node_def.get(), status.get());
  status.check();
  json.key("attributes").open('[');
  for (const auto& [name, value] : read_node_attributes(bytes_of(node_def)))
    json.open('{').put("name", name).put("text", value).close('}');
  json.close(']');
}

}  // namespace

std::string describe(const Library& library, const Model& model, const std::string& name) {
  const Api& api = library.api();
  pgb::JsonText json;
  json.open('{').put("name", name);
  json.key("flags").open('[').close(']');
  put_tensors(json, "inputs", model.inputs());
  put_tensors(json, "outputs", model.outputs());
  json.put("layer_precisions", false);
  json.key("layers").open('[');
  for (TF_Operation* operation : model.graph().operations()) {
    const std::string op = api.OperationOpType(operation);
    json.open('{').put("name", api.OperationName(operation)).put("type", op).put("op", op);
    Ports inputs, outputs;
    const auto add = [&](Ports& to, Output tensor) {
      model.graph().add_port(to, Graph::name_of(api, tensor), tensor);
    };
    for (int i = 0; i < api.OperationNumInputs(operation); ++i)
      add(inputs, api.OperationInput({operation, i}));
    for (int i = 0; i < api.OperationNumOutputs(operation); ++i) add(outputs, {operation, i});
    put_tensors(json, "inputs", inputs);
    put_tensors(json, "outputs", outputs);
    put_attributes(library, operation, json);
    json.close('}');
  }
  return json.close(']').close('}').text();
}

}  // namespace tensorflow
