// pgb_value <-> OrtValue.
#pragma once

#include <deque>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "onnxrt/library.h"

namespace onnxrt {

// ONNX Runtime numbers element types differently from ONNX above 23.
int32_t onnx_type(ONNXTensorElementDataType type);
ONNXTensorElementDataType ort_type(int32_t onnx_type);

using OwnedValue = Owned<OrtValue>;

// Tensors of host memory are not copied: `value` must outlive the result.
OwnedValue to_ort(const Library& library, const pgb_value& value);

// The addresses of the host's feeds.
class FedBytes {
 public:
  // O(feeds log feeds).
  explicit FedBytes(std::span<const pgb_named_value> feeds);
  // O(log feeds).
  bool contain(const void* data) const;

 private:
  // Begins, in their order, with the last end of all ranges up to there.
  std::vector<std::pair<const char*, const char*>> ranges_;
};

// Views an OrtValue as a pgb_value. Takes the value over; everything lives until the view is
// destroyed, and the bytes of a tensor longer if the host retains its owner. Bytes that are `fed`
// are the caller's: an output that is an input has no owner.
class ValueView {
 public:
  ValueView(const Library& library, OwnedValue value, const FedBytes& fed);
  ~ValueView();
  ValueView(const ValueView&) = delete;
  ValueView& operator=(const ValueView&) = delete;

  const pgb_value& value() const { return value_; }

 private:
  struct TensorOwner;
  pgb_value view(OwnedValue value);
  pgb_value view_tensor(OwnedValue value);
  pgb_value view_strings(const OrtValue* value, pgb_value result, size_t count);
  std::vector<pgb_value>& view_items(const OrtValue* value);

  const Library& library_;
  const FedBytes& fed_;
  std::deque<std::vector<int64_t>> shapes_;
  std::deque<std::vector<char>> texts_;
  std::deque<std::vector<uint64_t>> offsets_;
  std::deque<std::vector<pgb_value>> items_;
  std::vector<TensorOwner*> owners_;
  pgb_value value_{};
};

}  // namespace onnxrt
