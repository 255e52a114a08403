// SparseTensorProto: values and where they go.
#pragma once

#include <memory>
#include <string_view>

#include "graphsurgeon/ir/payloads/payload.h"
#include "graphsurgeon/ir/payloads/tensor_codec.h"

namespace graphsurgeon {

// onnx.proto, SparseTensorProto: indices are int64, either [NNZ] into the flattened tensor or [NNZ,
// rank]; elements without an index are zero (the empty text).
class SparsePayload final : public Payload {
 public:
  // `values` or `indices` may lack a payload (a damaged file): loading says so. Views in them must
  // live as long as `owner`.
  SparsePayload(DataType dtype, Shape shape, DecodedTensor values, DecodedTensor indices,
                std::string_view unknown, std::shared_ptr<const void> owner);

  const DecodedTensor& values() const { return values_; }
  const DecodedTensor& indices() const { return indices_; }
  std::string_view unknown() const { return unknown_; }

  Array load(std::string_view tensor) const override;

 private:
  DecodedTensor values_, indices_;
  std::string_view unknown_;
  std::shared_ptr<const void> owner_;
};

}  // namespace graphsurgeon
