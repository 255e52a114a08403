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

  // Calls visit(at, count, group, step) for runs of values: each has the next group, or (step 0)
  // all have the same.
  template <typename Visit>
  void each_run(Visit&& visit) const {
    if (whole) return visit(0, outer * length * inner, 0, 0);
    const int64_t blocks = block > 0 ? (length + block - 1) / block : 0;
    for (int64_t o = 0; o < outer; ++o) {
      const int64_t begin = o * length * inner;
      if (block == 0 && inner == 1) {
        visit(begin, length, 0, 1);
      } else if (block > 0 && inner == 1) {
        for (int64_t b = 0; b < blocks; ++b)
          visit(begin + b * block, std::min(block, length - b * block), o * blocks + b, 0);
      } else {
        for (int64_t k = 0; k < length; ++k) {
          const int64_t group = block > 0 ? (o * blocks + k / block) * inner : k;
          visit(begin + k * inner, inner, group, block > 0 ? 1 : 0);
        }
      }
    }
  }
  // Calls visit(at, group) for each value.
  template <typename Visit>
  void each(Visit&& visit) const {
    each_run([&](int64_t at, int64_t count, int64_t group, int64_t step) {
      for (int64_t i = 0; i < count; ++i)
        visit(static_cast<size_t>(at + i), static_cast<size_t>(group + i * step));
    });
  }
};

// To the nearest integer, ties to the even one, as an addition rounds: for values below 2^22.
float nearest(float value) {
  constexpr float kShift = 12582912;
  return (value + kShift) - kShift;
}
constexpr float kFarOff = 1 << 20;  // values beyond are as far off as this one

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
  groups.each([&](size_t at, size_t group) {
    const float value = values[at];
    if (!std::isfinite(value)) return;
    Extent& extent = extents[group];
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
  groups.each([&](size_t at, size_t group) {
    const float value = values[at];
    if (!std::isfinite(value)) return;
    const float scaled = value / scales[group];
    codes[at] = floating ? scaled
                         : std::clamp(nearest(std::clamp(scaled, -kFarOff, kFarOff)) + zeros[group],
                                      low, high);
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
  groups.each([&](size_t at, size_t group) { out[at] = (codes[at] - zero[group]) * scale[group]; });
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
    // NaN becomes the smallest value.
    const float scaled = std::min(kFarOff, std::max(-kFarOff, values[i] / scale));
    const float code = nearest(scaled) + zero;
    out[i] = (std::min(127.0f, std::max(-128.0f, code)) - zero) * scale;
  }
  return result;
}

}  // namespace polygraphy
