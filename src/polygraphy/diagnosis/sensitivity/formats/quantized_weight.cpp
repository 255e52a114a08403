#include "polygraphy/diagnosis/sensitivity/formats/quantized_weight.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/arrays/convert.h"

namespace polygraphy {
namespace {

// Which scale a value has.
struct Groups {
  int64_t outer = 1, length = 1, inner = 1;  // around the axis
  int64_t block = 0;                         // 0: one group for each place of the axis
  bool whole = false;                        // one group for all
  Shape shape = {};                          // of scales

  int64_t count() const { return element_count(shape); }

  template <typename Visit>
  void each(Visit&& visit) const {
    const int64_t blocks = block > 0 ? (length + block - 1) / block : 0;
    int64_t at = 0;
    for (int64_t o = 0; o < outer; ++o) {
      for (int64_t k = 0; k < length; ++k) {
        const int64_t first = block > 0 ? (o * blocks + k / block) * inner : k;
        for (int64_t i = 0; i < inner; ++i) visit(at++, whole ? 0 : block > 0 ? first + i : first);
      }
    }
  }
};

Groups groups_of(const Shape& shape, int64_t axis, int64_t block, bool whole) {
  Groups groups{.block = block, .whole = whole, .shape = {}};
  const auto at = static_cast<size_t>(axis);
  for (size_t i = 0; i < shape.size(); ++i)
    (i < at ? groups.outer : i == at ? groups.length : groups.inner) *= shape[i];
  if (whole) return groups;
  groups.shape = shape;
  if (block > 0) {
    groups.shape[at] = (groups.length + block - 1) / block;
  } else {
    groups.shape = {groups.length};
  }
  return groups;
}

struct Extent {
  float smallest = 0, largest = 0;  // with 0
  float magnitude() const { return std::max(-smallest, largest); }
};

// The largest value of symmetric formats.
float top_of(DataType type) {
  switch (type) {
    case DataType::kInt8:
      return 127;
    case DataType::kFloat8E4M3FN:
      return 448;
    case DataType::kFloat4E2M1:
      return 6;
    default:
      return 8;
  }
}

float scale_of(const Extent& extent, DataType type) {
  float scale = 0;
  if (type == DataType::kUint8 || type == DataType::kUint4) {
    scale = (extent.largest - extent.smallest) / (type == DataType::kUint8 ? 255.0f : 15.0f);
  } else if (type == DataType::kInt4) {
    // There is one more negative value.
    scale = extent.largest > -extent.smallest ? extent.largest / -8 : extent.smallest / -8;
  } else {
    scale = extent.magnitude() / top_of(type);
  }
  return scale != 0 && std::isfinite(scale) ? scale : 1;
}

float zero_of(const Extent& extent, float scale, DataType type) {
  return std::clamp(std::nearbyint(-extent.smallest / scale), 0.0f,
                    type == DataType::kUint8 ? 255.0f : 15.0f);
}

Array of_floats(const std::vector<float>& values, Shape shape) {
  return Array::of<float>(std::move(shape), std::span<const float>(values));
}

}  // namespace

QuantizedWeight quantize(const Array& weight, const WeightFormat& format, int64_t channel,
                         int64_t reduced) {
  if (format.casts())
    return {.values = convert(weight, format.type), .scales = {}, .zero_points = {}};
  const Array floats = convert(weight, DataType::kFloat32).contiguous_aligned();
  const std::span<const float> values = floats.as<float>();
  const int64_t axis = format.block > 0 ? reduced : channel;
  const Groups groups = groups_of(weight.shape(), axis, format.block, format.per_tensor);
  std::vector<Extent> extents(static_cast<size_t>(groups.count()));
  groups.each([&](int64_t at, int64_t group) {
    const float value = values[static_cast<size_t>(at)];
    if (!std::isfinite(value)) return;
    Extent& extent = extents[static_cast<size_t>(group)];
    extent.smallest = std::min(extent.smallest, value);
    extent.largest = std::max(extent.largest, value);
  });
  std::vector<float> scales, zeros;
  for (const Extent& extent : extents) {
    scales.push_back(scale_of(extent, format.type));
    zeros.push_back(format.asymmetric ? zero_of(extent, scales.back(), format.type) : 0);
  }
  const bool floating = is_floating(format.type);
  const float low = format.asymmetric ? 0.0f : format.type == DataType::kInt8 ? -127.0f : -8.0f;
  const float high = format.type == DataType::kUint8   ? 255.0f
                     : format.type == DataType::kUint4 ? 15.0f
                     : format.type == DataType::kInt8  ? 127.0f
                                                       : 7.0f;
  std::vector<float> codes(values.size());
  groups.each([&](int64_t at, int64_t group) {
    const float value = values[static_cast<size_t>(at)];
    if (!std::isfinite(value)) return;
    const float scaled = value / scales[static_cast<size_t>(group)];
    codes[static_cast<size_t>(at)] =
        floating
            ? scaled
            : std::clamp(std::nearbyint(scaled) + zeros[static_cast<size_t>(group)], low, high);
  });
  QuantizedWeight result{.values = convert(of_floats(codes, weight.shape()), format.type),
                         .scales = of_floats(scales, groups.shape),
                         .zero_points = {},
                         .axis = axis,
                         .block = format.block};
  if (format.asymmetric) result.zero_points = convert(of_floats(zeros, groups.shape), format.type);
  return result;
}

int64_t QuantizedWeight::bytes() const {
  int64_t bytes = values.nbytes();
  if (!scales.empty()) bytes += scales.nbytes();
  if (!zero_points.empty()) bytes += zero_points.nbytes();
  return bytes;
}

Array QuantizedWeight::dequantized() const {
  const Array floats = convert(values, DataType::kFloat32);
  if (scales.empty()) return floats;
  const Groups groups = groups_of(values.shape(), axis, block, scales.rank() == 0);
  const Array zeros = zero_points.empty() ? Array::zeros(DataType::kFloat32, scales.shape())
                                          : convert(zero_points, DataType::kFloat32);
  const std::span<const float> codes = floats.as<float>(), scale = scales.as<float>(),
                               zero = zeros.as<float>();
  Array result = Array::uninitialized(DataType::kFloat32, values.shape());
  auto* out = reinterpret_cast<float*>(result.mutable_data());
  groups.each([&](int64_t at, int64_t group) {
    const auto g = static_cast<size_t>(group);
    out[at] = (codes[static_cast<size_t>(at)] - zero[g]) * scale[g];
  });
  return result;
}

ActivationRange activation_range(double smallest, double largest) {
  smallest = std::min(smallest, 0.0);
  largest = std::max(largest, 0.0);
  const auto scale = static_cast<float>((largest - smallest) / 255);
  if (!(scale > 0) || !std::isfinite(scale)) return {};
  const double zero = std::nearbyint(-128 - smallest / scale);
  return {.scale = scale, .zero_point = static_cast<int8_t>(std::clamp(zero, -128.0, 127.0))};
}

Array ActivationRange::rounded(const Array& tensor) const {
  const Array from = tensor.contiguous_aligned();
  const std::span<const float> values = from.as<float>();
  Array result = Array::uninitialized(DataType::kFloat32, tensor.shape());
  auto* out = reinterpret_cast<float*>(result.mutable_data());
  const float zero = zero_point;
  for (size_t i = 0; i < values.size(); ++i) {
    const float code = std::nearbyint(values[i] / scale) + zero;
    out[i] = (std::min(127.0f, std::max(-128.0f, code)) - zero) * scale;
  }
  return result;
}

}  // namespace polygraphy
