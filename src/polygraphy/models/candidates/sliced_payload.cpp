#include "polygraphy/models/candidates/sliced_payload.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "base/arrays/dtype.h"
#include "base/arrays/packing.h"
#include "graphsurgeon/ir/payloads/computed_payload.h"
#include "graphsurgeon/ir/payloads/splat_payload.h"

namespace polygraphy {
namespace {

using graphsurgeon::Payload;
using graphsurgeon::PayloadPtr;

// An array of whole bytes per element.
Array first_of(const Array& whole, Shape shape) {
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
  return Array::strided(whole.dtype(), std::move(shape), std::move(strides), owner->data(), owner)
      .contiguous_aligned();
}

PayloadPtr first_texts(const Payload& texts, Shape shape) {
  std::vector<int64_t> positions(static_cast<size_t>(texts.size()));
  std::iota(positions.begin(), positions.end(), 0);
  const Array kept = first_of(Array::of<int64_t>(texts.shape(), positions), shape);
  const Array all = texts.load({});
  std::vector<std::string> values;
  for (const int64_t position : kept.as<int64_t>()) {
    values.push_back(all.strings()[static_cast<size_t>(position)]);
  }
  return graphsurgeon::owned_payload(Array::from_strings(std::move(shape), std::move(values)));
}

class SlicedPayload final : public graphsurgeon::ComputedPayload {
 public:
  SlicedPayload(PayloadPtr whole, Shape shape)
      : ComputedPayload(whole->dtype(), std::move(shape)), whole_(std::move(whole)) {}

  const PayloadPtr& whole() const { return whole_; }

  Array load(std::string_view tensor) const override {
    const Array whole = whole_->load(tensor);
    if (!is_packed(dtype())) return first_of(whole, shape());
    return pack(first_of(unpack(whole), shape()), dtype());
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
  if (values->dtype() == DataType::kUndefined) return nullptr;
  if (values->dtype() == DataType::kString) return first_texts(*values, std::move(shape));
  // A part of a part is a part of the whole.
  const auto* part = dynamic_cast<const SlicedPayload*>(values.get());
  return std::make_shared<SlicedPayload>(part ? part->whole() : values, std::move(shape));
}

}  // namespace polygraphy
