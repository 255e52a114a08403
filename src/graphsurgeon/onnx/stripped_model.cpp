#include "graphsurgeon/onnx/stripped_model.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <onnx/onnx_pb.h>

#include <limits>
#include <memory>
#include <span>

#include "base/error.h"
#include "graphsurgeon/io/load.h"
#include "graphsurgeon/io/save.h"

namespace graphsurgeon {

namespace {

// Messages inside messages: three per level of subgraphs. Ours come from a Model, and loading
// limited its nesting.
constexpr int kNesting = 4000;

}  // namespace

void to_stripped_proto(const Model& model, onnx::ModelProto& out) {
  const std::string bytes = encode_without_payloads(model, kKeptBytes, kStrippedLocation);
  google::protobuf::io::ArrayInputStream stream(bytes.data(), static_cast<int>(bytes.size()));
  google::protobuf::io::CodedInputStream coded(&stream);
  coded.SetRecursionLimit(kNesting);
  coded.SetTotalBytesLimit(std::numeric_limits<int>::max());
  if (!out.ParseFromCodedStream(&coded) || !coded.ConsumedEntireMessage()) {
    throw polygraphy::Error(
        display_name(model) + ": the onnx library cannot read the model's structure",
        "Check for names that are not UTF-8, and for graphs that are nested too deeply.");
  }
}

Model from_proto(const onnx::ModelProto& proto, const std::string& name) {
  auto bytes = std::make_shared<std::string>();
  if (!proto.SerializeToString(bytes.get())) {
    throw polygraphy::Error(name + ": the model is larger than 2 GiB");
  }
  const auto view = std::as_bytes(std::span<const char>(bytes->data(), bytes->size()));
  return load_model_from_bytes(view, std::move(bytes), name);
}

std::string display_name(const Model& model) {
  return model.path.empty() ? "model" : model.path;
}

}  // namespace graphsurgeon
