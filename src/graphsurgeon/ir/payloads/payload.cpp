#include "graphsurgeon/ir/payloads/payload.h"

#include <cstring>

#include "base/error.h"
#include "graphsurgeon/ir/payloads/external_payload.h"
#include "graphsurgeon/ir/payloads/splat_payload.h"

namespace graphsurgeon {

namespace {

class OwnedPayload final : public Payload {
 public:
  explicit OwnedPayload(Array values)
      : Payload(Kind::kOwned, values.dtype(), values.shape()), values_(std::move(values)) {}

  int64_t nbytes() const override { return values_.nbytes(); }
  Array load(std::string_view) const override { return values_; }

 private:
  Array values_;
};

}  // namespace

Payload::Payload(Kind kind, DataType dtype, Shape shape)
    : kind_(kind), dtype_(dtype), shape_(std::move(shape)) {
  size_ = polygraphy::element_count(shape_);
  polygraphy::storage_bytes(dtype_, size_);  // throws when it does not fit
}

int64_t Payload::nbytes() const {
  return polygraphy::storage_bytes(dtype_, size_);
}

Array without_padding(Array array) {
  if (!polygraphy::is_packed(array.dtype())) return array;
  const int64_t used_bits = array.size() * polygraphy::bit_width(array.dtype()) % 8;
  if (used_bits == 0) return array;
  const auto last = static_cast<size_t>(array.nbytes()) - 1;
  const auto mask = static_cast<std::byte>((1 << used_bits) - 1);
  if ((array.data()[last] & ~mask) == std::byte{}) return array;
  Array copy = array.clone();
  copy.mutable_data()[last] &= mask;
  return copy;
}

SplatPayload::SplatPayload(Array value, Shape shape)
    : Payload(Kind::kSplat, value.dtype(), std::move(shape)), value_(std::move(value)) {
  if (value_.size() != 1) {
    throw polygraphy::Error("a splat needs one value, not " + std::to_string(value_.size()));
  }
}

int64_t SplatPayload::nbytes() const {
  return dtype() == DataType::kString ? value_.nbytes() * size() : Payload::nbytes();
}

uint8_t SplatPayload::packed_byte() const {
  const int bits = polygraphy::bit_width(dtype());
  const int element = std::to_integer<int>(value_.data()[0]) & ((1 << bits) - 1);
  int byte = 0;
  for (int at = 0; at < 8; at += bits) byte |= element << at;
  return static_cast<uint8_t>(byte);
}

Array SplatPayload::load(std::string_view) const {
  if (dtype() == DataType::kString) {
    return Array::from_strings(
        shape(), std::vector<std::string>(static_cast<size_t>(size()), value_.strings()[0]));
  }
  if (!polygraphy::is_packed(dtype())) {
    return Array::strided(dtype(), shape(), Shape(shape().size(), 0), value_.data(),
                          std::make_shared<Array>(value_));
  }
  Array array = Array::uninitialized(dtype(), shape());
  std::memset(array.mutable_data(), packed_byte(), static_cast<size_t>(array.nbytes()));
  return array;
}

PayloadPtr owned_payload(Array values) {
  return std::make_shared<OwnedPayload>(std::move(values));
}

PayloadPtr splat_payload(Array value, Shape shape) {
  return std::make_shared<SplatPayload>(std::move(value), std::move(shape));
}

PayloadPtr external_payload(DataType dtype, Shape shape, ExternalRange range) {
  auto folder = std::make_shared<ExternalFolder>(range.folder, std::string());
  return std::make_shared<ExternalPayload>(dtype, std::move(shape), std::move(range),
                                           std::move(folder));
}

}  // namespace graphsurgeon
