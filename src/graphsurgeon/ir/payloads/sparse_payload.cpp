#include "graphsurgeon/ir/payloads/sparse_payload.h"

#include <fmt/format.h>

#include <cstring>
#include <exception>
#include <string>
#include <vector>

#include "base/error.h"

namespace graphsurgeon {

namespace {

// A few bytes of file can claim any size; no machine that runs this makes more than that dense.
constexpr int64_t kMostDenseBytes = int64_t{1} << 38;

[[noreturn]] void fail(std::string_view tensor, const std::string& reason) {
  throw polygraphy::FormatError(fmt::format("sparse tensor '{}': {}", tensor, reason));
}

// Where each value goes in the flattened dense tensor.
std::vector<int64_t> positions(const Array& indices, const Shape& shape, int64_t size,
                               int64_t count, std::string_view tensor) {
  const int64_t rank = std::ssize(shape);
  const bool flat = indices.shape() == Shape{count};
  if (!flat && indices.shape() != Shape{count, rank}) {
    fail(tensor, fmt::format("indices have the shape [{}]; {} values of a tensor of rank {} need "
                             "[{}] or [{}, {}]",
                             fmt::join(indices.shape(), ", "), count, rank, count, count, rank));
  }
  std::vector<int64_t> result(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) {
    int64_t position = 0;
    if (flat) {
      position = indices.get_int64(i);
      if (position < 0 || position >= size) {
        fail(tensor, fmt::format("index {} is outside of its {} elements", position, size));
      }
    } else {
      for (int64_t axis = 0; axis < rank; ++axis) {
        const int64_t index = indices.get_int64(i * rank + axis);
        const int64_t dim = shape[static_cast<size_t>(axis)];
        if (index < 0 || index >= dim) {
          fail(tensor, fmt::format("index {} of value {} is outside of dimension {}, which is {}",
                                   index, i, axis, dim));
        }
        position = position * dim + index;
      }
    }
    result[static_cast<size_t>(i)] = position;
  }
  return result;
}

void set_bits(std::byte* dense, int64_t to, const std::byte* values, int64_t from, int bits) {
  const int mask = (1 << bits) - 1;
  const int per_byte = 8 / bits;
  const int value =
      (std::to_integer<int>(values[from / per_byte]) >> (from % per_byte * bits)) & mask;
  const int shift = static_cast<int>(to % per_byte) * bits;
  std::byte& byte = dense[to / per_byte];
  byte = static_cast<std::byte>((std::to_integer<int>(byte) & ~(mask << shift)) | value << shift);
}

}  // namespace

SparsePayload::SparsePayload(DataType dtype, Shape shape, DecodedTensor values,
                             DecodedTensor indices, std::string_view unknown,
                             std::shared_ptr<const void> owner)
    : Payload(Kind::kSparse, dtype, std::move(shape)),
      values_(std::move(values)),
      indices_(std::move(indices)),
      unknown_(unknown),
      owner_(std::move(owner)) {}

Array SparsePayload::load(std::string_view tensor) const {
  if (!values_.values) fail(tensor, "it has no values");
  if (!indices_.values) fail(tensor, "it has no indices");
  if (indices_.values->dtype() != DataType::kInt64) {
    fail(tensor, fmt::format("indices have type {}, but must be int64",
                             polygraphy::name_of(indices_.values->dtype())));
  }
  const Array values = values_.values->load(tensor).contiguous_aligned(1);
  const Array indices = indices_.values->load(tensor).contiguous_aligned();
  if (values.rank() != 1) {
    fail(tensor, fmt::format("its values have rank {}, but must have rank 1", values.rank()));
  }
  if (nbytes() > kMostDenseBytes || size() > kMostDenseBytes) {
    fail(tensor,
         fmt::format("its dense form would need {} bytes ({} elements), above the limit of {}",
                     nbytes(), size(), kMostDenseBytes));
  }
  const std::vector<int64_t> to = positions(indices, shape(), size(), values.size(), tensor);
  try {
    if (dtype() == DataType::kString) {
      std::vector<std::string> texts(static_cast<size_t>(size()));
      for (size_t i = 0; i < to.size(); ++i) {
        texts[static_cast<size_t>(to[i])] = values.strings()[i];
      }
      return Array::from_strings(shape(), std::move(texts));
    }
    Array dense = Array::zeros(dtype(), shape());
    std::byte* out = dense.mutable_data();
    const int bits = polygraphy::bit_width(dtype());
    const auto width = static_cast<size_t>(bits) / 8;
    for (size_t i = 0; i < to.size(); ++i) {
      if (bits < 8) {
        set_bits(out, to[i], values.data(), static_cast<int64_t>(i), bits);
      } else {
        std::memcpy(out + static_cast<size_t>(to[i]) * width, values.data() + i * width, width);
      }
    }
    return dense;
  } catch (const polygraphy::Error& error) {
    fail(tensor, fmt::format("its dense form does not fit into memory: {}", error.what()));
  } catch (const std::exception&) {  // of std::vector
    fail(tensor, fmt::format("its dense form does not fit into memory: {} texts", size()));
  }
}

}  // namespace graphsurgeon
