#include "polygraphy/models/noise/moves_numbers.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "graphsurgeon/ir/tensor.h"

namespace polygraphy {
namespace {

// In order.
constexpr std::string_view kMoving[] = {"Abs",
                                        "ArrayFeatureExtractor",
                                        "BatchToSpace",
                                        "Cast",
                                        "CastLike",
                                        "Compress",
                                        "Concat",
                                        "ConcatFromSequence",
                                        "Constant",
                                        "ConstantOfShape",
                                        "DepthToSpace",
                                        "Expand",
                                        "EyeLike",
                                        "Flatten",
                                        "Gather",
                                        "GatherElements",
                                        "GatherND",
                                        "GlobalMaxPool",
                                        "Identity",
                                        "If",
                                        "Loop",
                                        "Max",
                                        "MaxPool",
                                        "MaxRoiPool",
                                        "MaxUnpool",
                                        "Min",
                                        "Neg",
                                        "NonZero",
                                        "OneHot",
                                        "Optional",
                                        "OptionalGetElement",
                                        "Pad",
                                        "ReduceMax",
                                        "ReduceMin",
                                        "Relu",
                                        "Reshape",
                                        "ReverseSequence",
                                        "Scan",
                                        "Scatter",
                                        "ScatterElements",
                                        "ScatterND",
                                        "SequenceAt",
                                        "SequenceConstruct",
                                        "SequenceInsert",
                                        "Shape",
                                        "Sign",
                                        "Size",
                                        "Slice",
                                        "SpaceToDepth",
                                        "Split",
                                        "SplitToSequence",
                                        "Squeeze",
                                        "Tile",
                                        "TopK",
                                        "Transpose",
                                        "Trilu",
                                        "Unique",
                                        "Unsqueeze",
                                        "Where"};

}  // namespace

bool moves_numbers(const graphsurgeon::Node& node) {
  if (!node.domain().empty() && node.domain() != "ai.onnx") return false;
  if (node.op() == "Resize" || node.op() == "Upsample") {
    const graphsurgeon::Attribute* mode = node.attribute("mode");
    return !mode || mode->as_string() == "nearest";
  }
  // Of integers a cast makes new numbers.
  if (node.op() == "Cast" || node.op() == "CastLike")
    return node.inputs().empty() || !is_integral(node.inputs()[0]->dtype());
  return std::binary_search(std::begin(kMoving), std::end(kMoving), node.op());
}

}  // namespace polygraphy
