// Shapes, sizes and repeats that fit the data.
#include <algorithm>

#include "polygraphy/data/inputs/constraints/input_constraint.h"

namespace polygraphy {
namespace {

constexpr std::string_view kOps[] = {"Reshape", "Expand",       "Tile",          "ConstantOfShape",
                                     "Resize",  "Upsample",     "CenterCropPad", "AffineGrid",
                                     "Col2Im",  "RandomNormal", "MaxUnpool"};

constexpr int64_t kSmall = 4;  // of dimensions that nothing else decides

void constrain_reshape(ConstraintContext& node, int64_t length) {
  const auto data = node.shape(0);
  std::vector<int64_t> shape;
  const auto output = node.output_shape(0);
  int64_t in = 1, out = 1;
  if (data) {
    for (const int64_t dim : *data) in *= dim;
  }
  if (output) {
    for (const int64_t dim : *output) out *= dim;
  }
  if (output && static_cast<int64_t>(output->size()) == length && (!data || in == out)) {
    shape = *output;
  } else if (data && static_cast<int64_t>(data->size()) == length) {
    shape = *data;
  } else {
    shape.assign(static_cast<size_t>(length), 1);
    if (!shape.empty()) shape.front() = data ? in : -1;
  }
  node.constrain_to_values(1, shape, "shape");
}

// Output shapes that are declared; else the data's own, with ones in front.
void constrain_expand(ConstraintContext& node, int64_t length) {
  std::vector<int64_t> shape(static_cast<size_t>(length), 1);
  const auto output = node.output_shape(0);
  const auto data = node.shape(0);
  if (output && static_cast<int64_t>(output->size()) == length) {
    shape = *output;
  } else if (data) {
    for (size_t i = 0; i < std::min(shape.size(), data->size()); ++i) {
      shape[shape.size() - 1 - i] = (*data)[data->size() - 1 - i];
    }
  }
  node.constrain_to_values(1, shape, "shape");
}

void constrain_sizes(ConstraintContext& node, size_t i, std::vector<int64_t> otherwise) {
  const auto length = node.dim(i, -1);
  const auto output = node.output_shape(0);
  if (!length) return;
  const auto count = static_cast<size_t>(*length);
  if (output && output->size() >= count) {
    node.constrain_to_values(i, {output->end() - *length, output->end()}, "sizes");
  } else if (otherwise.size() >= count) {
    node.constrain_to_values(i, {otherwise.end() - *length, otherwise.end()}, "sizes");
  }
}

void constrain_resize(ConstraintContext& node) {
  const bool upsample = node.node().op() == "Upsample";
  const size_t scales = upsample || !node.has(2) ? 1 : 2;
  const auto data = node.shape(0);
  const auto output = node.output_shape(0);
  const auto length = node.dim(scales, -1);
  if (length && *length > 0) {
    ValueRange range = ValueRange::between(1, 2);
    if (data && output && data->size() == output->size() &&
        static_cast<int64_t>(data->size()) == *length) {
      range = {};
      for (size_t i = 0; i < data->size(); ++i) {
        const double scale = static_cast<double>((*output)[i]) /
                             static_cast<double>(std::max<int64_t>((*data)[i], 1));
        range.per_column.push_back({scale, scale});
      }
    }
    node.constrain(scales, range, "scales");
  }
  if (!upsample && node.has(3)) constrain_sizes(node, 3, data.value_or(std::vector<int64_t>{}));
}

void add_constraints(ConstraintContext& node) {
  const std::string_view op = node.node().op();
  const int64_t length = node.dim(1, -1).value_or(1);
  if (op == "Reshape") {
    constrain_reshape(node, length);
  } else if (op == "Expand") {
    constrain_expand(node, length);
  } else if (op == "Tile") {
    const auto data = node.shape(0), output = node.output_shape(0);
    if (data && output && data->size() == output->size()) {
      std::vector<int64_t> repeats;
      for (size_t i = 0; i < data->size(); ++i) {
        repeats.push_back((*data)[i] == 0 ? 1 : (*output)[i] / (*data)[i]);
      }
      node.constrain_to_values(1, repeats, "repeats");
    } else {
      node.constrain_to_range(1, 1, 2, "repeats");
    }
  } else if (op == "ConstantOfShape") {
    if (const auto output = node.output_shape(0)) {
      node.constrain_to_values(0, *output, "shape");
    } else {
      node.constrain_to_range(0, 1, kSmall, "shape");
    }
  } else if (op == "Resize" || op == "Upsample") {
    constrain_resize(node);
  } else if (op == "CenterCropPad") {
    constrain_sizes(node, 1, node.shape(0).value_or(std::vector<int64_t>{}));
  } else if (op == "AffineGrid") {
    // Batch, channels, height, width; theta has the batch.
    const int64_t batch = node.dim(0, 0).value_or(1);
    std::vector<int64_t> sizes(static_cast<size_t>(length), kSmall);
    if (!sizes.empty()) sizes[0] = batch;
    if (const auto output = node.output_shape(0)) {
      for (size_t i = 2; i < sizes.size() && i - 1 < output->size(); ++i)
        sizes[i] = (*output)[i - 1];
    }
    node.constrain_to_values(1, sizes, "sizes");
  } else if (op == "Col2Im") {
    constrain_sizes(node, 1, {});
    if (node.dim(2, 0)) node.constrain_to_range(2, 1, 1, "block sizes");
  } else if (op == "MaxUnpool") {
    if (node.has(2)) constrain_sizes(node, 2, {});
  }
}

}  // namespace

extern constinit const InputConstraint input_constraint_shapes = {.ops = kOps,
                                                                  .add = add_constraints};

}  // namespace polygraphy
