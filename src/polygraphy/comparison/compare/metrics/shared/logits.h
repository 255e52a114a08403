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
#include "polygraphy/comparison/compare/metric_options.h"

namespace polygraphy {

// The option with the axis of the vocabulary.
inline constexpr std::string_view kVocabularyAxis = "tokens_axis";

// The outputs with "logits" in their names.
std::vector<std::string> named_logits(const ArrayMap& outputs);
// Which outputs may be logits: those that the values of kVocabularyAxis name, else those with
// "logits" in their names, else all but the caches of attention (past…, present…).
std::vector<std::string> judged_logits(const ArrayMap& outputs, const PerOutput<GivenNumber>& axes);
// Of an output. Throws Error: it has no such axis.
int64_t vocabulary_axis(const std::string& name, const Array& array,
                        const PerOutput<GivenNumber>& axes);
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
