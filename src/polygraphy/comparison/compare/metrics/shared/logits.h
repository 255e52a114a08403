// Outputs that score the tokens of a vocabulary.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/arrays/array.h"
#include "base/arrays/array_map.h"
#include "numerics/block_source.h"

namespace polygraphy {

// Which outputs may be logits, by their names: those with "logits" in it, else all but the caches
// of attention (past…, present…).
std::vector<std::string> logits_among(const ArrayMap& outputs);
// Whether an output can be logits: floating-point numbers along some axis.
bool may_be_logits(const Array& array);

// An array as rows along one of its axes, one after the other.
class LogitRows {
 public:
  // `axis`: from -rank to rank - 1.
  LogitRows(const Array& array, int64_t axis);

  int64_t rows() const { return rows_; }
  int64_t size() const { return size_; }  // of a row
  // Where a row lies: its place along all other axes, in order.
  std::vector<int64_t> position(int64_t row) const;

  // Reads rows; each thread has a separate one.
  class Reader {
   public:
    explicit Reader(const LogitRows& rows) : rows_(rows), source_(rows.array_) {}
    // Valid until the next call.
    std::span<const double> read(int64_t row);

   private:
    const LogitRows& rows_;
    ArraySource source_;
    std::vector<double> row_;
  };

 private:
  Array array_;  // the axis is the last one
  Shape places_;
  int64_t rows_ = 0, size_ = 0;
};

}  // namespace polygraphy
