// Values inside a TensorProto, as they lie there.
#pragma once

#include <memory>
#include <string_view>

#include "graphsurgeon/ir/payloads/payload.h"

namespace graphsurgeon {

struct Source;

// onnx.proto, TensorProto: raw_data or the typed field that belongs to the element type. Reads as
// onnx.numpy_helper.to_array does, bit by bit: raw_data wins where there is one; of int32_data each
// element takes as many low bits as its type has (4-bit types: two elements in the low byte, 2-bit
// types: four).
class EncodedPayload final : public Payload {
 public:
  // `fields`: the data fields (raw_data, float_data …) of the message, keys included.
  EncodedPayload(DataType dtype, Shape shape, std::string_view fields,
                 std::shared_ptr<const Source> source);

  std::string_view fields() const { return fields_; }
  const std::shared_ptr<const Source>& source() const { return source_; }
  // Contents of raw_data. A null view without raw_data.
  std::string_view raw_data() const;

  // True for a tensor that has elements, but no field says one, as weight-strip leaves it.
  bool stripped() const;

  int64_t nbytes() const override;
  Array load(std::string_view tensor) const override;

 private:
  Array load_strings(std::string_view tensor) const;
  Array load_typed(std::string_view tensor, uint32_t field) const;
  [[noreturn]] void fail(std::string_view tensor, const std::string& reason) const;

  std::string_view fields_;
  std::shared_ptr<const Source> source_;
};

// EncodedPayload::stripped(), of any payload.
bool is_stripped(const Payload& payload);

// Type and shape without values, as weight-strip leaves them: an empty raw_data. Loading it throws.
PayloadPtr stripped_payload(DataType dtype, Shape shape);

// The typed field for an element type (tensor::kInt32Data for float16, say); 0 for unknown types.
uint32_t typed_field(DataType dtype);

}  // namespace graphsurgeon
