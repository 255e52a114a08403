#include "graphsurgeon/passes/float16_payload.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "base/arrays/convert.h"
#include "graphsurgeon/io/mapped_reader.h"
#include "graphsurgeon/io/payload_bytes.h"
#include "graphsurgeon/ir/payloads/computed_payload.h"
#include "graphsurgeon/ir/payloads/splat_payload.h"

namespace graphsurgeon {

namespace {

float within(float number, const Float16Limits& limits) {
  const float magnitude = std::fabs(number);
  if (magnitude > 0 && magnitude < limits.smallest) return std::copysign(limits.smallest, number);
  if (magnitude > limits.largest && !std::isinf(number)) {
    return std::copysign(limits.largest, number);
  }
  return number;
}

class Float16Payload final : public ComputedPayload {
 public:
  Float16Payload(PayloadPtr values, Float16Limits limits)
      : ComputedPayload(DataType::kFloat16, values->shape()),
        values_(std::move(values)),
        limits_(std::move(limits)) {}

  void produce(std::string_view tensor, const Take& take) const override {
    float farthest = 0;
    if (values_->kind() == Kind::kComputed) {
      // Whole numbers, whatever pieces they come in.
      std::vector<std::byte> waiting;
      static_cast<const ComputedPayload&>(*values_).produce(
          tensor, [&](std::span<const std::byte> piece) {
            waiting.insert(waiting.end(), piece.begin(), piece.end());
            const size_t whole = waiting.size() / sizeof(float) * sizeof(float);
            convert(std::span(waiting).first(whole), take, farthest);
            waiting.erase(waiting.begin(), waiting.begin() + static_cast<ptrdiff_t>(whole));
          });
    } else {
      const Array array = values_->load(tensor).contiguous_aligned(1);
      MappedReader reader(*values_, tensor);
      const auto bytes = array.bytes();
      for (size_t at = 0; at < bytes.size(); at += kPieceBytes) {
        const size_t length = std::min(kPieceBytes, bytes.size() - at);
        reader.at(at, length);
        convert(bytes.subspan(at, length), take, farthest);
      }
      check_intact(*values_, tensor);
    }
    if (farthest != 0 && limits_.on_clamped && !told_.exchange(true)) {
      limits_.on_clamped(tensor, farthest);
    }
  }

 private:
  void convert(std::span<const std::byte> bytes, const Take& take, float& farthest) const {
    constexpr size_t kNumbers = kPieceBytes / sizeof(uint16_t);
    std::vector<uint16_t> piece;
    for (; !bytes.empty(); bytes = bytes.subspan(piece.size() * sizeof(float))) {
      piece.resize(std::min(kNumbers, bytes.size() / sizeof(float)));
      for (size_t i = 0; i < piece.size(); ++i) {
        float number;
        std::memcpy(&number, bytes.data() + i * sizeof(float), sizeof(float));
        piece[i] = polygraphy::float_to_float16(within(number, limits_));
        const bool too_far = std::fabs(number) > limits_.largest && !std::isinf(number);
        if (too_far && std::fabs(number) > std::fabs(farthest)) farthest = number;
      }
      take(std::as_bytes(std::span(piece)));
    }
  }

  PayloadPtr values_;
  Float16Limits limits_;
  mutable std::atomic<bool> told_ = false;
};

}  // namespace

PayloadPtr float16_payload(PayloadPtr values, const Float16Limits& limits) {
  assert(values->dtype() == DataType::kFloat32 && values->kind() != Payload::Kind::kSparse);
  if (values->kind() == Payload::Kind::kSplat) {
    const Array& one = static_cast<const SplatPayload&>(*values).value();
    const auto number = static_cast<float>(one.get_double(0));
    const uint16_t bits = polygraphy::float_to_float16(within(number, limits));
    Array half = Array::uninitialized(DataType::kFloat16, one.shape());
    std::memcpy(half.mutable_data(), &bits, sizeof(bits));
    return splat_payload(std::move(half), values->shape());
  }
  return std::make_shared<Float16Payload>(std::move(values), limits);
}

}  // namespace graphsurgeon
