// Loops that end, and ranges of a few numbers.
#include <algorithm>

#include "polygraphy/data/inputs/constraints/input_constraint.h"

namespace polygraphy {
namespace {

constexpr std::string_view kOps[] = {
    "Loop", "Range", "HannWindow", "HammingWindow", "BlackmanWindow", "MelWeightMatrix", "STFT"};

void add_constraints(ConstraintContext& node) {
  const std::string_view op = node.node().op();
  if (op == "Loop") {
    node.constrain_to_range(0, 1, 3, "trip count");
    node.constrain_to_range(1, 1, 1, "condition");
  } else if (op == "Range") {
    // Steps of one: as many numbers as limit and start are apart.
    int64_t count = 4;
    if (const auto output = node.output_shape(0); output && output->size() == 1)
      count = output->front();
    const int64_t start = node.scalar(0).value_or(0), step = node.scalar(2).value_or(1);
    node.constrain_to_range(0, start, start, "start");
    node.constrain_to_range(1, start + count * step, start + count * step, "limit");
    node.constrain_to_range(2, step, step, "step");
  } else if (op == "MelWeightMatrix") {
    const auto output = node.output_shape(0);
    const int64_t bins = output && output->size() == 2 ? (*output)[0] : 9;
    const int64_t mels = output && output->size() == 2 ? (*output)[1] : 4;
    node.constrain_to_range(0, mels, mels, "mel bins");
    node.constrain_to_range(1, 2 * (bins - 1), 2 * (bins - 1), "DFT length");
    node.constrain_to_range(2, 8192, 8192, "sample rate");
    node.constrain(3, ValueRange::between(0, 0), "lower edge in hertz");
    node.constrain(4, ValueRange::between(4096, 4096), "upper edge in hertz");
  } else if (op == "STFT") {
    const int64_t length = node.dim(0, 1).value_or(1);
    const int64_t frame = node.dim(2, 0).value_or(std::max<int64_t>(length / 2, 1));
    node.constrain_to_range(1, std::max<int64_t>(frame / 2, 1), std::max<int64_t>(frame / 2, 1),
                            "step");
    node.constrain_to_range(3, frame, frame, "length of a frame");
  } else {
    int64_t least = 2, most = 16;
    if (const auto output = node.output_shape(0); output && output->size() == 1)
      least = most = output->front();
    node.constrain_to_range(0, least, most, "length of the window");
  }
}

}  // namespace

extern constinit const InputConstraint input_constraint_loops = {.ops = kOps,
                                                                 .add = add_constraints};

}  // namespace polygraphy
