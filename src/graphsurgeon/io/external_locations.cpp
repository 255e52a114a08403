#include "graphsurgeon/io/external_locations.h"

#include <string>
#include <vector>

#include "graphsurgeon/wire/onnx_fields.h"
#include "graphsurgeon/wire/reader.h"

namespace graphsurgeon {
namespace {

enum class Kind { kModel, kTraining, kGraph, kFunction, kNode, kAttribute, kSparse, kTensor };

struct Message {
  Kind kind;
  std::string_view bytes;
};

struct Child {
  Kind parent;
  uint32_t field;
  Kind kind;
};

// TrainingInfoProto.
enum : uint32_t { kInitialization = 1, kAlgorithm = 2 };

constexpr Child kChildren[] = {
    {Kind::kModel, wire::model::kGraph, Kind::kGraph},
    {Kind::kModel, wire::model::kTrainingInfo, Kind::kTraining},
    {Kind::kModel, wire::model::kFunctions, Kind::kFunction},
    {Kind::kTraining, kInitialization, Kind::kGraph},
    {Kind::kTraining, kAlgorithm, Kind::kGraph},
    {Kind::kGraph, wire::graph::kNode, Kind::kNode},
    {Kind::kGraph, wire::graph::kInitializer, Kind::kTensor},
    {Kind::kGraph, wire::graph::kSparseInitializer, Kind::kSparse},
    {Kind::kFunction, wire::function::kNode, Kind::kNode},
    {Kind::kFunction, wire::function::kAttributeProto, Kind::kAttribute},
    {Kind::kNode, wire::node::kAttribute, Kind::kAttribute},
    {Kind::kAttribute, wire::attribute::kTensor, Kind::kTensor},
    {Kind::kAttribute, wire::attribute::kTensors, Kind::kTensor},
    {Kind::kAttribute, wire::attribute::kGraph, Kind::kGraph},
    {Kind::kAttribute, wire::attribute::kGraphs, Kind::kGraph},
    {Kind::kAttribute, wire::attribute::kSparseTensor, Kind::kSparse},
    {Kind::kAttribute, wire::attribute::kSparseTensors, Kind::kSparse},
    {Kind::kSparse, wire::sparse_tensor::kValues, Kind::kTensor},
    {Kind::kSparse, wire::sparse_tensor::kIndices, Kind::kTensor},
};

// All locations of several: readers may take another one than ours does.
void check_tensor(std::string_view tensor, const ExternalFolder& folder) {
  std::string_view name;
  std::vector<std::string_view> entries;
  for (wire::Reader reader(tensor); reader.next();) {
    if (reader.key() == wire::bytes_key(wire::tensor::kName)) name = reader.bytes();
    if (reader.key() == wire::bytes_key(wire::tensor::kExternalData))
      entries.push_back(reader.bytes());
  }
  for (const std::string_view entry : entries) {
    std::vector<std::string_view> values;
    bool is_location = false;
    for (wire::Reader reader(entry); reader.next();) {
      if (reader.key() == wire::bytes_key(wire::entry::kValue)) values.push_back(reader.bytes());
      is_location |=
          reader.key() == wire::bytes_key(wire::entry::kKey) && reader.bytes() == "location";
    }
    if (!is_location) continue;
    for (const std::string_view location : values) folder.check(location, name);
  }
}

}  // namespace

void check_external_locations(std::string_view model, const ExternalFolder& folder) {
  std::vector<Message> messages = {{Kind::kModel, model}};
  try {
    while (!messages.empty()) {
      const Message message = messages.back();
      messages.pop_back();
      if (message.kind == Kind::kTensor) {
        check_tensor(message.bytes, folder);
        continue;
      }
      for (wire::Reader reader(message.bytes); reader.next();) {
        if (reader.type() != wire::WireType::kBytes) continue;
        for (const Child& child : kChildren) {
          if (child.parent == message.kind && child.field == reader.number())
            messages.push_back({child.kind, reader.bytes()});
        }
      }
    }
  } catch (const wire::ParseError&) {  // readers of protocol buffers refuse it, too
  }
}

}  // namespace graphsurgeon
