#include "graphsurgeon/onnx/onnx_text.h"

#include <onnx/defs/parser.h>
#include <onnx/defs/printer.h>
#include <onnx/onnx_pb.h>

#include "base/error.h"
#include "base/text.h"
#include "graphsurgeon/onnx/stripped_model.h"

namespace graphsurgeon {

namespace {

constexpr std::string_view kDefaultHeader = "<ir_version: 10, opset_import: [\"\" : 20]>\n";

}  // namespace

Model parse_onnx_text(std::string_view text) {
  const std::string_view stripped = polygraphy::strip(text);
  std::string complete;
  if (!stripped.starts_with('<')) complete = kDefaultHeader;
  complete += stripped;
  onnx::ModelProto proto;
  std::string problem;
  try {
    const auto status = onnx::OnnxParser::Parse(proto, complete);
    if (status.IsOK()) return from_proto(proto, "ONNX text");
    problem = status.ErrorMessage();
  } catch (const polygraphy::Error&) {
    throw;
  } catch (const std::runtime_error& error) {
    problem = error.what();
  }
  throw polygraphy::FormatError("ONNX text: " + problem);
}

std::string to_onnx_text(const Model& model) {
  onnx::ModelProto proto;
  to_stripped_proto(model, proto);
  try {
    return onnx::ProtoToString(proto);
  } catch (const std::runtime_error& error) {
    // Values that do not fit their type and shape.
    throw polygraphy::FormatError(display_name(model) + ": has no text form: " + error.what());
  }
}

}  // namespace graphsurgeon
