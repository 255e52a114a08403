// Every model of the onnx wheel's test data: our inference finds all types and shapes that the onnx
// library's own sweep finds. It may know more, and never contradicts it.

#include <gtest/gtest.h>
#include <onnx/shape_inference/implementation.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "graphsurgeon/onnx/shape_inference.h"
#include "parsed.h"

namespace graphsurgeon::roundtrip {
namespace {

namespace fs = std::filesystem;
using onnx::TypeProto;

std::vector<std::string> wheel_models() {
  std::vector<std::string> paths;
  for (const auto& entry :
       fs::recursive_directory_iterator(fs::path(PG_DEPS_DIR) / "onnx-testdata")) {
    if (entry.path().extension() == ".onnx") paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

struct Tally {
  size_t types = 0, dims = 0;
  size_t extra_dims = 0;  // that only we know
};

std::string text_of(const Tensor& tensor) {
  std::string text(polygraphy::name_of(tensor.dtype()));
  if (const auto shape = tensor.shape()) {
    for (const Dim& dim : *shape) {
      text += ' ' + (dim.has_value() ? std::to_string(dim.value()) : '\'' + dim.param() + '\'');
    }
  }
  return text;
}

void compare(const onnx::ValueInfoProto& theirs, const Tensor& ours, Tally& tally) {
  const TypeProto& type = theirs.type();
  if (!type.has_tensor_type() || type.tensor_type().elem_type() == 0) return;
  SCOPED_TRACE(theirs.DebugString() + "ours: " + text_of(ours));
  ++tally.types;
  EXPECT_EQ(static_cast<int>(ours.dtype()), type.tensor_type().elem_type());
  const auto shape = ours.shape();
  if (!type.tensor_type().has_shape()) {
    tally.extra_dims += shape ? shape->size() : 0;
    return;
  }
  ASSERT_TRUE(shape);
  ASSERT_EQ(shape->size(), static_cast<size_t>(type.tensor_type().shape().dim_size()));
  for (size_t i = 0; i < shape->size(); ++i) {
    const auto& dim = type.tensor_type().shape().dim(static_cast<int>(i));
    if (dim.has_dim_value()) {
      ++tally.dims;
      EXPECT_EQ((*shape)[i], Dim(dim.dim_value()));
    } else {
      tally.extra_dims += (*shape)[i].is_static();
    }
  }
}

void compare(const onnx::GraphProto& theirs, const Graph& ours, Tally& tally) {
  const auto tensors = ours.tensor_map();
  for (const auto* infos : {&theirs.input(), &theirs.output(), &theirs.value_info()}) {
    for (const auto& info : *infos) {
      const auto found = tensors.find(info.name());
      // A file may describe tensors that it does not have.
      if (found != tensors.end()) compare(info, *found->second, tally);
    }
  }
  for (size_t i = 0; i < ours.nodes().size(); ++i) {
    const std::vector<GraphRef> subgraphs = ours.nodes()[i]->subgraphs();
    size_t next = 0;
    for (const auto& attribute : theirs.node(static_cast<int>(i)).attribute()) {
      if (attribute.has_g()) compare(attribute.g(), *subgraphs.at(next++), tally);
      for (const auto& graph : attribute.graphs()) compare(graph, *subgraphs.at(next++), tally);
    }
  }
}

// Where both are known they are the same.
void expect_no_contradiction(const onnx::ValueInfoProto& declared, const Tensor& ours) {
  if (!declared.type().has_tensor_type()) return;
  const auto& type = declared.type().tensor_type();
  SCOPED_TRACE(declared.DebugString() + "ours: " + text_of(ours));
  if (ours.dtype() != DataType::kUndefined) {
    EXPECT_EQ(static_cast<int>(ours.dtype()), type.elem_type());
  }
  const auto shape = ours.shape();
  if (!shape || !type.has_shape()) return;
  ASSERT_EQ(shape->size(), static_cast<size_t>(type.shape().dim_size()));
  for (size_t i = 0; i < shape->size(); ++i) {
    const auto& dim = type.shape().dim(static_cast<int>(i));
    if (dim.has_dim_value() && (*shape)[i].has_value()) {
      EXPECT_EQ((*shape)[i].value(), dim.dim_value());
    }
  }
}

// False when the onnx library's sweep stops with an error, where ours continues.
bool compare(onnx::ModelProto theirs, Model& ours, Tally& tally) {
  polygraphy::Logger silent;
  EXPECT_EQ(infer_shapes(ours, {}, silent).problems, std::vector<std::string>());
  try {
    onnx::shape_inference::DataValueMap values;
    onnx::shape_inference::InferShapes(theirs, onnx::OpSchemaRegistry::Instance(),
                                       onnx::ShapeInferenceOptions(false, 0, true), &values);
  } catch (const std::exception&) {
    return false;
  }
  compare(theirs.graph(), *ours.graph, tally);
  return true;
}

TEST(InferenceAgreement, FindsWhatTheOnnxLibraryFinds) {
  const std::vector<std::string> paths = wheel_models();
  ASSERT_GT(paths.size(), 1500u) << "set-up brings the onnx wheel's test data";
  size_t compared = 0;
  Tally tally;
  for (const std::string& path : paths) {
    SCOPED_TRACE(path);
    Model model = load_model(path);
    compared += compare(parse(read_file(path)), model, tally);
  }
  EXPECT_GT(compared, paths.size() * 95 / 100);
  EXPECT_GT(tally.types, 20000u);
  EXPECT_GT(tally.dims, 40000u);
}

// The models declare most of what there is to find: without that it has to be found.
TEST(InferenceAgreement, FindsItWithoutDeclarations) {
  size_t compared = 0;
  Tally tally;
  for (const std::string& path : wheel_models()) {
    SCOPED_TRACE(path);
    const onnx::ModelProto original = parse(read_file(path));
    onnx::ModelProto bare = original;
    bare.mutable_graph()->clear_value_info();
    for (auto& output : *bare.mutable_graph()->mutable_output()) output.clear_type();
    Model model = load_bytes(bare.SerializeAsString());
    compared += compare(bare, model, tally);
    const auto& outputs = model.graph->outputs();
    for (size_t i = 0; i < outputs.size(); ++i) {
      expect_no_contradiction(original.graph().output(static_cast<int>(i)), *outputs[i]);
    }
  }
  EXPECT_GT(compared, 1500u);
  EXPECT_GT(tally.types, 10000u);
  EXPECT_GT(tally.dims, 20000u);
}

}  // namespace
}  // namespace graphsurgeon::roundtrip
