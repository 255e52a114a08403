#include "polygraphy/models/candidates/sliced_payload.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "base/arrays/dtype.h"
#include "graphsurgeon/ir/payloads/computed_payload.h"
#include "graphsurgeon/ir/payloads/splat_payload.h"

namespace polygraphy {
namespace {

using graphsurgeon::Payload;
using graphsurgeon::PayloadPtr;

class SlicedPayload final : public graphsurgeon::ComputedPayload {
 public:
  SlicedPayload(PayloadPtr whole, Shape shape)
      : ComputedPayload(whole->dtype(), std::move(shape)), whole_(std::move(whole)) {}

  const PayloadPtr& whole() const { return whole_; }

  Array load(std::string_view tensor) const override {
    const Array whole = whole_->load(tensor);
    std::vector<int64_t> strides = whole.strides();
    if (strides.empty()) {
      int64_t stride = whole.size() == 0 ? 0 : whole.nbytes() / whole.size();
      strides.resize(whole.shape().size());
      for (size_t axis = strides.size(); axis-- > 0;) {
        strides[axis] = stride;
        stride *= whole.shape()[axis];
      }
    }
    const auto owner = std::make_shared<const Array>(whole);
    return Array::strided(dtype(), shape(), std::move(strides), owner->data(), owner)
        .contiguous_aligned();
  }

  void produce(std::string_view tensor, const Take& take) const override {
    const Array part = load(tensor);
    const auto bytes = part.bytes();
    for (size_t at = 0; at < bytes.size(); at += kPieceBytes) {
      take(bytes.subspan(at, std::min(kPieceBytes, bytes.size() - at)));
    }
  }

 private:
  const PayloadPtr whole_;
};

}  // namespace

PayloadPtr first_elements(const PayloadPtr& values, Shape shape) {
  if (values->kind() == Payload::Kind::kSplat) {
    const auto& splat = static_cast<const graphsurgeon::SplatPayload&>(*values);
    return graphsurgeon::splat_payload(splat.value(), std::move(shape));
  }
  const DataType type = values->dtype();
  if (type == DataType::kString || type == DataType::kUndefined || bit_width(type) < 8) {
    return nullptr;
  }
  // A part of a part is a part of the whole.
  const auto* part = dynamic_cast<const SlicedPayload*>(values.get());
  return std::make_shared<SlicedPayload>(part ? part->whole() : values, std::move(shape));
}

}  // namespace polygraphy
