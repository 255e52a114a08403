// Rows of a batch, for inference together and separately.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/arrays/array_map.h"
#include "polygraphy/data/tensors/metadata.h"
#include "polygraphy/data/tensors/value.h"

namespace polygraphy {

// An input with rows along an axis: one row is what an index of the axis selects.
struct BatchInput {
  std::string name = {};
  size_t axis = 0;
  bool operator==(const BatchInput&) const = default;
};

struct BatchInputs {
  std::vector<BatchInput> inputs = {};
  int64_t fixed = 0;      // rows, if the model fixes their number; 0: any number
  std::string none = {};  // the reason for missing inputs; empty: the inputs exist
};

// The named inputs, along their first axis; else those with an open first dimension of the same
// name as the first of them, and others along the axis of that name: the meaning of a fixed
// dimension is unknown. Throws Error for an unknown name, or an input that
// is not a tensor with a dimension.
BatchInputs find_batch_inputs(const Metadata& inputs, const std::vector<std::string>& named);

// Elements [from, from + count) of the first dimension. Views the array where it is contiguous and
// of whole bytes. Throws Error for types whose elements share bytes.
Array rows_of(const Array& array, int64_t from, int64_t count);
// The rows of arrays of the same type and row shape, one array after the other.
Array join_rows(const std::vector<Array>& arrays);

// Throws Error if these rows exceed kLargestBatchBytes. `feed`: one row.
void require_batch_that_fits(const ValueMap& feed, int64_t rows);

// Rows of feeds, and feeds made of rows.
class BatchRows {
 public:
  // Takes `wanted` rows from the feeds in order, and starts again if these have fewer. Other inputs
  // have the values of the first feed. Leaves out feeds whose rows have other shapes than those of
  // the first one. `feeds` is not empty. Throws Error, as above.
  BatchRows(const std::vector<ValueMap>& feeds, const std::vector<BatchInput>& inputs,
            int64_t wanted);

  int64_t count() const { return static_cast<int64_t>(rows_.size()); }
  int64_t different() const { return different_; }  // that the feeds have
  // A feed of these rows, in this order; one may be given several times.
  ValueMap feed(const std::vector<int64_t>& rows) const;

 private:
  ValueMap others_;  // in the order of the model, batch inputs included
  std::vector<BatchInput> inputs_;
  std::vector<ArrayMap> rows_;  // by input, each one row, with the axis of the batch in front
  int64_t different_ = 0;
};

}  // namespace polygraphy
