// The values of a constant tensor, wherever they are stored. Type, shape and size never do I/O;
// bytes are touched on demand.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/arrays/array.h"

namespace graphsurgeon {

using polygraphy::Array;
using polygraphy::DataType;
using polygraphy::Shape;

// Where external data lies (onnx.proto, TensorProto.external_data), as written in the model.
struct ExternalRange {
  std::string location;  // relative to the model's folder
  int64_t offset = 0;    // bytes
  int64_t length = -1;   // bytes; -1: not given, type and shape decide
  std::vector<std::pair<std::string, std::string>> other;  // unknown keys, "checksum"
  // folder of the model (or --external-data-dir), to which `location` is relative
  std::string folder;
};

// Immutable; shared by the tensors, attributes and copies that hold it. Writing values means a new
// payload.
class Payload {
 public:
  enum class Kind {
    kInline,    // bytes of a TensorProto: raw_data or a typed field, a view into the mapped file
    kExternal,  // range of another file
    kOwned,     // an Array (owned, or borrowed from the caller)
    kSparse,    // SparseTensorProto: values + indices
    kSplat,     // one value and a shape
    kComputed,  // computed while they are read
  };
  virtual ~Payload() = default;
  Payload(const Payload&) = delete;
  Payload& operator=(const Payload&) = delete;

  Kind kind() const { return kind_; }
  DataType dtype() const { return dtype_; }
  const Shape& shape() const { return shape_; }
  int64_t size() const { return size_; }  // elements
  // Dense, packed bytes; strings: the sum of their lengths. 0 for an unknown element type.
  virtual int64_t nbytes() const;

  // The dense values. Shares mapped bytes if the encoding allows (at any address: see
  // Array::contiguous_aligned()), else decodes. Throws Error naming `tensor` (only used for
  // messages), file and numbers: missing or short external data, a path that leaves the folder, a
  // field with a length that does not match type and shape. O(bytes) only where decoding is needed.
  virtual Array load(std::string_view tensor) const = 0;

  virtual const ExternalRange* external() const { return nullptr; }

 protected:
  // Throws FormatError for invalid dimensions (negative, product beyond 63 bits).
  Payload(Kind kind, DataType dtype, Shape shape);

 private:
  Kind kind_;
  DataType dtype_;
  Shape shape_;
  int64_t size_;
};
using PayloadPtr = std::shared_ptr<const Payload>;

// The array itself, or a copy if its last byte holds bits behind the last element: readers of
// packed types may rely on zeros there.
Array without_padding(Array array);

PayloadPtr owned_payload(Array values);
// `value` is a scalar array (rank 0) of the element type.
PayloadPtr splat_payload(Array value, Shape shape);
PayloadPtr external_payload(DataType dtype, Shape shape, ExternalRange range);

}  // namespace graphsurgeon
