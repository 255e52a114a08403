// Turns the values of tensors into encoded TensorProto and SparseTensorProto messages.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graphsurgeon/ir/payloads/payload.h"
#include "graphsurgeon/wire/writer.h"

namespace graphsurgeon {

// Where the values of one tensor go.
struct Place {
  enum class Kind {
    kAsItIs,    // inline ones stay inline, external ones stay references
    kInline,    // into the message
    kExternal,  // a reference to another file
  };
  Kind kind = Kind::kAsItIs;
  std::string location;  // of kExternal
  std::optional<uint64_t> offset, length;
  // Further entries of external_data ("checksum").
  std::vector<std::pair<std::string, std::string>> other = {};
};

// The place that an external range describes, under another location.
Place reference_to(const ExternalRange& range, std::string location);

class Placement {
 public:
  virtual ~Placement() = default;
  virtual Place place(const Payload& payload, bool initializer) const = 0;
  // Of a sparse tensor.
  virtual Place place_indices(const Payload& indices, bool initializer) const {
    return place(indices, initializer);
  }
};

class TensorEncoder {
 public:
  // Both outlive the encoder.
  TensorEncoder(wire::Writer& out, const Placement& placement) : out_(out), placement_(placement) {}

  // `unknown`: fields to sort in. Without values: an empty message.
  void tensor(uint32_t field, std::string_view name, const PayloadPtr& values,
              std::string_view unknown, bool initializer);
  void sparse_tensor(uint32_t field, std::string_view name, const Payload& payload,
                     bool initializer);
  // Whether an initializer is written as a SparseTensorProto.
  bool stays_sparse(const Payload& initializer) const;

 private:
  void fields_of(std::string_view name, const Payload& payload, std::string_view unknown,
                 const Place& place);
  void external_entries(const Place& place);

  wire::Writer& out_;
  const Placement& placement_;
};

}  // namespace graphsurgeon
