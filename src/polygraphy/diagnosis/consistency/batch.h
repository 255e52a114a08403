// Rows of a batch, for inference together and separately.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/arrays/array_map.h"
#include "polygraphy/data/tensors/metadata.h"
#include "polygraphy/data/tensors/value.h"

namespace polygraphy {

// A tensor with rows along an axis: one row is what an index of the axis selects.
struct BatchAxis {
  std::string name = {};
  size_t axis = 0;
  bool operator==(const BatchAxis&) const = default;
};

struct BatchInputs {
  std::vector<BatchAxis> inputs = {};
  std::string dimension = {};  // its name; may be empty
  int64_t fixed = 0;           // rows, if the model fixes their number; 0: any number
  std::string none = {};       // the reason for missing inputs; empty: the inputs exist
};

// The named inputs, along their first axis; else those with an open dimension of one name, along
// its axis: the first one whose name has "batch" in it, or else the first dimension of the first
// input that leaves it open; where its name is one of time ("T", "seq_len" ...), another open
// dimension with a name in the same shape. An input that has the name twice has no rows. If it has
// no name, inputs with a fixed first dimension and one open
// dimension without a name have the batch there. The meaning of a fixed dimension is unknown.
// Throws Error for an unknown name, or an input that is not a tensor with a dimension.
BatchInputs find_batch_inputs(const Metadata& inputs, const std::vector<std::string>& named);

// The axis of an output's rows, in a batch of `rows` and in a batch of 1 (`one`; null: not known,
// and only the first axis counts): the dimension of the batch's name in `info`, the first axis, or
// the only axis that differs. nullopt: it has no row for each row of the inputs.
std::optional<size_t> axis_of_rows(const Array& together, const Array* one, int64_t rows,
                                   const TensorInfo* info, const std::string& dimension);

// With this axis in front of the others.
Array rows_first(const Array& array, size_t axis);
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
  BatchRows(const std::vector<ValueMap>& feeds, const std::vector<BatchAxis>& inputs,
            int64_t wanted);

  int64_t count() const { return static_cast<int64_t>(rows_.size()); }
  int64_t different() const { return different_; }  // that the feeds have
  // A feed of these rows, in this order; one may be given several times.
  ValueMap feed(const std::vector<int64_t>& rows) const;

 private:
  ValueMap others_;  // in the order of the model, batch inputs included
  std::vector<BatchAxis> inputs_;
  std::vector<ArrayMap> rows_;  // by input, each one row, with the axis of the batch in front
  int64_t different_ = 0;
};

}  // namespace polygraphy
